extension FetchSortDescriptor {
  /// Resolves the key against an entity: to-one relationships, then an attribute that has an order.
  /// - Throws: ``FetchPredicateError`` for an unknown, transient, fetched, to-many or unordered key.
  public func bound(to entity: Entity, in model: ManagedObjectModel) throws(FetchPredicateError) -> BoundSort
  {
    if let link = self.link {
      throw FetchPredicateError(
        .keyPathNotFetchable, entity: entity.name, subject: "\(link).\(self.key)",
        "a sort key through a fetched property is judged by the fetch of a context alone")
    }
    let keys = self.key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let binder = PredicateBinder(entity: entity, model: model)
    let (steps, _) = try binder.steps(keys, from: .object(entity.id))
    for step in steps.dropLast() { try self.requireToOne(step, of: entity) }
    switch steps.last {
    case .attribute(let attribute): try self.requireOrder(of: attribute, of: entity)
    case .identity: break
    case .toOne:
      throw FetchPredicateError(
        .predicateTypeMismatch, entity: entity.name, subject: self.key,
        "is an object, which has no order: sort by one of its attributes")
    default:
      try steps.last.map { step throws(FetchPredicateError) in try self.requireToOne(step, of: entity) }
    }
    return BoundSort(
      steps: steps, ascending: self.ascending, comparison: self.comparison, comparator: self.comparator)
  }

  /// Prepares the key for subjects that have no entity.
  public func boundToKeys() throws(FetchPredicateError) -> BoundSort {
    let keys = self.key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let (steps, _) = try PredicateBinder(entity: nil, model: nil).steps(keys, from: .unknown)
    return BoundSort(
      steps: steps, ascending: self.ascending, comparison: self.comparison, comparator: self.comparator)
  }

  private func requireToOne(_ step: BoundStep, of entity: Entity) throws(FetchPredicateError) {
    switch step {
    case .toOne, .identity: return
    case .toMany(let relationship):
      throw FetchPredicateError(
        .toManyKeyNeedsModifier, entity: entity.name, subject: self.key,
        "\(relationship.name) has many values: a sort key leads through to-one relationships only")
    default:
      throw FetchPredicateError(
        .unsupportedConstruct, entity: entity.name, subject: self.key,
        "a sort key leads through to-one relationships to an attribute")
    }
  }

  private func requireOrder(of attribute: BoundAttribute, of entity: Entity) throws(FetchPredicateError) {
    if case .transformable = attribute.type {
      throw FetchPredicateError(
        .predicateTypeMismatch, entity: entity.name, subject: self.key,
        "a transformable attribute has no order")
    }
  }
}
