import FederatedData
import Foundation

/// The model of the stores: every type, links of each kind.
enum FuzzModel {
  static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel {
        EntityDescription("Item") {
          AttributeDescription("text", .string, optional: true)
          AttributeDescription("small", .integer16, optional: true)
          AttributeDescription("large", .integer64, optional: true)
          AttributeDescription("price", .decimal, optional: true)
          AttributeDescription("ratio", .double, optional: true)
          AttributeDescription("flag", .boolean, optional: true)
          AttributeDescription("day", .date, optional: true)
          AttributeDescription("bytes", .binary, optional: true)
          AttributeDescription("key", .uuid, optional: true)
          AttributeDescription("link", .uri, optional: true)
          RelationshipDescription("parts", to: "Part", .orderedMany, inverse: "item")
        }
        EntityDescription("Part", parent: "Item") {
          RelationshipDescription("item", to: "Item", inverse: "parts")
        }
      }
    } catch { fatalError("\(error)") }
  }()

  /// The bytes of a store with a few rows.
  static func store(_ type: StoreType) throws -> Data {
    let url = Scratch.folder.appending(path: "seed")
    let container = try PersistentContainer(
      model: self.model, stores: [PersistentStoreDescription(type, at: url, name: "seed")])
    let context = container.makeContext()
    let item = try context.insert("Item")
    try item.set("text", to: "a < b & c\u{e9}")
    try item.set("small", to: 7)
    try item.set("price", to: Decimal(string: "12.50") ?? 0)
    try item.set("ratio", to: 0.1)
    try item.set("flag", to: true)
    try item.set("day", to: Date(timeIntervalSinceReferenceDate: 0.5))
    try item.set("bytes", to: Data([0, 1, 255]))
    try item.set("key", to: UUID())
    for _ in 0..<2 {
      let part = try context.insert("Part")
      try part.set("large", to: 1 << 40)
      try part.set("item", to: item)
    }
    try context.save()
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
    defer { do { try type.destroy?(url) } catch { fatalError("\(error)") } }
    return try Data(contentsOf: url)
  }

  /// Opens a store and reads everything in it, links too.
  static func readAll(_ type: StoreType, at url: URL) throws {
    var description = PersistentStoreDescription(type, at: url, name: "fuzz", readOnly: true)
    description.ignoresModelVersion = true
    let container = try PersistentContainer(model: self.model, stores: [description])
    defer {
      for store in container.coordinator.stores {
        do { try container.coordinator.remove(store) } catch { fatalError("\(error)") }
      }
    }
    let context = container.makeContext()
    for object in try context.fetch(FetchRequest("Item", order: [.ascending("text")])) {
      for attribute in object.entity.attributes { _ = try object.value(attribute.name) }
      for part in try object.objects("parts") { _ = try part.value("text") }
    }
  }
}

enum XMLTarget {
  static func run(_ input: Data) throws {
    let url = try Scratch.file("store.xml", input)
    _ = try FileInspection(of: url)
    try FuzzModel.readAll(.xml, at: url)
  }

  static func seeds() throws -> [Data] {
    let texts = [
      "<?xml version='1.0' encoding='ISO-8859-1'?><!DOCTYPE database SYSTEM 'x'><database/>",
      "<database><object type='PART' id='z1'><attribute name='day' type='date'>1.5</attribute>"
        + "<relationship name='item' idrefs='z2'/></object><object type='ITEM' id='z2'><!-- c --><?p i?>"
        + "<attribute name='bytes'><![CDATA[AAEC]]></attribute><relationship name='parts' idrefs='z1 z9'/></object></database>",
      "<a xmlns:b='urn:c'><b:d e='&#38;&lt;&#x41;'>\u{e9}</b:d></a>",
    ]
    return try [FuzzModel.store(.xml)] + texts.map { Data($0.utf8) }
      + [Data([0xFF, 0xFE]) + (texts[2].data(using: .utf16LittleEndian) ?? Data())]
  }
}

enum SQLiteTarget {
  static func run(_ input: Data) throws {
    let url = try Scratch.file("store.sqlite", input)
    _ = try FileInspection(of: url)
    try FuzzModel.readAll(.sqlite, at: url)
  }

  static func seeds() throws -> [Data] { [try FuzzModel.store(.sqlite), Data("SQLite format 3\0".utf8)] }
}
