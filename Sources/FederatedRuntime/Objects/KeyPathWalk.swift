import FederatedModel

/// Walks key paths through objects, lists and collection operators.
enum KeyPathWalk {
  /// - Parameter computes: whether computed values take the place of stored ones on the way.
  static func value(
    of operand: PredicateOperand, _ keys: ArraySlice<String>, computes: Bool = true
  ) throws -> Value {
    guard let key = keys.first else { return self.boxed(operand) }
    let rest = keys.dropFirst()
    switch operand {
    case .value(.null): return .null
    case .value(let value): throw self.unknownKey(key, in: "\(value)")
    case .subject(let subject):
      if !computes, let object = subject as? ManagedObject {
        return try self.value(of: try object.storedOperand(forKey: key), rest, computes: false)
      }
      return try self.value(of: try subject.operand(forKey: key), rest, computes: computes)
    case .collection(let elements, _):
      if key.hasPrefix("@") { return try self.operated(elements, key, rest, computes: computes) }
      return .list(try elements.map { try self.value(of: $0, keys, computes: computes) })
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
    _ elements: [PredicateOperand], _ name: String, _ keys: ArraySlice<String>, computes: Bool
  ) throws -> Value {
    guard let `operator` = CollectionOperator(rawValue: name) else {
      throw ManagedObjectError(.unknownProperty, property: name, "there is no such collection operator")
    }
    if `operator` == .count { return .int(Int64(elements.count)) }
    return try `operator`.combine(try elements.map { try self.value(of: $0, keys, computes: computes) })
  }
}
