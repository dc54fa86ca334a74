import FederatedModel

extension BoundPredicate {
  /// Whether an object matches, by the values that it has now.
  func holds(for object: ManagedObject) throws -> Bool {
    throw PredicateError(
      .unsupportedConstruct, subject: "pending changes",
      "a fetch among unsaved objects is not there yet; save first")
  }
}

/// The order that sort keys give objects, by the values that they have now.
struct ObjectOrder {
  let sorts: [BoundSort]

  func areInIncreasingOrder(_ a: ManagedObject, _ b: ManagedObject) throws -> Bool {
    throw PredicateError(
      .unsupportedConstruct, subject: "pending changes",
      "a fetch among unsaved objects is not there yet; save first")
  }
}
