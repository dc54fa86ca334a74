import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// A file of others keeps no identifier of a save: its rows tell whether they have it.
@Suite("Files of others: recovering")
struct MappedRecoveryTests {
  let shop: ForeignShop

  init() throws { self.shop = try ForeignShop() }

  /// A save of a process that is gone: a new label, a pair, a changed order, a deleted one.
  private func changes() throws -> SealedChanges {
    let file = try self.shop.open()
    var edit = SQLiteEditor(file)
    let label = try file.entity("Label")
    let reference = try file.store.references(forKeys: [[.string("green")]], of: label.id)[0]
    var block = RowBlockBuilder(layout: label.layout)
    block.beginRow(reference: reference, version: 1)
    for (name, value) in ["name": Value.string("green"), "weight": .int(3)] {
      let column = try #require(label.layout.column(named: name))
      _ = block.set(value, at: column.slot, column.kind)
    }
    let orders = try file.rows("Order")
    let group = try #require(try file.rows("Group", where: "code == 'x,y'").first)
    try edit.update(orders[0], ["price": .decimal(9)], ["group": RowIdentity(group)])
    edit.delete(orders[2])
    let line = try #require(try file.rows("Line", where: "text == 'two'").first)
    let green = RowIdentity(entity: label.id, reference: reference)
    try edit.link("Line", "labels", of: RowIdentity(line), add: [green], order: [green])
    var changes = edit.finished()
    changes.inserted.append(block.finish())
    return SealedChanges(save: SaveIdentifier(isJoint: true), changes: changes)
  }

  private func contents() throws -> [String] {
    try self.shop.texts(
      """
      SELECT id || ' ' || price || ' ' || ifnull("group", '-') FROM "order"
      UNION ALL SELECT name || ' ' || weight FROM label
      UNION ALL SELECT o || ' ' || n || ' ' || label FROM line_label WHERE n = 2
      """)
  }

  private static let after = ["1 9 x,y", "2 7 7", "blue 2", "green 3", "red 1", "1 2 green"]

  @Test("a save that the rows lack is brought in, once, by a process that has seen none of the keys")
  func recovering() throws {
    let changes = try self.changes()
    for _ in 0..<2 {
      let file = try self.shop.open()
      try file.store.recover(changes)
      #expect(try self.contents().sorted() == Self.after.sorted())
    }
  }

  @Test("a row that is neither as before nor as after the save is a conflict, and nothing is written")
  func conflict() throws {
    let changes = try self.changes()
    try self.shop.run("UPDATE \"order\" SET price = 1 WHERE id = 5")
    let before = try self.contents()
    let file = try self.shop.open()
    #expect {
      try file.store.recover(changes)
    } throws: { ($0 as? StoreError)?.code == .conflict }
    #expect(try self.contents() == before)
  }

  @Test("metadata have no place in a file of others")
  func metadata() throws {
    let store = try self.shop.open().store
    let again = try self.shop.open(readOnly: true).store
    #expect(store.metadata.uuid == again.metadata.uuid)
    var metadata = store.metadata
    metadata.entries["x"] = .int(1)
    let changed = metadata
    #expect {
      try store.stageMetadata(changed)
    } throws: { ($0 as? StoreError)?.code == .unsupported }
  }
}
