import FederatedModel
import Foundation

/// Random trees of every shape, from a seed that a failing test prints.
struct RandomPredicates {
  private var generator: SeededGenerator

  init(seed: UInt64) { self.generator = SeededGenerator(state: seed) }

  mutating func predicate(depth: Int) -> FetchPredicate {
    switch depth <= 0 ? self.pick(2) : self.pick(7) {
    case 0: return .constant(self.flip())
    case 1, 2, 3: return .comparison(self.comparison(depth: depth - 1))
    case 4: return .and((0..<2 + self.pick(2)).map { _ in self.predicate(depth: depth - 1) })
    case 5: return .or((0..<2 + self.pick(2)).map { _ in self.predicate(depth: depth - 1) })
    default: return .not(self.predicate(depth: depth - 1))
    }
  }

  private mutating func comparison(depth: Int) -> FetchPredicate.Comparison {
    let options = FetchPredicate.Options(rawValue: self.flip() ? 0 : UInt8(self.pick(16)))
    let modifier: FetchPredicate.Modifier = [.direct, .direct, .any, .all][self.pick(4)]
    return .init(
      self.expression(depth: depth), FetchPredicate.Operator.allCases[self.pick(13)],
      self.expression(depth: depth),
      modifier: modifier, options: options)
  }

  mutating func expression(depth: Int) -> FetchExpression {
    switch depth <= 0 ? self.pick(5) : self.pick(14) {
    case 0, 1: return .constant(self.value(depth: 2))
    case 2: return .evaluatedObject
    case 3: return .variable(["x", "FETCH_SOURCE", "first", "ñ"][self.pick(4)])
    case 4, 5: return .keyPath(self.keys())
    case 6: return .path(self.expression(depth: depth - 1), self.keys())
    case 7: return .index(self.expression(depth: depth - 1), self.index(depth: depth - 1))
    case 8, 9: return self.call(depth: depth - 1)
    case 10: return .aggregate((0..<self.pick(4)).map { _ in self.expression(depth: depth - 1) })
    case 11:
      return .subquery(
        self.expression(depth: depth - 1), variable: "x", self.predicate(depth: depth - 1))
    case 12:
      return .conditional(
        self.predicate(depth: depth - 1), self.expression(depth: depth - 1), self.expression(depth: depth - 1)
      )
    default:
      return .setOperation(
        FetchExpression.SetOperation.allCases[self.pick(3)], self.expression(depth: depth - 1),
        self.expression(depth: depth - 1))
    }
  }

  private mutating func index(depth: Int) -> FetchExpression.Index {
    [.first, .last, .size, .at(self.expression(depth: depth))][self.pick(4)]
  }

  private mutating func call(depth: Int) -> FetchExpression {
    let function = FetchFunction.allCases[self.pick(FetchFunction.allCases.count)]
    if function == .function {
      return .function("FUNCTION", [self.expression(depth: depth), .constant(.string("length"))])
    }
    if function == .cast {
      let type = ["NSDate", "NSUUID", "NSNumber", "NSData", "NSDecimalNumber", "x\"y"][self.pick(6)]
      return .function(function.rawValue, [self.expression(depth: depth), .constant(.string(type))])
    }
    let count = min(function.arity.upperBound, function.arity.lowerBound + self.pick(3))
    return .function(function.rawValue, (0..<count).map { _ in self.expression(depth: depth) })
  }

  private mutating func keys() -> [String] {
    let keys = [
      "a", "name", "size", "SELF", "@count", "a b", "über", "q\"", "x.y", "", "#", "e\u{301}", "nil", "_1",
    ]
    return (0...self.pick(3)).map { _ in keys[self.pick(keys.count)] }
  }

  mutating func value(depth: Int) -> Value {
    switch self.pick(depth <= 0 ? 10 : 11) {
    case 0: return .null
    case 1: return .bool(self.flip())
    case 2: return .int([0, -1, .min, .max, Int64(truncatingIfNeeded: self.next())][self.pick(5)])
    case 3: return .double(self.double())
    case 4:
      return .decimal(
        Decimal(
          sign: self.flip() ? .minus : .plus, exponent: self.pick(60) - 30, significand: Decimal(self.next()))
      )
    case 5, 6: return .string(self.text())
    case 7:
      return .date(
        Date(
          timeIntervalSinceReferenceDate: self.flip() ? Double(self.pick(1 << 40)) / 1_000_000 : self.double()
        ))
    case 8: return .data(Data((0..<self.pick(9)).map { _ in UInt8(truncatingIfNeeded: self.next()) }))
    case 9: return self.flip() ? .uuid(UUID()) : .uri("http://a/\(self.text())")
    default: return .list((0..<self.pick(3)).map { _ in self.value(depth: depth - 1) })
    }
  }

  private mutating func double() -> Double {
    let special: [Double] = [
      0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 0.1, 1e300, -2.5, 1e16,
    ]
    return self.flip() ? special[self.pick(special.count)] : Double(bitPattern: self.next())
  }

  private mutating func text() -> String {
    let pieces = [
      "a", "\"", "'", "\\", "\n", "\t", "\r", "\u{0}", "😀", "e\u{301}", "é", "%@", "*", "\u{7F}", "\u{FFFD}",
      "nil",
    ]
    return (0..<self.pick(5)).map { _ in pieces[self.pick(pieces.count)] }.joined()
  }

  private mutating func next() -> UInt64 { self.generator.next() }
  mutating func pick(_ count: Int) -> Int { Int(self.generator.next() % UInt64(count)) }
  mutating func flip() -> Bool { self.generator.next() & 64 == 0 }
}

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    self.state &+= 0x9E37_79B9_7F4A_7C15
    var z = self.state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
