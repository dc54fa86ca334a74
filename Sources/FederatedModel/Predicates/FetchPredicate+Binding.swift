extension FetchPredicate {
  /// Resolves every key against an entity: done once, before any store is asked.
  /// - Throws: ``FetchPredicateError`` for a key that the entity does not have or no store holds, a comparison that
  ///   has no answer, a variable without a value, a pattern that does not compile.
  public func bound(to entity: Entity, in model: ManagedObjectModel) throws(FetchPredicateError)
    -> BoundPredicate
  {
    var binder = PredicateBinder(entity: entity, model: model)
    return try binder.bind(self)
  }

  /// Prepares a predicate for subjects that have no entity, such as dictionaries: keys stay names, and what
  /// they mean is asked of each subject.
  public func boundToKeys() throws(FetchPredicateError) -> BoundPredicate {
    var binder = PredicateBinder(entity: nil, model: nil)
    return try binder.bind(self)
  }
}

extension FetchExpression {
  /// As ``FetchPredicate/bound(to:in:)``.
  public func bound(to entity: Entity, in model: ManagedObjectModel) throws(FetchPredicateError)
    -> BoundExpression
  {
    var binder = PredicateBinder(entity: entity, model: model)
    return try binder.bind(self).expression
  }

  /// As ``FetchPredicate/boundToKeys()``.
  public func boundToKeys() throws(FetchPredicateError) -> BoundExpression {
    var binder = PredicateBinder(entity: nil, model: nil)
    return try binder.bind(self).expression
  }
}
