import FederatedModel
import FederatedStore

/// A request that is resolved for one context: names bound, and split into what stores are asked and what pending
/// changes are tested with.
struct ResolvedFetch {
  let request: FetchRequest
  let entity: Entity
  let predicate: BoundPredicate?
  let order: [BoundSort]
  let stores: [StoreID]?

  /// - Throws: ``ManagedObjectError`` or ``CoordinatorError`` for unknown names, ``FetchPredicateError`` for keys that
  ///   cannot be fetched by and for variables without a value.
  init(_ request: FetchRequest, in context: ManagedObjectContext) throws {
    guard let entity = context.model.entity(named: request.entityName) else {
      throw ManagedObjectError.unknownEntity(request.entityName, in: context.model)
    }
    guard request.fetchLimit >= 0, request.fetchOffset >= 0 else {
      throw ManagedObjectError(.invalidArgument, entity: entity.name, "limit and offset are not negative")
    }
    if let link = request.linkedConditions.first {
      throw ManagedObjectError(
        .unsupported, entity: entity.name, property: link.property,
        "linked conditions are judged by a context's fetch, count, identifiers and dictionaries alone")
    }
    self.request = request
    self.entity = entity
    if let variable = request.predicate?.freeVariables.min() {
      throw FetchPredicateError(
        .unboundVariable, entity: entity.name, subject: "$\(variable)",
        "the variable has no value; substitute it before the fetch")
    }
    self.predicate = try request.predicate?.bound(to: entity, in: context.model)
    self.order = try request.sortDescriptors.map { try $0.bound(to: entity, in: context.model) }
    self.stores = try request.affectedStores?.map { name in
      guard let store = context.coordinator.store(named: name) else {
        throw CoordinatorError(
          .unknownStore, store: name, entity: entity.name, "no attached store has this name")
      }
      return store.id
    }
    try ResolvedFetch.checkPrefetching(of: request, entity, in: context.model)
    try ResolvedFetch.checkColumns(of: request, entity, in: context.model)
  }

  /// Columns that are properties must be there, whatever the request answers.
  private static func checkColumns(
    of request: FetchRequest, _ entity: Entity, in model: ManagedObjectModel
  ) throws {
    for case .property(let path) in request.propertiesToFetch ?? [] {
      _ = try ColumnNames.property(path, of: entity, in: model)
    }
  }

  private static func checkPrefetching(
    of request: FetchRequest, _ entity: Entity, in model: ManagedObjectModel
  ) throws {
    for path in request.relationshipKeyPathsForPrefetching {
      var entity = entity
      for key in path.split(separator: ".") {
        guard let relationship = entity.relationship(named: String(key)) else {
          throw ManagedObjectError(
            .invalidArgument, entity: entity.name, property: String(key),
            "only relationships are prefetched with a request; use prefetch(_:for:) for fetched properties")
        }
        entity = model[relationship.destination]
      }
    }
  }

  /// The entities whose objects can be answered.
  var family: [EntityID] { self.request.includesSubentities ? self.entity.family : [self.entity.id] }

  /// What the parent is asked: the request's window, or enough of the first rows to cut it from after pending changes
  /// were laid over them.
  /// - Parameter overlay: nil when nothing is pending.
  func bound(under overlay: PendingOverlay?) -> BoundRequest {
    var bound = self.unwindowed(under: overlay)
    let limit = self.request.fetchLimit
    guard let overlay else {
      bound.offset = self.request.fetchOffset
      bound.limit = limit == 0 ? nil : limit
      return bound
    }
    // Each changed object takes at most one row out of the answer. Through a link even unchanged ones may move.
    if limit > 0, overlay.movesOnlyChanged {
      bound.limit = limit.addingWithoutOverflow(self.request.fetchOffset)
        .addingWithoutOverflow(overlay.changedCount)
    }
    return bound
  }

  /// What the parent is asked for everything, less what only this context can judge.
  func unwindowed(under overlay: PendingOverlay?) -> BoundRequest {
    let asked = overlay == nil ? self.predicate : overlay?.storedPredicate
    var bound = BoundRequest(self.entity.id, where: asked?.withoutTemporaries, order: self.order)
    bound.includesSubentities = self.request.includesSubentities
    bound.stores = self.stores
    return bound
  }

  /// The part of a whole answer that the request wants.
  func window<Element>(_ elements: [Element]) -> [Element] {
    let start = min(self.request.fetchOffset, elements.count)
    let limit = self.request.fetchLimit
    let end = limit == 0 ? elements.count : start + min(limit, elements.count - start)
    return start == 0 && end == elements.count ? elements : Array(elements[start..<end])
  }
}

extension BoundPredicate {
  /// The predicate with temporary identifiers replaced by ones of no store: they can match no stored row, and a
  /// store never sees them.
  var withoutTemporaries: BoundPredicate {
    switch self {
    case .constant: self
    case .comparison(var comparison):
      {
        comparison.left = comparison.left.withoutTemporaries
        comparison.right = comparison.right.withoutTemporaries
        return .comparison(comparison)
      }()
    case .and(let terms): .and(terms.map(\.withoutTemporaries))
    case .or(let terms): .or(terms.map(\.withoutTemporaries))
    case .not(let term): .not(term.withoutTemporaries)
    case .block(let bound): .block(BoundBlock(bound.block, bound.operands.map(\.withoutTemporaries)))
    }
  }
}

extension BoundExpression {
  fileprivate var withoutTemporaries: BoundExpression {
    switch self {
    case .constant(let value): .constant(value.withoutTemporaries)
    case .evaluatedObject, .variable: self
    case .path(let root, let steps): .path(root.withoutTemporaries, steps)
    case .index(let list, .at(let place)): .index(list.withoutTemporaries, .at(place.withoutTemporaries))
    case .index(let list, let index): .index(list.withoutTemporaries, index)
    case .function(let name, let arguments): .function(name, arguments.map(\.withoutTemporaries))
    case .aggregate(let elements): .aggregate(elements.map(\.withoutTemporaries))
    case .subquery(let list, let variable, let predicate):
      .subquery(list.withoutTemporaries, variable: variable, predicate.withoutTemporaries)
    case .conditional(let test, let yes, let no):
      .conditional(test.withoutTemporaries, yes.withoutTemporaries, no.withoutTemporaries)
    case .setOperation(let operation, let left, let right):
      .setOperation(operation, left.withoutTemporaries, right.withoutTemporaries)
    }
  }
}

extension Value {
  fileprivate var withoutTemporaries: Value {
    switch self {
    case .object(let id) where id.isTemporary:
      .object(ManagedObjectID(store: StoreID(.max), entity: id.entity, reference: id.reference))
    case .list(let values): .list(values.map(\.withoutTemporaries))
    default: self
    }
  }
}
