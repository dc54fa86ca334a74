import FederatedModel

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
    return try `operator`.combine(try elements.map { try self.value(of: $0, keys) })
  }
}
