import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

@Suite("Files of others: faults of mappings")
struct MappingFaultTests {
  private func faults(
    _ shop: ForeignShop, configuration: String? = nil, _ edit: (inout SQLiteMapping) -> Void
  ) throws -> [String] {
    var mapping = ForeignShop.mapping
    edit(&mapping)
    do {
      _ = try shop.open(mapping, configuration: configuration)
      return []
    } catch let error as StoreError {
      #expect(error.code == .cannotOpen)
      #expect(error.store == shop.url)
      let faults = try #require(error.underlying as? MappingError)
      return faults.faults.map(\.description)
    }
  }

  @Test("a mapping that fits has no faults")
  func none() throws {
    #expect(try self.faults(try ForeignShop()) { _ in } == [])
  }

  @Test("every fault is told at once, with its place and the name that was probably meant")
  func several() throws {
    let faults = try self.faults(try ForeignShop()) { mapping in
      mapping.entities["Odrer"] = mapping.entities.removeValue(forKey: "Order")
      mapping.entities["Label"]?.table = "lable"
      mapping.entities["Group"]?.attributes["tilte"] = "title"
      mapping.entities["Group"]?.attributes["title"] = "tittle"
    }
    #expect(faults.count == 7, "\(faults.joined(separator: "\n"))")
    for text in [
      "entities.Odrer: the model has no such entity (did you mean Order?)", "entities: Order is missing",
      "entities.Label.table: the file has no table or view lable (did you mean label?)",
      "entities.Group.attributes.tilte: Group has no attribute tilte (did you mean title?)",
      "entities.Group.attributes.title: Gruppe \"ä\" has no column tittle (did you mean title?)",
    ] {
      #expect(faults.contains { $0.hasPrefix(text) }, "\(text) in \(faults)")
    }
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let text: String
    let edit: @Sendable (inout SQLiteMapping) -> Void
    var testDescription: String { self.text }

    init(_ text: String, _ edit: @escaping @Sendable (inout SQLiteMapping) -> Void) {
      self.text = text
      self.edit = edit
    }
  }

  static let kinds: [Fault] = [
    Fault("entities.Cheap.key: cheap is a view; name the columns") { $0.entities["Cheap"]?.key = [] },
    Fault("entities.Cheap.key: cheap has no column id") {
      $0.entities["Cheap"]?.key = ["amount", "oid", "id"]
    },
    Fault("entities.Order.attributes.price: the format unixSeconds is not for attributes of type decimal") {
      $0.entities["Order"]?.attributes["price"] = SQLiteAttributeMapping("price", format: .unixSeconds)
    },
    Fault("entities.Group.attributes: title is missing and not optional") {
      $0.entities["Group"]?.attributes["title"] = nil
    },
    Fault("entities.Line.relationships.next: the key of Line has 2 columns (order_id, no)") {
      $0.entities["Line"]?.relationships["next"] = .columns(["next_no"])
    },
    Fault(
      "entities.Line.relationships.next: the relationship has no place, and line declares no foreign key to line"
    ) {
      $0.entities["Line"]?.relationships["next"] = nil
    },
    Fault("entities.Line.relationships.next: a to-one is kept in columns of its own table") {
      $0.entities["Line"]?.relationships["next"] = .inverse()
    },
    Fault("entities.Line.relationships.labels: no to-one of Label is its inverse") {
      $0.entities["Line"]?.relationships["labels"] = nil
    },
    Fault("entities.Line.relationships.labels: the relationship is ordered; name the column of line_label") {
      $0.entities["Line"]?.relationships["labels"] = .pairs(
        SQLitePairTable("line_label", owner: ["o", "n"], destination: ["label"]))
    },
    Fault("entities.Line.relationships.labels: the key of Line has 2 columns") {
      $0.entities["Line"]?.relationships["labels"] = .pairs(
        SQLitePairTable("line_label", owner: ["o"], destination: ["label"], order: "pos"))
    },
    Fault("entities.Label.relationships.lines: a to-many has no columns of its own") {
      $0.entities["Label"]?.relationships["lines"] = .columns(["x"])
    },
    Fault("entities.Label.relationships.lnies: Label has no relationship lnies (did you mean lines?)") {
      $0.entities["Label"]?.relationships["lnies"] = .inverse()
    },
    Fault("entities.Label: the key \"table\" is missing") { $0.entities["Label"]?.table = "" },
  ]

  @Test("each kind of fault is told", arguments: MappingFaultTests.kinds)
  func each(fault: Fault) throws {
    let faults = try self.faults(try ForeignShop(), fault.edit)
    #expect(faults.contains { $0.hasPrefix(fault.text) }, "\(fault.text) in \(faults)")
  }

  @Test("a key that is not unique, or missing in a row, is found when the store is opened")
  func keys() throws {
    let shop = try ForeignShop()
    try shop.run(
      "CREATE TABLE loose (k INTEGER, v TEXT); INSERT INTO loose VALUES (1, 'a'), (2, 'b'), (2, 'c')")
    func faults() throws -> [String] {
      try self.faults(shop, configuration: "Views") { mapping in
        mapping = SQLiteMapping(entities: ["Cheap": SQLiteEntityMapping(table: "loose", key: ["k"])])
      }
    }
    #expect(
      try faults() == [
        "entities.Cheap.key: several rows of loose have the same key (k: the whole number 2); name columns that tell the "
          + "rows apart"
      ])
    try shop.run("DELETE FROM loose WHERE k = 2; INSERT INTO loose VALUES (NULL, 'd')")
    #expect(try faults()[0].contains("a row of loose has nothing in its key"))
    try shop.run("DELETE FROM loose WHERE k IS NULL")
    #expect(try faults() == [])
  }

  @Test("rows of a table without a key are told apart by their rowid")
  func rowID() throws {
    let shop = try ForeignShop()
    try shop.run("CREATE TABLE loose (v REAL); INSERT INTO loose VALUES (1.5), (2.5)")
    let file = try shop.open(
      SQLiteMapping(entities: [
        "Cheap": SQLiteEntityMapping(table: "loose", key: ["rowid"], attributes: ["amount": "v"])
      ]), configuration: "Views")
    #expect(try file.rows("Cheap", where: "amount > 2").map(\.reference) == [2])
    var edit = SQLiteEditor(file)
    try edit.insert("Cheap", ["amount": .double(3.5)])
    try edit.update(try #require(try file.rows("Cheap").first), ["amount": .double(9)])
    try edit.save()
    #expect(try shop.texts("SELECT rowid || ' ' || v FROM loose") == ["1 9.0", "2 2.5", "3 3.5"])
  }

  @Test("a store with a mapping is never created, and takes no mapping of another type")
  func opening() throws {
    struct OtherMapping: StoreMapping {}
    let folder = try TemporaryFolder()
    var description = PersistentStoreDescription(.sqlite, at: folder.file("none.db"))
    description.mapping = ForeignShop.mapping
    let model = try ForeignShop.makeModel()
    let missing = description
    #expect {
      try StoreType.sqlite.open(missing, model)
    } throws: { ($0 as? StoreError)?.code == .missingFile }
    description.mapping = OtherMapping()
    let other = description
    #expect {
      try StoreType.sqlite.open(other, model)
    } throws: { ($0 as? StoreError)?.code == .unsupported && "\($0)".contains("OtherMapping") }
  }
}
