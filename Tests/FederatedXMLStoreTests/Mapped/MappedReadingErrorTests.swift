import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// What a mapping refuses in a document, and where it says it is.
struct MappedReadingErrorTests {
  static func error(_ document: MappedDocument) -> StoreError? {
    #expect(throws: StoreError.self) { try document.open() }
  }

  @Test("a value that does not fit names record, attribute, path and line, or is nil by choice")
  func unfit() throws {
    let text = "<r>\n<e id='a'><n>7</n></e>\n<e id='b'>\n<n>seven</n></e></r>"
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Record",
        properties: [
          AttributeDescription("id", .string), AttributeDescription("n", .integer16, optional: true),
        ])
    ])
    var entity = XMLEntityMapping(records: "/r/e", key: ["id"], attributes: ["id": "@id", "n": "n"])
    let document = try MappedDocument(text, XMLMapping(entities: ["Record": entity]), model)
    let error = try #require(Self.error(document))
    #expect(error.code == .unreadableValue)
    #expect(error.place?.description.hasPrefix("4:") == true)
    #expect(error.detail.hasPrefix("Record \"b\", n (int16) at n: \"seven\" does not fit the attribute"))
    entity.attributes["n"]?.unfit = .asNil
    document.mapping.entities["Record"] = entity
    let store = try document.open()
    #expect(try document.values("n", of: "Record", in: store) == [.int(7), .null])
    #expect(store.diagnostics.map(\.code) == [.unfitValues])
    #expect(store.diagnostics.first?.count == 1)
  }

  @Test("a value that stands twice is an error with record and line, or the first or last by choice")
  func repeated() throws {
    let text = "<r>\n<e><a>1</a>\n<a>2</a></e></r>"
    func document(_ policy: XMLRepeatedPolicy) throws -> MappedDocument {
      try MappedReadingTests.records(text, at: "/r/e", ["a": XMLAttributeMapping("a", repeated: policy)])
    }
    let error = try #require(Self.error(document(.refuse)))
    #expect(error.code == .malformed)
    #expect(error.place?.description.hasPrefix("3:") == true)
    #expect(error.detail.contains("which begins at line 2"))
    for (policy, value) in [(XMLRepeatedPolicy.first, "1"), (.last, "2")] {
      let document = try document(policy)
      #expect(try document.values("a", of: "Record", in: document.open()) == [.string(value)])
    }
  }

  @Test("two records with one key are an error with both lines")
  func duplicates() throws {
    let document = try MappedReadingTests.records(
      "<r>\n<e k='7'/>\n<e k='8'/>\n<e k='007'/></r>", at: "/r/e", key: ["k"], ["k": "@k"], type: .integer32)
    let error = try #require(Self.error(document))
    #expect(error.code == .duplicateKey)
    #expect(error.detail.contains("the record of line 4 has the key of the one of line 2, Record \"7\""))
    let texts = try MappedReadingTests.records(
      "<r><e k='7'/><e k='007'/></r>", at: "/r/e", key: ["k"], ["k": "@k"])
    #expect(try texts.open().rows("Record", of: texts.model).count == 2)
  }

  @Test("a record without its key is an error with its line")
  func missingKey() throws {
    let document = try MappedReadingTests.records("<r>\n<e/></r>", at: "/r/e", key: ["k"], ["k": "@k"])
    let error = try #require(Self.error(document))
    #expect(error.code == .malformed)
    #expect(error.place?.description.hasPrefix("2:") == true)
    #expect(error.detail.contains("has no k, which is part of its key"))
  }

  @Test("a reference that cannot be a key, and a second record in a to-one, are errors")
  func links() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Owner",
        properties: [
          AttributeDescription("id", .integer32), RelationshipDescription("friend", to: "Owner", .one),
          RelationshipDescription("pet", to: "Pet", .one, inverse: "owner"),
        ]),
      EntityDescription(
        "Pet",
        properties: [
          AttributeDescription("id", .integer32),
          RelationshipDescription("owner", to: "Owner", .one, inverse: "pet"),
        ]),
    ])
    let mapping = XMLMapping(entities: [
      "Owner": XMLEntityMapping(
        records: "/r/o", key: ["id"], attributes: ["id": "@id"],
        relationships: ["friend": .reference("@friend"), "pet": .records("p")]),
      "Pet": XMLEntityMapping(records: [], key: ["id"], attributes: ["id": "@id"]),
    ])
    let unfit = try #require(Self.error(MappedDocument("<r>\n<o id='1' friend='x'/></r>", mapping, model)))
    #expect(
      unfit.code == .unreadableValue && unfit.detail.contains("Owner \"1\", friend: \"x\" cannot be a key"))
    let second = try #require(
      Self.error(MappedDocument("<r><o id='1'><p id='2'/>\n<p id='3'/></o></r>", mapping, model)))
    #expect(second.code == .malformed && second.place?.description.hasPrefix("2:") == true)
    let right = try MappedDocument("<r><o id='1' friend=''><p id='2'/></o></r>", mapping, model)
    let store = try right.open()
    #expect(try right.links("pet", of: "Owner", in: store) == ["1": ["2"]])
    #expect(try right.links("owner", of: "Pet", in: store) == ["2": ["1"]])
    #expect(try right.links("friend", of: "Owner", in: store) == ["1": []])
  }

  @Test("a record whose key stands behind the records inside it is their owner all the same")
  func lateKeys() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Owner",
        properties: [
          AttributeDescription("id", .string),
          RelationshipDescription("pets", to: "Pet", .many, inverse: "owner"),
        ]),
      EntityDescription(
        "Pet",
        properties: [
          AttributeDescription("name", .string),
          RelationshipDescription("owner", to: "Owner", .one, inverse: "pets"),
        ]),
    ])
    let mapping = XMLMapping(entities: [
      "Owner": XMLEntityMapping(
        records: "/r/o", key: ["id"], attributes: ["id": "id"], relationships: ["pets": .records("p")]),
      "Pet": XMLEntityMapping(records: [], key: ["name"], attributes: ["name": "."]),
    ])
    let document = try MappedDocument(
      "<r><o><p>cat</p><id>x</id><p>dog</p></o><o><p>hen</p><id>y</id></o></r>", mapping, model)
    let store = try document.open()
    #expect(try document.links("owner", of: "Pet", in: store) == ["cat": ["x"], "dog": ["x"], "hen": ["y"]])
    #expect(
      try document.links("pets", of: "Owner", in: store).mapValues(Set.init) == [
        "x": ["cat", "dog"], "y": ["hen"],
      ])
  }

  @Test("a file that is missing, damaged, streamed or mapped as another kind is refused")
  func files() throws {
    let document = try Library.document()
    document.mapping.loading = .streamed
    #expect(Self.error(document)?.code == .unsupported)
    document.mapping.loading = .resident
    try Data("<a><b></a>".utf8).write(to: document.url)
    #expect(Self.error(document)?.code == .malformed)
    try FileManager.default.removeItem(at: document.url)
    #expect(Self.error(document)?.code == .missingFile)
    #expect(!FileManager.default.fileExists(atPath: document.url.path(percentEncoded: false)))
    struct Other: StoreMapping {}
    var description = PersistentStoreDescription(.xml, at: document.url)
    description.mapping = Other()
    #expect(throws: StoreError.self) { try StoreType.xml.open(description, document.model) }
  }
}
