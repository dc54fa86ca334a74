import FederatedModel
import FederatedStore
import Foundation
import Testing

@testable import FederatedSQLiteStore

/// Gathers a save by names.
struct SQLiteEditor {
  let file: SQLiteFileUnderTest
  private var inserted: [EntityID: RowBlockBuilder] = [:]
  private var order: [EntityID] = []
  var changes = ChangeSet()

  init(_ file: SQLiteFileUnderTest) { self.file = file }

  /// A new row; values by property name, a to-one as the identity of its destination.
  @discardableResult
  mutating func insert(
    _ entity: String, _ values: [String: Value] = [:], _ links: [String: RowIdentity] = [:]
  ) throws
    -> RowIdentity
  {
    let entity = try self.file.entity(entity)
    let reference = try self.file.store.reserveReferences(for: entity.id, count: 1).lowerBound
    if self.inserted[entity.id] == nil {
      self.inserted[entity.id] = RowBlockBuilder(layout: entity.layout)
      self.order.append(entity.id)
    }
    self.inserted[entity.id]!.beginRow(reference: reference, version: 1)
    try Self.set(&self.inserted[entity.id]!, entity, values, links)
    return RowIdentity(entity: entity.id, reference: reference)
  }

  mutating func update(
    _ row: Snapshot, _ values: [String: Value] = [:], _ links: [String: RowIdentity?] = [:]
  ) throws {
    let entity = self.file.model[row.entity]
    var before = RowBlockBuilder(layout: entity.layout)
    before.copyRow(row, reference: row.reference, version: row.version)
    var after = RowBlockBuilder(layout: entity.layout)
    after.copyRow(row, reference: row.reference, version: row.version + 1)
    try Self.set(&after, entity, values, links.compactMapValues(\.self))
    for (name, link) in links where link == nil {
      after.setNull(at: try #require(entity.layout.column(named: name)).slot)
    }
    self.changes.updated.append(UpdatedRows(before: before.finish(), after: after.finish()))
  }

  mutating func delete(_ row: Snapshot) {
    var block = RowBlockBuilder(layout: row.block.layout)
    block.copyRow(row, reference: row.reference, version: row.version)
    self.changes.deleted.append(block.finish())
  }

  mutating func link(
    _ entity: String, _ name: String, of owner: RowIdentity, add: [RowIdentity] = [],
    remove: [RowIdentity] = [],
    order: [RowIdentity]? = nil
  ) throws {
    let relationship = try #require(self.file.entity(entity).relationship(named: name))
    self.changes.links.append(
      LinkChange(relationship: relationship.id, owner: owner, added: add, removed: remove, order: order))
  }

  private static func set(
    _ rows: inout RowBlockBuilder, _ entity: Entity, _ values: [String: Value], _ links: [String: RowIdentity]
  ) throws {
    for (name, value) in values {
      let column = try #require(entity.layout.column(named: name))
      let isSet = rows.set(value, at: column.slot, column.kind)
      #expect(isSet)
    }
    for (name, link) in links {
      let column = try #require(entity.layout.column(named: name))
      rows.set(reference: link.reference, entity: link.entity, at: column.slot)
    }
  }

  mutating func finished() -> ChangeSet {
    for entity in self.order { self.changes.inserted.append(self.inserted[entity]!.finish()) }
    self.order = []
    self.inserted = [:]
    return self.changes
  }

  mutating func save() throws {
    let changes = self.finished()
    try self.file.store.prepare(changes, save: SaveIdentifier()).commit()
    self.changes = ChangeSet()
  }
}
