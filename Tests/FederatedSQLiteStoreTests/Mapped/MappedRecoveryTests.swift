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

  @Test(
    "a deleted row of a text key is known to be gone, and its pairs with it, by a process that never saw it")
  func deleted() throws {
    let file = try self.shop.open()
    var edit = SQLiteEditor(file)
    let red = try #require(try file.rows("Label", where: "name == 'red'").first)
    for line in try file.rows("Line", where: "ANY labels.name == 'red'") {
      try edit.link("Line", "labels", of: RowIdentity(line), remove: [RowIdentity(red)])
    }
    edit.delete(red)
    let changes = SealedChanges(save: SaveIdentifier(isJoint: true), changes: edit.finished())
    for _ in 0..<2 {
      try self.shop.open().store.recover(changes)
      #expect(try self.shop.texts("SELECT name FROM label ORDER BY 1") == ["blue"])
      #expect(try self.shop.texts("SELECT label FROM line_label") == ["blue"])
    }
  }

  @Test("a row that takes the place of a deleted one of its key is brought in once")
  func replaced() throws {
    let file = try self.shop.open()
    var edit = SQLiteEditor(file)
    let blue = try #require(try file.rows("Label", where: "name == 'blue'").first)
    edit.delete(blue)
    var changes = edit.finished()
    let label = try file.entity("Label")
    var block = RowBlockBuilder(layout: label.layout)
    block.beginRow(reference: blue.reference, version: 1)
    for (name, value) in ["name": Value.string("blue"), "weight": .int(9)] {
      let column = try #require(label.layout.column(named: name))
      _ = block.set(value, at: column.slot, column.kind)
    }
    changes.inserted.append(block.finish())
    let sealed = SealedChanges(save: SaveIdentifier(isJoint: true), changes: changes)
    for _ in 0..<2 {
      try self.shop.open().store.recover(sealed)
      #expect(
        try self.shop.texts("SELECT name || ' ' || weight FROM label ORDER BY 1") == ["blue 9", "red 1"])
    }
    try self.shop.run("UPDATE label SET weight = 5 WHERE name = 'blue'")
    #expect {
      try self.shop.open().store.recover(sealed)
    } throws: { ($0 as? StoreError)?.rows == [RowIdentity(blue)] }
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
