import FederatedModel
import FederatedStore
import Foundation
import Testing

@testable import FederatedSQLiteStore

/// A store with the few questions that tests ask again and again.
struct SQLiteFileUnderTest {
  let store: SQLiteStore
  var model: ManagedObjectModel { self.store.model }

  init(
    _ url: URL, _ model: ManagedObjectModel, configuration: String? = nil, readOnly: Bool = false,
    mapping: SQLiteMapping? = nil
  ) throws {
    var description = PersistentStoreDescription(
      .sqlite, at: url, configuration: configuration, readOnly: readOnly)
    // Files of the original framework carry hashes that cannot be computed here.
    description.ignoresModelVersion = true
    description.mapping = mapping
    self.store = try SQLiteStore(description, model, busyMilliseconds: 200)
  }

  func entity(_ name: String) throws -> Entity { try #require(self.model.entity(named: name)) }

  func query(_ entity: String, where format: String? = nil, sort: FetchSortDescriptor...) throws -> StoreQuery
  {
    let entity = try self.entity(entity)
    var query = StoreQuery(entity: entity.id)
    if let format { query.predicate = try FetchPredicate(format: format).bound(to: entity, in: self.model) }
    query.order = try sort.map { try $0.bound(to: entity, in: self.model) }
    return query
  }

  func rows(_ query: StoreQuery) throws -> RowSet {
    let scope = try self.store.beginRead()
    defer { scope.end() }
    guard case .rows(let rows) = try scope.run(query) else { throw Mismatch() }
    return rows
  }

  func rows(_ entity: String, where format: String? = nil) throws -> RowSet {
    try self.rows(try self.query(entity, where: format))
  }

  func count(_ query: StoreQuery) throws -> Int {
    var query = query
    query.shape = .count
    let scope = try self.store.beginRead()
    defer { scope.end() }
    guard case .count(let count) = try scope.run(query) else { throw Mismatch() }
    return count
  }

  func explanation(_ query: StoreQuery) throws -> StoreExplanation {
    let scope = try self.store.beginRead()
    defer { scope.end() }
    return try scope.explain(query)
  }

  func related(_ entity: String, _ relationship: String, _ owners: [Int64]) throws -> [[Int64]] {
    let relationship = try #require(self.entity(entity).relationship(named: relationship))
    let scope = try self.store.beginRead()
    defer { scope.end() }
    let rows = try scope.related(relationship.id, of: owners)
    return owners.indices.map { rows[$0].map(\.reference) }
  }

  /// The value of a stored property.
  func value(_ row: Snapshot, _ property: String) throws -> Value {
    let column = try #require(row.block.layout.column(named: property))
    return row.value(column.slot, column.kind, store: self.store.id)
  }

  func texts(_ rows: some Sequence<Snapshot>, _ property: String) throws -> [String?] {
    try rows.map { row in
      if case .string(let text) = try self.value(row, property) { text } else { nil }
    }
  }

  struct Mismatch: Error {}
}
