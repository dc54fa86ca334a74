import FederatedModel
import FederatedStore
import Foundation
import TestSupport

@testable import FederatedSQLiteStore

/// A database as another program would have made it: odd names, every kind of key, every format of value.
struct ForeignShop {
  let folder: TemporaryFolder
  let url: URL
  let model: ManagedObjectModel

  init(_ statements: String = ForeignShop.statements) throws {
    self.folder = try TemporaryFolder()
    self.url = self.folder.file("shop.db")
    self.model = try ForeignShop.makeModel()
    try self.run(statements)
  }

  /// Runs statements as another program would.
  func run(_ statements: String) throws {
    let connection = try DatabaseFile(self.url, readOnly: false).writer(creating: true)
    try connection.execute(statements)
  }

  func texts(_ sql: String) throws -> [String] {
    try DatabaseFile(self.url, readOnly: false).writer().texts(sql)
  }

  func open(
    _ mapping: SQLiteMapping = ForeignShop.mapping, readOnly: Bool = false, configuration: String? = nil
  ) throws -> SQLiteFileUnderTest {
    try SQLiteFileUnderTest(
      self.url, self.model, configuration: configuration, readOnly: readOnly, mapping: mapping)
  }

  static let statements = #"""
    CREATE TABLE "order" (id INTEGER PRIMARY KEY, "group" TEXT REFERENCES "Gruppe ""ä""" ("select"),
      placed INTEGER, paid TEXT, price NUMERIC(10,2), exact TEXT, token BLOB, tag TEXT, julian REAL, ms INTEGER,
      iso TEXT, total REAL GENERATED ALWAYS AS (price * 2) VIRTUAL, big INTEGER, note TEXT COLLATE NOCASE,
      digits TEXT);
    CREATE TABLE "Gruppe ""ä""" ("select" TEXT PRIMARY KEY, title TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE line (order_id INTEGER NOT NULL REFERENCES "order" (id), no INTEGER NOT NULL, text TEXT,
      next_order INTEGER, next_no INTEGER, PRIMARY KEY (order_id, no)) WITHOUT ROWID;
    CREATE TABLE label (name TEXT PRIMARY KEY NOT NULL, weight INTEGER CHECK (weight > 0));
    CREATE TABLE line_label (o INTEGER, n INTEGER, label TEXT REFERENCES label (name), pos INTEGER);
    CREATE VIEW cheap AS SELECT id AS oid, price AS amount FROM "order" WHERE price < 5;
    INSERT INTO "Gruppe ""ä""" VALUES ('A', 'first'), ('7', 'seven'), ('x,y', 'comma'), ('é', 'accent');
    INSERT INTO "order" (id, "group", placed, paid, price, exact, token, tag, julian, ms, iso, big, note, digits) VALUES
      (1, 'A', 1577836800, 'Y', 1.5, '0.10', x'00112233445566778899aabbccddeeff',
       '6F0E1B77-6A0B-4C36-8E57-2B1B6B7C9D10', 2458849.5, 1577836800250, '2020-01-01 00:00:00', 1, 'Ab', '5'),
      (2, '7', 1577836801, 'N', 7, '12345678901234567890.123', NULL, '6f0e1b77-6a0b-4c36-8e57-2b1b6b7c9d11', NULL, NULL,
       '2020-01-01T02:00:00+02:00', 9007199254740993, 'aB', '10'),
      (5, NULL, NULL, NULL, 3.25, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2');
    INSERT INTO line VALUES (1, 1, 'one', 1, 2), (1, 2, 'two', 2, 1), (2, 1, 'three', NULL, NULL);
    INSERT INTO label VALUES ('red', 1), ('blue', 2);
    INSERT INTO line_label VALUES (1, 1, 'blue', 2), (1, 1, 'red', 1), (2, 1, 'red', 5);
    """#

  static func makeModel() throws -> ManagedObjectModel {
    func optional(_ name: String, _ type: AttributeType) -> AttributeDescription {
      AttributeDescription(name, type, optional: true)
    }
    return try ManagedObjectModel(
      entities: [
        EntityDescription(
          "Order",
          properties: [
            optional("placed", .date), optional("isPaid", .boolean), optional("price", .decimal),
            optional("exact", .decimal), optional("token", .uuid), optional("tag", .uuid),
            optional("julian", .date), optional("millis", .date), optional("iso", .date),
            optional("total", .double), optional("big", .integer64), optional("note", .string),
            optional("digits", .integer32), optional("unmapped", .string),
            RelationshipDescription("group", to: "Group", inverse: "orders"),
            RelationshipDescription("lines", to: "Line", .many, inverse: "order"),
          ]),
        EntityDescription(
          "Group",
          properties: [
            optional("code", .string), AttributeDescription("title", .string),
            RelationshipDescription("orders", to: "Order", .many, inverse: "group"),
          ]),
        EntityDescription(
          "Line",
          properties: [
            optional("orderNumber", .integer64), optional("number", .integer64), optional("text", .string),
            RelationshipDescription("order", to: "Order", inverse: "lines"),
            RelationshipDescription("next", to: "Line", inverse: "previous"),
            RelationshipDescription("previous", to: "Line", .many, inverse: "next"),
            RelationshipDescription("labels", to: "Label", .orderedMany, inverse: "lines"),
          ]),
        EntityDescription(
          "Label",
          properties: [
            optional("name", .string), optional("weight", .integer32),
            RelationshipDescription("lines", to: "Line", .many, inverse: "labels"),
          ]),
        EntityDescription("Cheap", properties: [optional("amount", .double)]),
      ],
      configurations: [
        ModelConfiguration("Orders", entities: ["Order", "Group", "Line", "Label"]),
        ModelConfiguration("Views", entities: ["Cheap"]),
      ])
  }

  static let mapping = SQLiteMapping(
    entities: [
      "Order": SQLiteEntityMapping(
        table: "order",
        attributes: [
          "placed": SQLiteAttributeMapping("placed", format: .unixSeconds),
          "isPaid": SQLiteAttributeMapping("paid", format: .booleanWords(yes: "Y", no: "N")),
          "price": "price", "exact": SQLiteAttributeMapping("exact", format: .decimalText),
          "token": SQLiteAttributeMapping("token", format: .uuidBytes),
          "tag": SQLiteAttributeMapping("tag", format: .uuidText),
          "julian": SQLiteAttributeMapping("julian", format: .julianDay),
          "millis": SQLiteAttributeMapping("ms", format: .unixMilliseconds),
          "iso": "iso", "total": "total", "big": "big", "note": "note", "digits": "digits",
        ]),
      "Group": SQLiteEntityMapping(
        table: "Gruppe \"ä\"", attributes: ["code": "select", "title": "title"]),
      "Line": SQLiteEntityMapping(
        table: "line", attributes: ["orderNumber": "order_id", "number": "no", "text": "text"],
        relationships: [
          "order": .columns(["order_id"]), "next": .columns(["next_order", "next_no"]),
          "labels": .pairs(
            SQLitePairTable("line_label", owner: ["o", "n"], destination: ["label"], order: "pos")),
        ]),
      "Label": SQLiteEntityMapping(table: "label", attributes: ["name": "name", "weight": "weight"]),
      "Cheap": SQLiteEntityMapping(table: "cheap", key: ["oid"], attributes: ["amount": "amount"]),
    ], zone: .utc)
}
