import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// Files that are new, read-only, damaged, locked away or something else.
@Suite struct FileTests {
  let folder: TemporaryFolder
  let url: URL

  init() throws {
    self.folder = try TemporaryFolder()
    self.url = self.folder.file("shop.sqlite")
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: self.folder.url.path(percentEncoded: false)).sorted()
  }

  /// A closed store with some rows.
  private func filled(_ count: Int = 3) throws {
    let shop = try SQLiteFileUnderTest(self.url, ShopModel.model)
    var edit = SQLiteEditor(shop)
    for index in 0..<count {
      try edit.insert("Order", ["count": .int(Int64(index)), "data": .data(Data(repeating: 7, count: 200))])
    }
    try edit.save()
    shop.store.close()
  }

  private func opening(readOnly: Bool = false, _ model: ManagedObjectModel = ShopModel.model) -> StoreError? {
    do throws(StoreError) {
      let description = PersistentStoreDescription(.sqlite, at: self.url, readOnly: readOnly)
      let store = try StoreType.sqlite.open(description, model)
      let scope = try store.beginRead()
      for entity in model.entities { _ = try scope.run(StoreQuery(entity: entity.id)) }
      return nil
    } catch { return error }
  }

  @Test("PS-29: an empty file becomes a new store")
  func emptyFile() throws {
    try Data().write(to: self.url)
    try self.filled()
    #expect(try SQLiteFileUnderTest(self.url, ShopModel.model).rows("Order").count == 3)
  }

  @Test("PS-17: a missing file opened read-only is an error, and none is made")
  func missingReadOnly() throws {
    #expect(self.opening(readOnly: true)?.code == .missingFile)
    #expect(try self.names() == [])
  }

  @Test("PS-18: an XML file is of another type")
  func xml() throws {
    try Data("<?xml version=\"1.0\"?>\n<database/>".utf8).write(to: self.url)
    let error = self.opening()
    #expect(error?.code == .typeMismatch)
    #expect(error?.code.legacyCode == 134010)
  }

  @Test("BR-93: text, a cut file and a zeroed page are typed errors")
  func damaged() throws {
    try Data("no database, just a longer piece of text in its place".utf8).write(to: self.url)
    #expect(self.opening()?.code == .malformed)
    try FileManager.default.removeItem(at: self.url)
    try self.filled(200)
    let whole = try Data(contentsOf: self.url)
    try whole.prefix(100).write(to: self.url)
    #expect(self.opening()?.code == .malformed)
    try whole.prefix(60).write(to: self.url)
    #expect(self.opening()?.code == .malformed)
    var refusals = 0
    for page in 1..<whole.count / 4096 {
      var damaged = whole
      damaged.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0, count: 4096))
      try damaged.write(to: self.url)
      if let error = self.opening() {
        #expect(
          [.malformed, .typeMismatch, .incompatibleModel].contains(error.code), "page \(page): \(error)")
      }
      refusals += self.opening() == nil ? 0 : 1
    }
    #expect(refusals > 3)
  }

  @Test("a database of other tables is of another type, and the error names them")
  func otherDatabase() throws {
    let connection = try DatabaseFile(self.url, readOnly: false).writer(creating: true)
    try connection.execute("CREATE TABLE track (id INTEGER PRIMARY KEY, title TEXT)")
    let error = self.opening()
    #expect(error?.code == .typeMismatch)
    #expect(error?.detail.contains("TRACK") == true)
  }

  @Test("a missing table, column or entity names itself")
  func missingColumn() throws {
    try self.filled()
    let writer = try DatabaseFile(self.url, readOnly: false).writer()
    try writer.execute("ALTER TABLE ZORDER DROP COLUMN ZWEIGHT")
    let error = self.opening()
    #expect(error?.code == .incompatibleModel)
    #expect(error?.description.contains("ZORDER, ZWEIGHT: there is no such column for Order.weight") == true)
    try writer.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Order'")
    #expect(self.opening()?.detail.contains("no entity Order") == true)
  }

  @Test(
    "a cell of another kind is an error that names it, never a zero",
    arguments: [
      ("ZCOUNT", "'abc'"), ("ZCOUNT", "1.5"), ("ZCOUNT", "x'00'"), ("ZISOPEN", "'x'"), ("ZWEIGHT", "'abc'"),
      ("ZPARTY", "'x'"), ("ZPARTY", "1e300"), ("ZPAGE", "x'00'"),
    ])
  func mistypedCell(column: String, value: String) throws {
    try self.filled()
    try DatabaseFile(self.url, readOnly: false).writer()
      .execute("UPDATE ZORDER SET \(column) = \(value) WHERE Z_PK = 2")
    let error = self.opening()
    #expect(error?.code == .unreadableValue)
    #expect(error?.description.contains("ZORDER, row 2, \(column)") == true)
  }

  @Test("a table whose keys are used up refuses new rows")
  func lastNumbers() throws {
    try self.filled()
    let writer = try DatabaseFile(self.url, readOnly: false).writer()
    try writer.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807")
    let shop = try SQLiteFileUnderTest(self.url, ShopModel.model)
    let error = #expect(throws: StoreError.self) {
      try shop.store.reserveReferences(for: shop.entity("Order").id, count: 1)
    }
    #expect(error?.code == .unsupported)
  }

  @Test("a read-only store refuses saves and leaves nothing beside its file, whatever the folder's name")
  func readOnly() throws {
    try self.filled()
    let odd = self.folder.file("100% #odd?.sqlite")
    try FileManager.default.moveItem(at: self.url, to: odd)
    let before = try Data(contentsOf: odd)
    let shop = try SQLiteFileUnderTest(odd, ShopModel.model, readOnly: true)
    #expect(try shop.rows("Order").count == 3)
    #expect(shop.store.capabilities.contains(.readOnly))
    var edit = SQLiteEditor(shop)
    try edit.insert("Order")
    let changes = edit.finished()
    let error = #expect(throws: StoreError.self) {
      _ = try shop.store.prepare(changes, save: SaveIdentifier())
    }
    #expect(error?.code == .readOnly)
    try shop.store.prepare(ChangeSet(), save: SaveIdentifier()).commit()
    #expect(try self.names() == ["100% #odd?.sqlite"])
    #expect(try Data(contentsOf: odd) == before)
  }

  @Test("BR-77: rows that stand in the log alone are read from a private copy, and the log stays")
  func writeAheadLog() throws {
    let shop = try SQLiteFileUnderTest(self.url, ShopModel.model)
    var edit = SQLiteEditor(shop)
    try edit.insert("Order", ["count": .int(7)])
    try edit.save()
    // As a killed program leaves it: copied while a writer has it open.
    let copies = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        at: self.folder.file("shop.sqlite" + suffix), to: copies.file("copy.sqlite" + suffix))
    }
    let before = try Data(contentsOf: copies.file("copy.sqlite-wal"))
    let copy = try SQLiteFileUnderTest(copies.file("copy.sqlite"), ShopModel.model, readOnly: true)
    #expect(try copy.rows("Order").count == 1)
    copy.store.close()
    #expect(try Data(contentsOf: copies.file("copy.sqlite-wal")) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: copies.url.path(percentEncoded: false)).count == 2)
  }

  @Test("what stands in the log alone is told without a model; a private copy lives as long as its reader")
  func summaryOfALog() throws {
    let shop = try SQLiteFileUnderTest(self.url, ShopModel.model)
    var edit = SQLiteEditor(shop)
    try edit.insert("Order", ["count": .int(7)])
    try edit.save()
    let summary = try SQLiteFileSummary(of: self.url)
    #expect(summary.contents.first { $0.name == "Order" }?.rows == 1)
    #expect(try StoreType.sqlite.readMetadata?(self.url).uuid == summary.uuid)

    weak var file: DatabaseFile?
    var connection: Connection?
    do {
      let opened = try DatabaseFile(self.url, readOnly: true)
      file = opened
      connection = try opened.reader()
    }
    #expect(file != nil)
    #expect(try connection?.number("SELECT COUNT(*) FROM ZORDER") == 1)
    connection = nil
    #expect(file == nil)
  }

  @Test("BR-77: a journal that must be rolled back is rolled back in a private copy")
  func hotJournal() throws {
    try self.filled(500)
    let writer = try DatabaseFile(self.url, readOnly: false).writer()
    try writer.execute(
      "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 10; BEGIN IMMEDIATE; UPDATE ZORDER SET ZCOUNT = 99")
    let copies = try TemporaryFolder()
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(
        at: self.folder.file("shop.sqlite" + suffix), to: copies.file("copy.sqlite" + suffix))
    }
    writer.rollBack()
    let before = try Data(contentsOf: copies.file("copy.sqlite"))
    let copy = try SQLiteFileUnderTest(copies.file("copy.sqlite"), ShopModel.model, readOnly: true)
    #expect(try copy.rows("Order").count == 500)
    #expect(try copy.count(try copy.query("Order", where: "count == 99")) == 1)
    copy.store.close()
    #expect(try Data(contentsOf: copies.file("copy.sqlite")) == before)
  }

  @Test("BR-81: destroying removes every file of the store, and a new one can take its place")
  func destroy() throws {
    let shop = try SQLiteFileUnderTest(self.url, ShopModel.model)
    var edit = SQLiteEditor(shop)
    try edit.insert("Order")
    try edit.save()
    try Data([0]).write(to: self.folder.file("shop.sqlite-journal"))
    #expect(try self.names().count == 4)
    let destroy = try #require(StoreType.sqlite.destroy)
    try destroy(self.url)
    #expect(try self.names() == [])
    let error = #expect(throws: StoreError.self) { try destroy(self.url) }
    #expect(error?.code == .missingFile)
    try self.filled()
    #expect(try SQLiteFileUnderTest(self.url, ShopModel.model).rows("Order").count == 3)
  }

  @Test("a file with a rollback journal keeps it; a reader in the way makes prepare wait, not commit fail")
  func rollbackJournal() throws {
    try self.filled()
    try DatabaseFile(self.url, readOnly: false).writer().execute("PRAGMA journal_mode = DELETE")
    let shop = try SQLiteFileUnderTest(self.url, ShopModel.model)
    #expect(!shop.store.hasWriteAheadLog)
    let scope = try shop.store.beginRead()
    _ = try scope.run(try shop.query("Order"))
    var edit = SQLiteEditor(shop)
    try edit.insert("Order")
    let changes = edit.finished()
    let error = #expect(throws: StoreError.self) {
      _ = try shop.store.prepare(changes, save: SaveIdentifier())
    }
    #expect(error?.code == .locked)
    scope.end()
    try shop.store.prepare(changes, save: SaveIdentifier()).commit()
    #expect(try shop.rows("Order").count == 4)
    shop.store.close()
    #expect(try self.names() == ["shop.sqlite"])
  }

  @Test("a closed store refuses work")
  func closed() throws {
    try self.filled()
    let shop = try SQLiteFileUnderTest(self.url, ShopModel.model)
    shop.store.close()
    let error = #expect(throws: StoreError.self) { _ = try shop.store.beginRead() }
    #expect(error?.code == .closed)
    #expect(try self.names() == ["shop.sqlite"])
  }

  @Test("data beside the store are read; a file that is missing names itself")
  func externalData() throws {
    let shop = try SQLiteFileUnderTest(self.url, ShopModel.model)
    var edit = SQLiteEditor(shop)
    try edit.insert("Person")
    try edit.save()
    let name = "6F0E1B77-6A0B-4C36-8E57-2B1B6B7C9D10"
    let writer = try shop.store.file.writer()
    try writer.run("UPDATE ZPARTY SET ZPICTURE = ?", [.blob(Data([2] + Array(name.utf8) + [0]))])
    let beside = self.folder.file(".shop_SUPPORT/_EXTERNAL_DATA")
    let error = #expect(throws: StoreError.self) { _ = try shop.rows("Person") }
    #expect(error?.code == .unreadableValue)
    #expect(error?.place == .cell(table: "ZPARTY", row: 1, column: "ZPICTURE"))
    try FileManager.default.createDirectory(at: beside, withIntermediateDirectories: true)
    try Data([1, 2, 3]).write(to: beside.appending(path: name))
    #expect(try shop.value(try #require(shop.rows("Person").first), "picture") == .data(Data([1, 2, 3])))
  }

  @Test("statements are prepared once for each text")
  func preparedOnce() throws {
    try self.filled()
    let shop = try SQLiteFileUnderTest(self.url, ShopModel.model)
    let scope = try shop.store.beginRead()
    let reading = try #require(scope as? SQLiteReadScope)
    // The connection has prepared what opening asked.
    let before = try reading.reading().preparedCount
    for index in 0..<20 {
      _ = try scope.run(try shop.query("Order", where: "count == \(index) AND data != nil"))
    }
    #expect(shop.store.statistics.statements == 20)
    #expect(try reading.reading().preparedCount == before + 1)
  }
}
