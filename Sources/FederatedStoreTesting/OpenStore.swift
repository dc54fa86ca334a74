public import FederatedModel
public import FederatedStore

/// An open store and its model, with short ways to ask and to save.
public struct OpenStore {
  public let store: any PersistentStore
  public let model: ManagedObjectModel

  public init(_ store: any PersistentStore, _ model: ManagedObjectModel) {
    self.store = store
    self.model = model
  }

  public func entity(_ name: String) -> Entity {
    guard let entity = self.model.entity(named: name) else { preconditionFailure("no entity \(name)") }
    return entity
  }

  public func relationship(_ entity: String, _ name: String) -> RelationshipID {
    guard let relationship = self.entity(entity).relationship(named: name) else {
      preconditionFailure("\(entity) has no relationship \(name)")
    }
    return relationship.id
  }

  /// A stored attribute, bound to its entity.
  public func attribute(_ entity: String, _ name: String) -> BoundAttribute {
    guard let attribute = self.entity(entity).attribute(named: name), let slot = attribute.slot else {
      preconditionFailure("\(entity) has no stored attribute \(name)")
    }
    return BoundAttribute(name: name, entity: self.entity(entity).id, slot: slot, type: attribute.type)
  }

  /// A query over an entity.
  public func query(_ entity: String) -> StoreQuery { StoreQuery(entity: self.entity(entity).id) }

  /// A query over an entity, narrowed.
  public func query(_ entity: String, _ edit: (inout StoreQuery) throws -> Void) rethrows -> StoreQuery {
    var query = self.query(entity)
    try edit(&query)
    return query
  }

  /// Runs a query in a scope of its own.
  public func run(_ query: StoreQuery) throws -> StoreAnswer {
    let scope = try self.store.beginRead()
    defer { scope.end() }
    return try scope.run(query)
  }

  public func rows(_ query: StoreQuery) throws -> RowSet {
    guard case .rows(let rows) = try self.run(query) else {
      throw ConformanceFailure(
        detail: "a query for rows was not answered with rows", file: #fileID, line: #line)
    }
    return rows
  }

  /// The row as the store has it now.
  public func row(_ identity: RowIdentity) throws -> Snapshot? {
    var query = StoreQuery(entity: identity.entity)
    query.references = [identity.reference]
    query.includesSubentities = false
    return try self.rows(query).first
  }

  public func related(_ relationship: RelationshipID, of owners: RowIdentity...) throws -> [[RowIdentity]] {
    let scope = try self.store.beginRead()
    defer { scope.end() }
    let related = try scope.related(relationship, of: owners.map(\.reference))
    return owners.indices.map { Array(related[$0]) }
  }

  /// A value of a row by name, boxed.
  public func value(_ row: Snapshot, _ name: String) -> Value {
    guard let column = self.model[row.entity].layout.column(named: name) else { return .null }
    return row.value(column.slot, column.kind, store: self.store.id)
  }

  /// Prepares and commits what the editor gathered.
  public func save(_ editor: StoreEditor) throws {
    try self.store.prepare(editor.changes(), save: SaveIdentifier()).commit()
  }

  public func edit() -> StoreEditor { StoreEditor(self) }
}
