import FederatedData
import Foundation

/// Documents of others, read through a mapping and changed in place.
enum MappedTarget {
  private static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel {
        EntityDescription("Item") {
          AttributeDescription("name", .string)
          AttributeDescription("text", .string, optional: true)
          AttributeDescription("number", .integer64, optional: true)
          AttributeDescription("day", .date, optional: true)
        }
      }
    } catch { fatalError("\(error)") }
  }()

  private static let mapping = XMLMapping(
    entities: [
      "Item": XMLEntityMapping(
        records: "//n:i", key: ["name"],
        attributes: [
          "name": "@id", "text": "n:t", "number": "n:m/@v",
          "day": XMLAttributeMapping("n:d", format: .iso8601(.utc), unfit: .asNil, repeated: .last),
        ])
    ], namespaces: ["n": "urn:n"])

  static func run(_ input: Data) throws {
    var description = PersistentStoreDescription(
      .xml, at: try Scratch.file("mapped.xml", input), name: "fuzz")
    description.mapping = self.mapping
    let container = try PersistentContainer(model: self.model, stores: [description])
    defer {
      for store in container.coordinator.stores {
        do { try container.coordinator.remove(store) } catch { fatalError("\(error)") }
      }
    }
    let context = container.makeContext()
    let items = try context.fetch(FetchRequest("Item", order: [.ascending("name")]))
    for item in items { _ = try item.value("text") }
    try items.first?.set("text", to: "changed <&>")
    try items.last?.set("number", to: 7)
    let new = try context.insert("Item")
    try new.set("name", to: "a name that nobody has")
    try context.save()
  }

  static let seeds: [Data] = [
    "<n:r xmlns:n=\"urn:n\">\n  <n:i id=\"a\"><n:t>x</n:t><n:m v=\"1\"/><n:d>2020-01-01</n:d></n:i>\n</n:r>\n",
    "<r xmlns='urn:n'><i id='1'><t><![CDATA[a]]>b</t></i><!-- c --><i id='2'/><?p?><i id='3'><i id='4'/></i></r>",
    "<?xml version='1.0'?><!DOCTYPE r><r xmlns='urn:n'><i id='&lt;&#65;'><t/><d>x</d><d>2021-02-03T04:05:06Z</d></i></r>",
  ].map { Data($0.utf8) }
}
