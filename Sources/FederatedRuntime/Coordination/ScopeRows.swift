import FederatedModel
import FederatedStore

/// The rows of one store as a sort key's path finds them: asked for once each, and many at a time ahead of use.
final class ScopeRows: RowSource {
  let model: ManagedObjectModel
  let store: StoreID
  private let scope: any ReadScope
  /// Who notes what is asked, and as whose answer.
  private let listener: (recorder: ReadRecorder, store: any PersistentStore)?
  private var rows: [RowIdentity: Snapshot] = [:]

  init(
    _ scope: any ReadScope, of store: StoreID, _ model: ManagedObjectModel,
    _ listener: (recorder: ReadRecorder, store: any PersistentStore)? = nil
  ) {
    self.listener = listener
    self.scope = scope
    self.store = store
    self.model = model
  }

  func row(_ identity: RowIdentity) throws(StoreError) -> Snapshot? {
    if let row = self.rows[identity] { return row }
    try self.load([identity])
    return self.rows[identity]
  }

  func related(_ relationship: BoundRelationship, of owner: RowIdentity) throws(StoreError) -> [RowIdentity] {
    let relationship = self.model[relationship.entity].relationships[relationship.index]
    return Array(try self.scope.related(relationship.id, of: [owner.reference])[0])
  }

  /// Loads what the to-one steps of sort keys lead to from these rows: one query for each step.
  func prefetch(_ order: [BoundSort], from rows: RowSet) throws(StoreError) {
    try self.prefetch(order.map(\.steps), from: rows)
  }

  /// Loads what the to-one steps at the beginning of paths lead to from these rows: one query for each step, which
  /// paths share. The last step of a path is not followed.
  func prefetch(_ paths: [[BoundStep]], from rows: RowSet) throws(StoreError) {
    for path in paths {
      var current = Array(rows)
      for step in path.dropLast() {
        guard case .toOne(let relationship) = step else { break }
        let identities = Set(
          current.compactMap { row in row.destination(relationship.slot).map(RowIdentity.init) })
        try self.load(identities.filter { self.rows[$0] == nil })
        current = identities.compactMap { self.rows[$0] }
      }
    }
  }

  private func answer(_ query: StoreQuery) throws(StoreError) -> StoreAnswer {
    guard let listener = self.listener else { return try self.scope.run(query) }
    return try listener.recorder.run(
      query, of: self.model[query.entity].name, in: listener.store, self.scope)
  }

  private func load(_ identities: some Collection<RowIdentity>) throws(StoreError) {
    let groups = Dictionary(grouping: identities) { self.model[$0.entity].root }
    for (root, members) in groups {
      var query = StoreQuery(entity: root)
      query.references = members.map(\.reference)
      guard case .rows(let rows) = try self.answer(query) else { continue }
      for row in rows { self.rows[RowIdentity(row)] = row }
    }
  }
}

extension RowIdentity {
  fileprivate init(_ destination: (reference: Int64, entity: EntityID)) {
    self.init(entity: destination.entity, reference: destination.reference)
  }
}
