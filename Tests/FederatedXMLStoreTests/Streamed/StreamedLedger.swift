import FederatedModel
import FederatedStore
import FederatedStoreTesting
import Foundation

@testable import FederatedXMLStore

/// A random document with records of every kind, and its mapping: what is loaded both ways.
enum StreamedLedger {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Folder",
        properties: [
          AttributeDescription("number", .integer64), AttributeDescription("name", .string, optional: true),
          RelationshipDescription("parent", to: "Folder", inverse: "children"),
          RelationshipDescription("children", to: "Folder", .many, inverse: "parent"),
          RelationshipDescription("records", to: "Record", .many, inverse: "folder"),
        ]),
      EntityDescription(
        "Record",
        properties: [
          AttributeDescription("number", .integer64),
          AttributeDescription("small", .integer16, optional: true),
          AttributeDescription("price", .decimal, optional: true),
          AttributeDescription("weight", .double, optional: true),
          AttributeDescription("title", .string, optional: true),
          AttributeDescription("isOpen", .boolean, optional: true),
          AttributeDescription("date", .date, optional: true),
          AttributeDescription("uuid", .uuid, optional: true),
          RelationshipDescription("folder", to: "Folder", inverse: "records"),
          RelationshipDescription("tags", to: "Tag", .many, inverse: "records"),
          RelationshipDescription("follows", to: "Record"),
          RelationshipDescription("parts", to: "Part", .orderedMany, inverse: "record"),
        ]),
      EntityDescription(
        "Note", parent: "Record", properties: [AttributeDescription("text", .string, optional: true)]),
      EntityDescription(
        "Tag",
        properties: [
          AttributeDescription("label", .string),
          RelationshipDescription("records", to: "Record", .many, inverse: "tags"),
        ]),
      EntityDescription(
        "Part",
        properties: [
          AttributeDescription("heading", .string, optional: true),
          AttributeDescription("length", .integer32, optional: true),
          RelationshipDescription("record", to: "Record", inverse: "parts"),
        ]),
    ])
  }

  static var mapping: XMLMapping {
    var record = XMLEntityMapping(
      records: "/l:ledger/l:record", key: ["number"],
      attributes: [
        "number": "@n", "small": "l:small", "price": "@price", "weight": "l:weight", "title": "l:title",
        "isOpen": "l:open", "date": "l:date", "uuid": "l:uuid",
      ],
      relationships: [
        "folder": .reference("@folder"), "tags": .reference("l:tag/@ref"), "follows": .reference("l:follows"),
        "parts": .records("l:parts/l:part"),
      ])
    var entities = ["Record": record]
    record.records = ["/l:ledger/l:notes/l:note"]
    record.attributes["text"] = "l:text"
    entities["Note"] = record
    entities["Folder"] = XMLEntityMapping(
      records: "/l:ledger/l:folder", key: ["number"], attributes: ["number": "l:number", "name": "l:name"],
      relationships: ["children": .records("l:folder")])
    entities["Tag"] = XMLEntityMapping(
      records: "/l:ledger/l:tags/l:tag", key: ["label"], attributes: ["label": "."])
    entities["Part"] = XMLEntityMapping(
      records: [], attributes: ["heading": "l:heading", "length": "@length"])
    return XMLMapping(entities: entities, namespaces: ["l": "urn:ledger"], zone: .utc)
  }

  static let texts = [
    "", " ", "a", "A", "ab", "Ada", "\u{e9}", "e\u{301}", "straße", "100%", "it's", "x < y",
  ]

  static func document(seed: UInt64, records: Int = 40) throws -> MappedDocument {
    var random = SeededGenerator(seed: seed)
    var text = "<ledger xmlns=\"urn:ledger\">\n<tags>"
    let tags = ["red", "12", "007", "größer", "late"]
    for tag in tags { text += "<tag>\(tag)</tag>" }
    text += "</tags>\n" + self.folders(&random)
    for number in 1...records { text += self.record("record", number, tags, &random) }
    text += "<notes>\n"
    for number in 1...records / 2 { text += self.record("note", records + number, tags, &random) }
    return try MappedDocument(text + "</notes>\n</ledger>\n", self.mapping, try self.model())
  }

  /// The number of a folder stands behind the folders inside it.
  private static func folders(_ random: inout SeededGenerator) -> String {
    (0..<4).map { place in
      let inner = (0..<random.under(3)).map {
        "<folder><number>\(10 * place + $0 + 11)</number><name>\(self.escaped(self.pick(&random)))</name></folder>"
      }
      return
        "<folder><name>\(self.escaped(self.pick(&random)))</name>\(inner.joined())<number>\(place + 1)</number></folder>\n"
    }.joined()
  }

  private static func pick(_ random: inout SeededGenerator) -> String {
    self.texts[random.under(self.texts.count)]
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("'", with: "&apos;")
  }

  private static func record(
    _ name: String, _ number: Int, _ tags: [String], _ random: inout SeededGenerator
  ) -> String {
    var text = "<\(name) n='\(number)'"
    func maybe(_ random: inout SeededGenerator) -> Bool { random.under(4) > 0 }
    if maybe(&random) { text += " price='\(random.under(40)).\(random.under(10))'" }
    if maybe(&random) { text += " folder='\([1, 2, 3, 4, 11, 99][random.under(6)])'" }
    text += ">"
    if maybe(&random) { text += "<small> \(random.under(9) - 4) </small>" }
    if maybe(&random) { text += "<weight>\(["0", "-0.0", "1.5", "1e300", "0.1"][random.under(5)])</weight>" }
    if maybe(&random) { text += "<title>\(self.escaped(self.pick(&random)))</title>" }
    if maybe(&random) { text += "<open>\(random.under(2) == 0)</open>" }
    if maybe(&random) { text += "<date>2020-0\(1 + random.under(9))-01T00:00:0\(random.under(3)).5Z</date>" }
    if maybe(&random) { text += "<uuid>00000000-0000-0000-0000-00000000000\(random.under(4))</uuid>" }
    for tag in tags where random.under(3) == 0 { text += "<tag ref='\(tag)'/>" }
    if maybe(&random) { text += "<follows>\(1 + random.under(70))</follows>" }
    let parts = (0..<random.under(4)).map {
      "<part length='\(random.under(5))'><heading>\(number).\($0)</heading></part>"
    }
    if !parts.isEmpty { text += "<parts>\(parts.joined())</parts>" }
    if name == "note" { text += "<text>\(self.escaped(self.pick(&random)))</text>" }
    return text + "</\(name)>\n"
  }
}

extension MappedDocument {
  /// The document without holding it.
  func stream() throws -> any PersistentStore {
    var mapping = self.mapping
    mapping.loading = .streamed
    var description = PersistentStoreDescription(.xml, at: self.url, name: "document")
    description.mapping = mapping
    return try StoreType.xml.open(description, self.model)
  }
}

extension SeededGenerator {
  fileprivate mutating func under(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
