import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

@Suite("Files of others: saving")
struct MappedSavingTests {
  let shop: ForeignShop
  let file: SQLiteFileUnderTest

  init() throws {
    self.shop = try ForeignShop()
    self.file = try self.shop.open()
  }

  private func date(_ seconds: Double) -> Value { .date(Date(timeIntervalSince1970: seconds)) }

  private func row(_ entity: String, _ text: String) throws -> Snapshot {
    var query = try self.file.query(entity)
    query.references = [try #require(self.file.store.reference(fromText: text))]
    return try #require(try self.file.rows(query).first)
  }

  @Test("a new row is written in the file's own formats, and nil is left to the columns' defaults")
  func inserting() throws {
    var edit = SQLiteEditor(self.file)
    let group = RowIdentity(try self.row("Group", "A"))
    let order = try edit.insert(
      "Order",
      [
        "placed": self.date(1_600_000_000), "isPaid": .bool(true), "price": .decimal(Decimal(string: "2.5")!),
        "exact": .decimal(Decimal(string: "0.30")!),
        "token": .uuid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!),
        "tag": .uuid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!),
        "julian": self.date(1_577_836_800),
        "millis": self.date(1_600_000_000.5), "iso": self.date(1_600_000_000), "big": .int(7),
        "digits": .int(12),
      ], ["group": group])
    #expect(order.reference == 6)
    try edit.save()
    let columns = [
      "placed", "paid", "price", "exact", "token", "tag", "julian", "ms", "iso", "big", "digits", "group",
    ]
    let texts = try columns.map { column in
      try self.shop.texts(
        "SELECT typeof(\"\(column)\") || ' ' || quote(\"\(column)\") FROM \"order\" WHERE id = 6")[0]
    }
    #expect(
      texts == [
        "integer 1600000000", "text 'Y'", "real 2.5", "text '0.3'",
        "blob X'00112233445566778899AABBCCDDEEFF'",
        "text '00112233-4455-6677-8899-AABBCCDDEEFF'", "real 2458849.5", "integer 1600000000500",
        "text '2020-09-13 12:26:40'", "integer 7", "text '12'", "text 'A'",
      ])
    #expect(try self.file.rows("Order", where: "group.code == 'A'").map(\.reference) == [1, 6])
  }

  @Test("a row is changed in its changed columns only; what is derived is left alone")
  func updating() throws {
    var edit = SQLiteEditor(self.file)
    let row = try #require(try self.file.rows("Order").first)
    try edit.update(row, ["price": .decimal(4)], ["group": nil])
    try edit.save()
    #expect(
      try self.shop.texts(
        "SELECT price || ' ' || ifnull(\"group\", 'none') || ' ' || iso || ' ' || exact FROM \"order\" WHERE id = 1"
      )
        == ["4 none 2020-01-01 00:00:00 0.10"])
    let again = try #require(try self.file.rows("Order").first)
    #expect(try self.file.value(again, "total") == .double(8))
  }

  @Test("a row that another program changed or removed is a conflict, and nothing is written")
  func conflicts() throws {
    let rows = try self.file.rows("Order")
    try self.shop.run("UPDATE \"order\" SET note = 'other' WHERE id = 1; DELETE FROM \"order\" WHERE id = 5")
    for (index, entity) in [(0, "order 1"), (2, "order 5")] {
      var edit = SQLiteEditor(self.file)
      try edit.update(rows[index], ["price": .decimal(9)])
      #expect(throws: StoreError.self, "\(entity)") { try edit.save() }
      var deletion = SQLiteEditor(self.file)
      deletion.delete(rows[index])
      #expect(throws: StoreError.self, "\(entity)") { try deletion.save() }
    }
    #expect(try self.shop.texts("SELECT price FROM \"order\" ORDER BY id") == ["1.5", "7"])
  }

  @Test("a column that is written in another way, and means the same, is no conflict")
  func sameMeaning() throws {
    let row = try #require(try self.file.rows("Order").first)
    try self.shop.run("UPDATE \"order\" SET exact = '0.1', iso = '2020-01-01T01:00:00+01:00' WHERE id = 1")
    var edit = SQLiteEditor(self.file)
    try edit.update(row, ["price": .decimal(9)])
    try edit.save()
    #expect(try self.shop.texts("SELECT price FROM \"order\" WHERE id = 1") == ["9"])
  }

  @Test("pairs and their order are written into the file's own table")
  func pairs() throws {
    var edit = SQLiteEditor(self.file)
    let line = RowIdentity(try self.row("Line", "#1,#2"))
    let (red, blue) = (RowIdentity(try self.row("Label", "red")), RowIdentity(try self.row("Label", "blue")))
    try edit.link("Line", "labels", of: line, add: [blue, red], order: [blue, red])
    try edit.save()
    #expect(
      try self.shop.texts("SELECT label FROM line_label WHERE o = 1 AND n = 2 ORDER BY pos") == [
        "blue", "red",
      ])
    var removal = SQLiteEditor(self.file)
    try removal.link("Line", "labels", of: line, remove: [blue], order: [red])
    try removal.save()
    #expect(try self.shop.texts("SELECT label FROM line_label WHERE o = 1 AND n = 2") == ["red"])
  }

  @Test(
    "a constraint of the file is an error that names it, and nothing is written",
    arguments: [
      ("Group", ["code": .string("Z")], StoreError.Code.violatedConstraint, "NOT NULL constraint failed"),
      (
        "Label", ["name": .string("red"), "weight": .int(1)], .duplicateKey,
        "UNIQUE constraint failed: label.name"
      ),
      (
        "Label", ["name": .string("green"), "weight": .int(0)], .violatedConstraint, "CHECK constraint failed"
      ),
    ] as [(String, [String: Value], StoreError.Code, String)])
  func constraints(entity: String, values: [String: Value], code: StoreError.Code, text: String) throws {
    let before = try self.shop.texts(
      "SELECT name FROM label UNION ALL SELECT title FROM \"Gruppe \"\"ä\"\"\"")
    let keys = self.file.store.keyAttributes(of: try self.file.entity(entity).id) ?? []
    let references = try self.file.store.references(
      forKeys: [keys.map { values[$0.name] ?? .null }], of: try self.file.entity(entity).id)
    var block = RowBlockBuilder(layout: try self.file.entity(entity).layout)
    block.beginRow(reference: references[0], version: 1)
    for (name, value) in values {
      let column = try #require(try self.file.entity(entity).layout.column(named: name))
      _ = block.set(value, at: column.slot, column.kind)
    }
    var changes = ChangeSet()
    changes.inserted = [block.finish()]
    let saved = changes
    #expect {
      try self.file.store.prepare(saved, save: SaveIdentifier()).commit()
    } throws: { error in
      (error as? StoreError)?.code == code && "\(error)".contains(text)
    }
    #expect(
      try self.shop.texts("SELECT name FROM label UNION ALL SELECT title FROM \"Gruppe \"\"ä\"\"\"") == before
    )
  }

  @Test("a save leaves the file's schema as it is")
  func schema() throws {
    let schema = try self.shop.texts(
      "SELECT type || name || ifnull(sql, '') FROM sqlite_schema ORDER BY rowid")
    var edit = SQLiteEditor(self.file)
    try edit.insert("Order", ["digits": .int(1)])
    try edit.save()
    #expect(
      try self.shop.texts("SELECT type || name || ifnull(sql, '') FROM sqlite_schema ORDER BY rowid")
        == schema)
    #expect(try self.shop.texts("PRAGMA journal_mode") == ["delete"])
  }

  @Test(
    "a value that its column would not give back is refused",
    arguments: [
      ("millis", .date(Date(timeIntervalSince1970: 0.0001))),
      ("placed", .date(Date(timeIntervalSince1970: 1.5))),
      ("price", .decimal(Decimal(string: "0.12345678901234567890123")!)),
    ] as [(String, Value)])
  func unstorable(name: String, value: Value) throws {
    var edit = SQLiteEditor(self.file)
    try edit.insert("Order", [name: value])
    #expect {
      try edit.save()
    } throws: { error in
      (error as? StoreError)?.code == .unstorableValue && "\(error)".contains("Order.\(name)")
    }
  }

  @Test("rows of a view cannot be written, and the error says so")
  func view() throws {
    var edit = SQLiteEditor(self.file)
    let cheap = try #require(try self.file.rows("Cheap").first)
    try edit.update(cheap, ["amount": .double(1)])
    #expect {
      try edit.save()
    } throws: { ($0 as? StoreError)?.code == .readOnly && "\($0)".contains("cheap is a view") }
  }
}
