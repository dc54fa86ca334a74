import FederatedModel
import Foundation

/// Walks key paths through objects, lists and collection operators.
enum KeyPathWalk {
  static func value(of operand: PredicateOperand, _ keys: ArraySlice<String>) throws -> Value {
    guard let key = keys.first else { return self.boxed(operand) }
    let rest = keys.dropFirst()
    switch operand {
    case .value(.null): return .null
    case .value(let value): throw self.unknownKey(key, in: "\(value)")
    case .subject(let subject):
      return try self.value(of: try subject.operand(forKey: key), rest)
    case .collection(let elements, _):
      if key.hasPrefix("@") { return try self.operated(elements, key, rest) }
      return .list(try elements.map { try self.value(of: $0, keys) })
    }
  }

  private static func boxed(_ operand: PredicateOperand) -> Value {
    switch operand {
    case .value(let value): value
    case .subject(let subject): subject.predicateIdentity.map(Value.object) ?? .null
    case .collection(let elements, _): .list(elements.map(self.boxed))
    }
  }

  private static func unknownKey(_ key: String, in place: String) -> ManagedObjectError {
    ManagedObjectError(.unknownProperty, property: key, "\(place) has no such key")
  }

  private static func operated(
    _ elements: [PredicateOperand], _ name: String, _ keys: ArraySlice<String>
  ) throws -> Value {
    guard let `operator` = CollectionOperator(rawValue: name) else {
      throw ManagedObjectError(.unknownProperty, property: name, "there is no such collection operator")
    }
    if `operator` == .count { return .int(Int64(elements.count)) }
    let values = try elements.map { try self.value(of: $0, keys) }
    let known = values.filter { !$0.isNull }
    switch `operator` {
    case .count: return .int(Int64(elements.count))
    case .sum: return try Numbers(known, name).sum
    case .average: return try Numbers(known, name).average
    case .minimum: return try self.extreme(known) { $0 < 0 }
    case .maximum: return try self.extreme(known) { $0 > 0 }
    case .unionOfObjects: return .list(known)
    case .distinctUnionOfObjects: return .list(self.distinct(known))
    case .unionOfArrays: return .list(known.flatMap(self.elements))
    case .distinctUnionOfArrays, .distinctUnionOfSets:
      return .list(self.distinct(known.flatMap(self.elements)))
    }
  }

  private static func elements(_ value: Value) -> [Value] {
    if case .list(let elements) = value { elements } else { [value] }
  }

  private static func distinct(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }

  private static func extreme(_ values: [Value], _ isBetter: (Int) -> Bool) throws -> Value {
    guard var best = values.first else { return .null }
    for value in values.dropFirst() {
      guard let order = try value.order(best) else { continue }
      if isBetter(order) { best = value }
    }
    return best
  }

  /// Numbers to be added up: exactly while none of them is a double.
  private struct Numbers {
    var decimals: Decimal = 0
    var doubles: Double = 0
    var hasDouble = false
    var allIntegers = true
    let count: Int

    init(_ values: [Value], _ operation: String) throws {
      self.count = values.count
      for value in values {
        switch value {
        case .int(let number): self.decimals += Decimal(number)
        case .bool(let flag): self.decimals += flag ? 1 : 0
        case .decimal(let number):
          self.decimals += number
          self.allIntegers = false
        case .double(let number):
          self.doubles += number
          self.hasDouble = true
        default:
          throw PredicateError(.predicateTypeMismatch, subject: operation, "\(value) is no number")
        }
      }
    }

    var sum: Value {
      if self.hasDouble { return .double(self.doubles + NSDecimalNumber(decimal: self.decimals).doubleValue) }
      if self.allIntegers, let whole = Int64(self.decimals.description) { return .int(whole) }
      return .decimal(self.decimals)
    }

    var average: Value {
      if self.count == 0 { return .null }
      if self.hasDouble {
        let total = self.doubles + NSDecimalNumber(decimal: self.decimals).doubleValue
        return .double(total / Double(self.count))
      }
      let average = self.decimals / Decimal(self.count)
      return self.allIntegers ? .double(NSDecimalNumber(decimal: average).doubleValue) : .decimal(average)
    }
  }
}
