public import FederatedModel

/// An object in a predicate stands for its identifier.
extension ManagedObject: PredicateArgument {
  public final var predicateArgument: Value { .object(self.objectID) }
}
