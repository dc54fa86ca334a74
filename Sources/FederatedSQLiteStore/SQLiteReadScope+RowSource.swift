internal import FederatedModel
internal import FederatedStore

/// Rows for what is finished in memory.
extension SQLiteReadScope: RowSource {
  var model: ManagedObjectModel { self.sqlite.model }

  func row(_ identity: RowIdentity) throws(StoreError) -> Snapshot? {
    guard let place = self.sqlite.layout[identity.entity] else { return nil }
    var query = StoreQuery(entity: identity.entity)
    query.includesSubentities = false
    query.references = [identity.reference]
    let plan = self.sqlite.plan(of: query, place)
    let select = self.sqlite.compiler.compile(query, place, .rows(plan))
    // A reference that stands for no key of the file.
    if select.isNever { return nil }
    return try self.rows(select, plan).first
  }

  func related(_ relationship: BoundRelationship, of owner: RowIdentity) throws(StoreError) -> [RowIdentity] {
    let id = self.sqlite.model[relationship.entity].relationships[relationship.index].id
    return try Array(self.destinations(id, of: [owner.reference])[0])
  }
}
