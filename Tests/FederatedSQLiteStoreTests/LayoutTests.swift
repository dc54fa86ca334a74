import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// The file itself, by plain SQL: what stands in a new store.
@Suite struct LayoutTests {
  private func columns(_ table: String, _ connection: Connection) throws -> [String] {
    var columns: [String] = []
    try connection.query("SELECT name, type FROM pragma_table_info(?)", [.text(table)]) {
      (row) throws(StoreError) in
      columns.append("\(row.string(0) ?? "") \(row.string(1) ?? "")")
    }
    return columns
  }

  private func fresh() throws -> (TemporaryFolder, SQLiteFileUnderTest, Connection) {
    let folder = try TemporaryFolder()
    let shop = try SQLiteFileUnderTest(folder.file("shop.sqlite"), ShopModel.model)
    return (folder, shop, try shop.store.file.reader())
  }

  @Test("one table holds a hierarchy; siblings that share a name get numbers by entity order")
  func hierarchy() throws {
    let (folder, _, connection) = try self.fresh()
    defer { withExtendedLifetime(folder) {} }
    #expect(
      try self.columns("ZPARTY", connection) == [
        "Z_PK INTEGER", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZTITLE INTEGER", "ZAGE INTEGER",
        "ZPASSPORT INTEGER",
        "ZSINCE TIMESTAMP", "ZNAME VARCHAR", "ZCODE VARCHAR", "ZTITLE1 VARCHAR", "ZPICTURE BLOB",
      ])
    #expect(
      try self.columns("ZORDER", connection) == [
        "Z_PK INTEGER", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZISOPEN INTEGER", "ZCOUNT INTEGER",
        "ZPARTY INTEGER",
        "Z3_PARTY INTEGER", "Z_FOK_PARTY INTEGER", "ZTOTAL DECIMAL", "ZWEIGHT FLOAT", "ZPAGE VARCHAR",
        "ZDATA BLOB",
      ])
  }

  @Test("entities are numbered depth first by name without regard to case, with their parents")
  func entityNumbers() throws {
    let (folder, _, connection) = try self.fresh()
    defer { withExtendedLifetime(folder) {} }
    var rows: [String] = []
    try connection.query("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
      (row) throws(StoreError) in
      rows.append("\(row.int(0)) \(row.string(1) ?? "") \(row.int(2)) \(row.int(3))")
    }
    #expect(
      rows == [
        "1 Group 0 0", "2 Order 0 0", "3 Party 0 0", "4 Company 3 0", "5 Person 3 0", "6 Passport 0 0",
      ])
  }

  @Test("tables of pairs are named after the side with the smaller entity number, and keep order columns")
  func pairs() throws {
    let (folder, _, connection) = try self.fresh()
    defer { withExtendedLifetime(folder) {} }
    #expect(
      try self.columns("Z_1MEMBERS", connection) == [
        "Z_1GROUPS INTEGER", "Z_3MEMBERS INTEGER", "Z_FOK_1MEMBERS INTEGER",
      ])
    #expect(try self.columns("Z_3KNOWNBY", connection) == ["Z_3KNOWS INTEGER", "Z_3KNOWNBY INTEGER"])
    #expect(try self.columns("Z_3FRIENDS", connection) == ["REFLEXIVE INTEGER", "Z_3FRIENDS INTEGER"])
    #expect(
      try self.columns("Z_1LINKS", connection) == [
        "Z_1GROUP INTEGER", "Z_2LINKS INTEGER", "Z_FOK_1LINKS INTEGER",
      ])
  }

  @Test("keys, constraints, indexes and entity numbers are indexed")
  func indexes() throws {
    let (folder, _, connection) = try self.fresh()
    defer { withExtendedLifetime(folder) {} }
    let indexes = try connection.texts(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
    #expect(
      indexes.map { $0.replacing("\"", with: "") } == [
        "CREATE INDEX ZORDER_ZPARTY_INDEX ON ZORDER (ZPARTY)",
        "CREATE INDEX ZPARTY_ZCODE_INDEX ON ZPARTY (ZCODE)",
        "CREATE INDEX ZPARTY_ZPASSPORT_INDEX ON ZPARTY (ZPASSPORT)",
        "CREATE INDEX ZPARTY_Z_ENT_INDEX ON ZPARTY (Z_ENT)",
        "CREATE INDEX ZPASSPORT_ZHOLDER_INDEX ON ZPASSPORT (ZHOLDER)",
        "CREATE INDEX Z_1LINKS_Z_2LINKS_INDEX ON Z_1LINKS (Z_2LINKS, Z_1GROUP)",
        "CREATE INDEX Z_1MEMBERS_Z_3MEMBERS_INDEX ON Z_1MEMBERS (Z_3MEMBERS, Z_1GROUPS)",
        "CREATE INDEX Z_3FRIENDS_Z_3FRIENDS_INDEX ON Z_3FRIENDS (Z_3FRIENDS, REFLEXIVE)",
        "CREATE INDEX Z_3KNOWNBY_Z_3KNOWNBY_INDEX ON Z_3KNOWNBY (Z_3KNOWNBY, Z_3KNOWS)",
        "CREATE UNIQUE INDEX Z_Party_UNIQUE_code ON ZPARTY (ZCODE COLLATE BINARY ASC)",
        "CREATE INDEX Z_Party_byNameSince ON ZPARTY (ZNAME COLLATE BINARY ASC, ZSINCE COLLATE BINARY DESC)",
      ])
  }

  @Test("the metadata row has the identifier in a column of its own, and a property list")
  func metadata() throws {
    let (folder, shop, connection) = try self.fresh()
    defer { withExtendedLifetime(folder) {} }
    #expect(try connection.texts("SELECT Z_UUID FROM Z_METADATA") == [shop.store.metadata.uuid.uuidString])
    #expect(try connection.texts("PRAGMA journal_mode") == ["wal"])
    #expect(try connection.number("PRAGMA auto_vacuum") == 2)
    var list: Data?
    try connection.query("SELECT Z_PLIST FROM Z_METADATA") { (row) throws(StoreError) in list = row.data(0) }
    let read = try PropertyListSerialization.propertyList(from: try #require(list), format: nil)
    let plist = try #require(read as? [String: Any])
    #expect(plist["NSStoreType"] as? String == "SQLite")
    #expect(plist["NSStoreModelVersionHashesVersion"] as? Int == 3)
    #expect((plist["NSStoreModelVersionHashes"] as? [String: Data])?["Party"]?.count == 32)
  }

  @Test("unknown metadata entries survive a rewrite")
  func metadataSurvives() throws {
    let (folder, shop, _) = try self.fresh()
    var metadata = shop.store.metadata
    metadata.entries["app"] = .dictionary([
      "a": .int(1), "b": .array([.bool(true), .double(0.5), .date(Date(timeIntervalSinceReferenceDate: 7))]),
    ])
    try shop.store.stageMetadata(metadata)
    try shop.store.prepare(ChangeSet(), save: SaveIdentifier()).commit()
    shop.store.close()
    let again = try SQLiteFileUnderTest(folder.file("shop.sqlite"), ShopModel.model)
    #expect(again.store.metadata.entries["app"] == metadata.entries["app"])
    #expect(again.store.metadata == metadata)
  }
}
