import FederatedModel
import FederatedStore
import FederatedStoreTesting
import Foundation

@testable import FederatedSQLiteStore

/// Tables for the model of the conformance checks, as somebody else might have made them.
enum ForeignTables {
  /// A file of others is never created, keeps no metadata, and has no versions of rows.
  static let left: Set<String> = [
    "a new store has a type and the hash of every entity",
    "a store of a configuration has the hashes of its entities, and holds their rows",
    "staged metadata is the store's own at once", "metadata is read without opening the store (PS-23)",
    "staged metadata is written by the next save, even an empty one (PS-25)",
    "an empty file is a new store (PS-29)",
    "another version of the model is refused, unless the description says otherwise (PS-22)",
    "the store's files can be destroyed", "an update changes what it says and adds one to the version",
    "a row that the save relies on and others changed is a conflict",
  ]

  /// Each value as SQLite itself would have it.
  static let type = Self.type("SQLite", columns: plainColumns, formats: [:])

  private static func type(_ name: String, columns: String, formats: [String: ValueFormat]) -> StoreType {
    StoreType(name) { (description, model) throws(StoreError) in
      var description = description
      let hasParts = model.entity(named: "Part") != nil
      description.mapping = hasParts ? ForeignTables.parts : ForeignTables.mapping(formats)
      if !description.isReadOnly, let url = description.url,
        !FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
      {
        let connection = try DatabaseFile(url, readOnly: false).writer(creating: true)
        try connection.execute(ForeignTables.statements.replacing("COLUMNS", with: columns))
      }
      return try StoreType.sqlite.open(description, model)
    }
  }

  private static let plainColumns = """
    small INTEGER, middle INTEGER, large INTEGER, price TEXT, weight REAL, ratio REAL, title TEXT, is_open INTEGER,
    date REAL, bytes BLOB, uuid BLOB, link TEXT, shape BLOB
    """

  private static let statements = """
    PRAGMA journal_mode = WAL;
    CREATE TABLE part (id INTEGER PRIMARY KEY, kind TEXT, code TEXT, size INTEGER, label TEXT);
    CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT, rank INTEGER, parent INTEGER, cover INTEGER);
    CREATE TABLE record (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, folder INTEGER, pinned_in INTEGER,
      pinned_place INTEGER, cover_of INTEGER, text TEXT, urgency INTEGER, COLUMNS);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE record_tag (record INTEGER, tag INTEGER, UNIQUE (record, tag));
    CREATE TABLE shelf (tag INTEGER, record INTEGER, place INTEGER);
    CREATE TABLE related (a INTEGER, b INTEGER);
    CREATE TABLE thing (id INTEGER PRIMARY KEY, kind INTEGER, size INTEGER);
    """

  /// For the checks of uniqueness, which have a model of their own.
  private static let parts = SQLiteMapping(entities: [
    "Part": SQLiteEntityMapping(
      table: "part", discriminator: SQLiteDiscriminator("kind", .text("part")),
      attributes: ["code": "code", "size": "size", "label": "label"]),
    "Screw": SQLiteEntityMapping(table: "", discriminator: SQLiteDiscriminator("kind", .text("screw"))),
  ])

  private static func mapping(_ formats: [String: ValueFormat]) -> SQLiteMapping {
    func column(_ property: String, _ name: String, _ format: ValueFormat = .standard)
      -> SQLiteAttributeMapping
    {
      SQLiteAttributeMapping(name, format: formats[property] ?? format)
    }
    return SQLiteMapping(entities: [
      "Folder": SQLiteEntityMapping(
        table: "folder", attributes: ["name": "name", "rank": "rank"],
        relationships: [
          "parent": .columns(["parent"]), "cover": .columns(["cover"]),
          "pinned": .inverse(order: "pinned_place"),
        ]),
      "Record": SQLiteEntityMapping(
        table: "record", discriminator: SQLiteDiscriminator("kind", .text("it's a record")),
        attributes: [
          "small": "small", "middle": "middle", "large": "large",
          "price": column("price", "price", .decimalText),
          "weight": "weight", "ratio": "ratio", "title": "title", "isOpen": column("isOpen", "is_open"),
          "date": column("date", "date", .referenceSeconds), "bytes": column("bytes", "bytes"),
          "uuid": column("uuid", "uuid"), "link": "link", "shape": column("shape", "shape"),
        ],
        relationships: [
          "folder": .columns(["folder"]), "pinnedIn": .columns(["pinned_in"]),
          "coverOf": .columns(["cover_of"]),
          "tags": .pairs(SQLitePairTable("record_tag", owner: ["record"], destination: ["tag"])),
        ]),
      "Note": SQLiteEntityMapping(
        table: "", discriminator: SQLiteDiscriminator("kind", .text("note")), attributes: ["text": "text"]),
      "Memo": SQLiteEntityMapping(
        table: "", discriminator: SQLiteDiscriminator("kind", .text("memo")),
        attributes: ["urgency": "urgency"]),
      "Tag": SQLiteEntityMapping(
        table: "tag", attributes: ["label": "label"],
        relationships: [
          "shelf": .pairs(SQLitePairTable("shelf", owner: ["tag"], destination: ["record"], order: "place")),
          "related": .pairs(SQLitePairTable("related", owner: ["a"], destination: ["b"])),
        ]),
      "Thing": SQLiteEntityMapping(table: "thing", attributes: ["size": "size"]),
      "Pen": SQLiteEntityMapping(table: "", discriminator: SQLiteDiscriminator("kind", .number(7))),
      "Cup": SQLiteEntityMapping(table: "", discriminator: SQLiteDiscriminator("kind", .number(9))),
    ])
  }
}
