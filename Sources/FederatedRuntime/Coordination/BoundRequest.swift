package import FederatedModel
package import FederatedStore

/// A request whose keys and constants are resolved: what a context asks its parent.
package struct BoundRequest: Sendable, Hashable {
  package var entity: EntityID
  package var includesSubentities = true
  package var predicate: BoundPredicate?
  package var order: [BoundSort] = []
  package var offset = 0
  /// Nil is no limit.
  package var limit: Int?
  /// Only rows that match one of these keys; nil for all.
  package var keys: LinkKeys?
  /// The stores to ask; nil asks every store that holds the entity.
  package var stores: [StoreID]?

  package init(_ entity: EntityID, where predicate: BoundPredicate? = nil, order: [BoundSort] = []) {
    self.entity = entity
    self.predicate = predicate
    self.order = order
  }

  /// The same question for one store.
  func query(_ shape: StoreQuery.Shape) -> StoreQuery {
    var query = StoreQuery(entity: self.entity, shape: shape)
    query.includesSubentities = self.includesSubentities
    query.predicate = self.predicate
    query.keys = self.keys
    query.order = self.order
    query.offset = self.offset
    query.limit = self.limit
    return query
  }

  /// The question for one store of several: enough of its first rows to cut the window from afterwards.
  func queryForMerge(_ shape: StoreQuery.Shape) -> StoreQuery {
    var query = self.query(shape)
    query.offset = 0
    query.limit = self.limit?.addingWithoutOverflow(self.offset)
    return query
  }
}
