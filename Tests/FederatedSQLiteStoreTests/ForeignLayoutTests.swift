import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// A file as other versions of the original framework leave it, made by our own statements: entity numbers of
/// its own, an old entity name, no property list, no model cache, history, and triggers of derived attributes.
@Suite struct ForeignLayoutTests {
  let folder: TemporaryFolder
  let url: URL
  let model: ManagedObjectModel

  init() throws {
    self.folder = try TemporaryFolder()
    self.url = self.folder.file("library.storedata")
    let connection = try DatabaseFile(self.url, readOnly: false).writer(creating: true)
    try connection.execute(Self.statements)
    self.model = try Self.makeModel()
  }

  private static func makeModel() throws -> ManagedObjectModel {
    var magazine = EntityDescription(
      "Magazine", parent: "Item",
      properties: [
        AttributeDescription("title", .string, optional: true),
        AttributeDescription("issue", .integer32, optional: true),
      ])
    magazine.renamingIdentifier = "Journal"
    var count = AttributeDescription("count", .integer64, optional: true)
    count.derivationExpression = "items.@count"
    return try ManagedObjectModel(entities: [
      EntityDescription(
        "Item", abstract: true,
        properties: [
          AttributeDescription("added", .date, optional: true),
          AttributeDescription("price", .decimal, optional: true),
          RelationshipDescription("shelf", to: "Shelf", inverse: "items"),
          RelationshipDescription("cites", to: "Item", .many, inverse: "citedBy"),
          RelationshipDescription("citedBy", to: "Item", .orderedMany, inverse: "cites"),
        ]),
      EntityDescription(
        "Book", parent: "Item", properties: [AttributeDescription("title", .string, optional: true)]),
      magazine,
      EntityDescription(
        "Shelf", properties: [count, RelationshipDescription("items", to: "Item", .many, inverse: "shelf")]),
    ])
  }

  /// Magazine, still called Journal, comes before Book here, so the plain column name is its own.
  private static let statements = """
    PRAGMA journal_mode = DELETE;
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    INSERT INTO Z_METADATA VALUES (1, '6F0E1B77-6A0B-4C36-8E57-2B1B6B7C9D10', NULL);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    INSERT INTO Z_PRIMARYKEY VALUES (2, 'Shelf', 0, 7), (3, 'Item', 0, 40), (4, 'Journal', 3, 0), (9, 'Book', 3, 0),
      (16001, 'CHANGE', 0, 5);
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
    CREATE TABLE ZSHELF (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOUNT INTEGER);
    CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISSUE INTEGER, ZSHELF INTEGER,
      ZADDED TIMESTAMP, ZPRICE DECIMAL, ZTITLE VARCHAR, ZTITLE1 VARCHAR);
    CREATE TABLE Z_3CITES (Z_3CITEDBY INTEGER, Z_3CITES INTEGER, Z_FOK_3CITEDBY INTEGER, PRIMARY KEY (Z_3CITEDBY, Z_3CITES));
    INSERT INTO ZSHELF VALUES (7, 2, 3, 2);
    INSERT INTO ZITEM VALUES (39, 4, 1, 5, 7, -631064399, 8, 'Weekly', NULL), (40, 9, 2, NULL, 7, 737057651.669581, 3.1, NULL, 'Alpha');
    INSERT INTO Z_3CITES VALUES (39, 40, 2048);
    CREATE TRIGGER Z_DA_ZITEM_Shelf_count_PARAMETER_INSERT AFTER INSERT ON ZITEM FOR EACH ROW WHEN (NEW.ZSHELF NOT NULL) BEGIN
      UPDATE ZSHELF SET ZCOUNT = IFNULL(ZCOUNT, 0) + 1 WHERE Z_PK = NEW.ZSHELF;
      SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZSHELF', Z_ENT, Z_PK, 'count', ZCOUNT) FROM ZSHELF WHERE Z_PK = NEW.ZSHELF;
    END;
    CREATE TRIGGER Z_DA_ZSHELF_Shelf_count_SOURCE_INSERT AFTER INSERT ON ZSHELF FOR EACH ROW BEGIN
      UPDATE ZSHELF SET ZCOUNT = (SELECT COUNT(*) FROM ZITEM WHERE ZSHELF = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK;
      SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZSHELF', Z_ENT, Z_PK, 'count', ZCOUNT) FROM ZSHELF WHERE Z_PK = NEW.Z_PK;
    END;
    """

  @Test("entities are found by number of the file and by their old names; suffixes follow the file's numbers")
  func reading() throws {
    let library = try SQLiteFileUnderTest(self.url, self.model, readOnly: true)
    let items = try library.rows("Item")
    #expect(items.map { library.model[$0.entity].name } == ["Magazine", "Book"])
    #expect(try library.texts(items, "title") == ["Weekly", "Alpha"])
    #expect(
      try items.map { try library.value($0, "added") }
        == [-631_064_399, 737_057_651.669581].map { .date(Date(timeIntervalSinceReferenceDate: $0)) })
    #expect(
      try items.map { try library.value($0, "price") } == [.decimal(8), .decimal(Decimal(string: "3.1")!)])
    #expect(try library.texts(library.rows("Book", where: "title == 'Alpha'"), "title") == ["Alpha"])
  }

  @Test("a self relationship's table is found under whichever of its two names it has")
  func selfRelationship() throws {
    let library = try SQLiteFileUnderTest(self.url, self.model, readOnly: true)
    #expect(try library.related("Item", "cites", [39, 40]) == [[40], []])
    #expect(try library.related("Item", "citedBy", [39, 40]) == [[], [39]])
  }

  @Test("a destination without entity column is looked up; a store without property list opens")
  func destinations() throws {
    let library = try SQLiteFileUnderTest(self.url, self.model, readOnly: true)
    #expect(library.store.metadata.uuid.uuidString == "6F0E1B77-6A0B-4C36-8E57-2B1B6B7C9D10")
    #expect(library.store.metadata.versionHashes.isEmpty)
    #expect(try library.related("Shelf", "items", [7]) == [[39, 40]])
    let scope = try library.store.beginRead()
    let items = try #require(library.entity("Shelf").relationship(named: "items"))
    let related = try scope.related(items.id, of: [7])
    #expect(related[0].map { library.model[$0.entity].name } == ["Magazine", "Book"])
  }

  @Test("writing keeps the file's numbers, runs its triggers and leaves derived columns to them")
  func writing() throws {
    let library = try SQLiteFileUnderTest(self.url, self.model)
    var edit = SQLiteEditor(library)
    let shelf = RowIdentity(entity: try library.entity("Shelf").id, reference: 7)
    let book = try edit.insert("Book", ["title": .string("Beta")], ["shelf": shelf])
    #expect(book.reference == 41)
    try edit.insert("Shelf", ["count": .int(99)])
    var row = StoreQuery(entity: shelf.entity)
    row.references = [7]
    try edit.update(try #require(library.rows(row).first), ["count": .int(-1)])
    try edit.save()
    let raw = try library.store.file.reader()
    #expect(
      try raw.texts("SELECT Z_ENT || ' ' || ZTITLE1 || ' ' || ifnull(ZTITLE, '-') FROM ZITEM WHERE Z_PK = 41")
        == ["9 Beta -"])
    #expect(
      try raw.texts("SELECT Z_PK || ' ' || Z_OPT || ' ' || ZCOUNT FROM ZSHELF ORDER BY Z_PK") == [
        "7 4 3", "8 1 0",
      ])
    #expect(try raw.texts("SELECT Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") == ["8", "41", "0", "0", "5"])
    #expect(try raw.texts("PRAGMA journal_mode") == ["delete"])
  }
}
