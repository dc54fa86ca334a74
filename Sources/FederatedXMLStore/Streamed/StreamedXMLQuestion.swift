internal import FederatedModel
internal import FederatedStore

/// A query, and how a streamed document can answer it.
struct StreamedXMLQuestion {
  let query: StoreQuery
  /// The entities whose records may be in the answer.
  let entities: [EntityID]
  private let choice: NeededColumns
  private let answer: NeededColumns
  /// Whether it goes from row to row, so that no row can be judged by itself.
  let wantsTable: Bool
  /// Whether rows lead to entities with subentities: which of them it is stands at the destination.
  let namesSubentities: Bool

  init(_ query: StoreQuery, _ store: StreamedXMLStore) {
    self.query = query
    let entity = store.model[query.entity]
    self.entities = query.includesSubentities ? entity.family : [entity.id]
    self.choice = NeededColumns.ofChoice(query)
    self.answer = NeededColumns.ofAnswer(query)
    let columns = self.entities.flatMap { store.model[$0].layout.columns }.filter { $0.kind == .reference }
    let manifold = Set(
      columns.filter { $0.destination.map { store.model[$0].family.count > 1 } ?? false }.map(\.slot))
    let isOfRows = query.shape == .rows
    self.namesSubentities = isOfRows && !manifold.isEmpty
    let isElsewhere = self.entities.contains { store.plan.hasToOneToldElsewhere($0) }
    self.wantsTable =
      !self.answer.followed.isEmpty || !self.answer.destinations.isDisjoint(with: manifold)
      || (isElsewhere && (isOfRows || !self.answer.destinations.isEmpty))
  }

  /// What of the document a pass has to read.
  /// - Parameter keeps: whether chosen rows are kept by a collector, which makes the values that are left as text.
  func projection(keeps: Bool) -> XMLProjection {
    var projection = XMLProjection(self.entities)
    if self.query.shape != .rows { projection.slots = self.answer.slots.union(self.answer.destinations) }
    if self.choosesAll || !keeps { return projection }
    projection.judged = self.choice.slots
    return projection
  }

  /// Whether columns or groups of the answer name rows.
  var namesAnswer: Bool {
    !self.answer.destinations.isEmpty || self.query.shape.expressions.contains { $0.namesRow }
  }

  var choosesAll: Bool {
    self.query.predicate == nil && self.query.keys == nil && self.query.references == nil
  }

  /// The query that chooses rows, without order, window and shape.
  var choosing: StoreQuery {
    var query = StoreQuery(entity: self.query.entity)
    query.includesSubentities = self.query.includesSubentities
    query.predicate = self.query.predicate
    query.references = self.query.references
    query.keys = self.query.keys
    return query
  }

  /// What is left to do with the rows that were chosen.
  var arranging: StoreQuery {
    var query = self.query
    query.predicate = nil
    query.references = nil
    query.keys = nil
    return query
  }

  /// After how many chosen rows nothing more can belong to the answer; nil when the document has to be read whole.
  var enough: Int? {
    guard self.query.windowIsOfRows, !self.query.sorts else { return nil }
    let asked = self.query.references.map { Set($0).count }
    guard let reach = self.query.reach else { return asked }
    return min(reach, asked ?? .max)
  }

  /// The entities that have to be in memory for a question that goes from row to row.
  func tableEntities(_ store: StreamedXMLStore) -> [EntityID] {
    store.plan.connected(to: Set(self.entities).union(self.answer.followed))
  }
}

extension XMLMappingPlan {
  /// Whether a to-one of the entity is told at its other end alone.
  func hasToOneToldElsewhere(_ entity: EntityID) -> Bool {
    guard let number = self.recordByEntity[entity.index] else { return false }
    let own = Set(self.records[number].references.map(\.relationship.id))
    return self.model[entity].relationships.contains { relationship in
      guard relationship.slot != nil, !own.contains(relationship.id), let inverse = relationship.inverse
      else {
        return false
      }
      return self.references(inverse)
    }
  }

  /// Whether some record has the relationship as keys of its destinations.
  func references(_ relationship: RelationshipID) -> Bool {
    self.records.contains { $0.references.contains { $0.relationship.id == relationship } }
  }

  /// Whether some record has the destinations inside.
  func contains(_ relationship: RelationshipID) -> Bool {
    self.records.contains { $0.links.contains { $0.relationship.id == relationship } }
  }

  /// The entities and those whose records say something of them.
  func connected(to entities: Set<EntityID>) -> [EntityID] {
    var connected = Set<EntityID>()
    var next = entities
    while !next.isSubset(of: connected) {
      for entity in next { connected.formUnion(self.model[self.model[entity].root].family) }
      next = connected
      for record in self.records {
        let leads =
          record.links.contains { connected.contains($0.relationship.destination) }
          || record.references.contains {
            $0.relationship.inverse != nil && connected.contains($0.relationship.destination)
          }
        if leads { next.insert(record.entity.id) }
        if connected.contains(record.entity.id) {
          next.formUnion(record.links.map(\.relationship.destination))
        }
      }
    }
    return connected.sorted()
  }
}

extension BoundExpression {
  /// Whether the value is the row itself.
  fileprivate var namesRow: Bool {
    switch self {
    case .evaluatedObject, .path(.evaluatedObject, [.identity]): true
    default: false
    }
  }
}
