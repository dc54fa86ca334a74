import Foundation

/// Sums, extremes and their kin over the values of a collection.
///
/// In sums and averages nil counts as 0, as the tradition has it; everything else passes nil over. Integers
/// and decimals are added exactly. An empty collection has the sum 0 and no average, extreme, median,
/// mode or deviation.
enum Statistics {
  /// The values of a collection, or of the operands of a call.
  static func members(_ operands: [PredicateOperand]) -> [PredicateOperand] {
    if operands.count == 1, let elements = operands[0].elements { return elements }
    return operands
  }

  /// The numbers among the members; nil as 0.
  static func numbers(_ members: [PredicateOperand], _ name: String) throws(FetchPredicateError) -> [Value] {
    var numbers: [Value] = []
    for member in members {
      switch member.scalar {
      case .null: numbers.append(.int(0))
      case .bool(let bool): numbers.append(.int(bool ? 1 : 0))
      case .int(let int): numbers.append(.int(int))
      case .double(let double): numbers.append(.double(double))
      case .decimal(let decimal): numbers.append(.decimal(decimal))
      default: throw self.refused(member, name)
      }
    }
    return numbers
  }

  private static func refused(_ member: PredicateOperand, _ name: String) -> FetchPredicateError {
    FetchPredicateError(.predicateTypeMismatch, subject: name, "takes numbers, not \(member.kindName)")
  }

  /// Members of a set come in any order, and those of two stores apart, so the sum is exact until it is rounded.
  static func sum(_ numbers: [Value]) throws(FetchPredicateError) -> Value {
    if numbers.contains(where: \.isNaN) { return .double(.nan) }
    return try self.gathered(numbers).sum(orNothing: .int(0))
  }

  private static func gathered(_ numbers: [Value]) throws(FetchPredicateError) -> ExactSum {
    var sum = ExactSum()
    for number in numbers { try sum.add(number) }
    return sum
  }

  private static func order(_ a: Value, _ b: Value) -> Int {
    ExactNumber(a).flatMap { x in ExactNumber(b).flatMap { x.order($0) } } ?? 0
  }

  static func average(_ numbers: [Value]) throws(FetchPredicateError) -> Value {
    if numbers.contains(where: \.isNaN) { return .double(.nan) }
    return try self.gathered(numbers).average()
  }

  /// The least or greatest member; nil is passed over.
  static func extreme(
    _ members: [PredicateOperand], _ name: String, isWanted: (Int) -> Bool
  ) throws(FetchPredicateError) -> Value {
    var best = Value.null
    for member in members {
      guard let value = member.scalar else {
        throw FetchPredicateError(.predicateTypeMismatch, subject: name, "\(member.kindName) has no order")
      }
      if value.isNull { continue }
      if best.isNull {
        _ = try value.order(value)
        best = value
      } else if let order = try value.order(best), isWanted(order) {
        best = value
      }
    }
    return best
  }

  static func median(_ members: [PredicateOperand]) throws(FetchPredicateError) -> Value {
    var sorted = try self.numbers(members.filter { $0.scalar?.isNull != true }, "median")
    sorted.sort { a, b in self.order(a, b) < 0 }
    if sorted.isEmpty { return .null }
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return sorted[middle] }
    return try self.average([sorted[middle - 1], sorted[middle]])
  }

  /// The members that occur most often, in order of first occurrence.
  static func mode(_ members: [PredicateOperand]) throws -> [PredicateOperand] {
    var counts: [(member: PredicateOperand, count: Int)] = []
    for member in members where member.scalar?.isNull != true {
      if let place = try counts.firstIndex(where: { try $0.member.equals(member, []) }) {
        counts[place].count += 1
      } else {
        counts.append((member, 1))
      }
    }
    let most = counts.map(\.count).max() ?? 0
    return counts.filter { $0.count == most }.map(\.member)
  }

  /// Of the population: divided by the number of members.
  static func deviation(_ members: [PredicateOperand]) throws(FetchPredicateError) -> Value {
    let numbers = try self.numbers(members.filter { $0.scalar?.isNull != true }, "stddev")
    if numbers.contains(where: \.isNaN) { return .double(.nan) }
    var state = AggregateState.values([:])
    for number in numbers { try state.add(number) }
    return try state.deviation()
  }

  /// The members without repetition, in order of first occurrence.
  static func distinct(_ members: [PredicateOperand]) throws -> [PredicateOperand] {
    var seen: Set<MatchKey> = []
    var kept: [PredicateOperand] = []
    for member in members {
      guard let value = member.scalar else {
        kept.append(member)
        continue
      }
      if seen.insert(MatchKey(value)).inserted { kept.append(member) }
    }
    return kept
  }
}

extension Value {
  fileprivate var isNaN: Bool {
    switch self {
    case .double(let double): double.isNaN
    case .decimal(let decimal): decimal.isNaN
    default: false
    }
  }
}
