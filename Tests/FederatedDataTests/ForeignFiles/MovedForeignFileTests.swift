import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

/// A document of others, whose identifier is its place, and a file of the library's own.
@Suite("A save over a file of others that broke off")
struct MovedForeignFileTests {
  private static func open(_ folder: TemporaryFolder, spying: Bool = false) throws -> PersistentContainer {
    let model = try ManagedObjectModel {
      EntityDescription("Item") {
        AttributeDescription("code", .string)
        AttributeDescription("value", .integer64, optional: true)
      }
      EntityDescription("Row") { AttributeDescription("name", .string, optional: true) }
      ModelConfiguration("Items", entities: ["Item"])
      ModelConfiguration("Rows", entities: ["Row"])
    }
    func description(_ type: StoreType, _ file: String, _ configuration: String) -> PersistentStoreDescription
    {
      PersistentStoreDescription(
        spying ? .spying(on: type) : type, at: folder.file(file), name: file, configuration: configuration)
    }
    var items = description(.xml, "items.xml", "Items")
    items.mapping = XMLMapping(entities: [
      "Item": XMLEntityMapping(
        records: "/all/item", key: ["code"], attributes: ["code": "@code", "value": "@value"])
    ])
    return try PersistentContainer(
      model: model, stores: [items, description(.sqlite, "rows.sqlite", "Rows")])
  }

  @Test(
    "is finished after the whole folder was moved",
    arguments: [["items.xml"], ["rows.sqlite"], ["items.xml", "rows.sqlite"]])
  func movedFolder(late: [String]) throws {
    let (folder, moved) = (try TemporaryFolder(), try TemporaryFolder())
    try Data("<all><item code=\"a\" value=\"1\"/></all>".utf8).write(to: folder.file("items.xml"))
    do {
      let container = try Self.open(folder, spying: true)
      for name in late {
        let spy = try #require(container.coordinator.store(named: name) as? SpyStore)
        spy.fail(.commit)
        spy.fail(.recover)
      }
      let context = container.makeContext()
      try #require(try context.fetch(FetchRequest("Item")).first).set("value", to: 2)
      try context.insert("Row")
      #expect(throws: SaveError.self) { try context.save() }
      for store in container.coordinator.stores { try container.coordinator.remove(store) }
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.url.path(percentEncoded: false)) {
      try FileManager.default.moveItem(at: folder.file(file), to: moved.file(file))
    }
    let context = try Self.open(moved).makeContext()
    #expect(try context.count(for: FetchRequest("Item", where: "value == 2")) == 1)
    #expect(try context.count(for: FetchRequest("Row")) == 1)
    let left = try FileManager.default.contentsOfDirectory(atPath: moved.url.path(percentEncoded: false))
    #expect(left.allSatisfy { !$0.hasPrefix(".") }, "\(left)")
  }
}
