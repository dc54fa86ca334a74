import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// What a mapping reads of a document.
struct MappedReadingTests {
  static func model(_ attributes: [(String, AttributeType)]) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Record", properties: attributes.map { AttributeDescription($0.0, $0.1, optional: true) })
    ])
  }

  static func records(
    _ text: String, at path: String, key: [String] = [], _ attributes: [String: XMLAttributeMapping],
    namespaces: [String: String] = [:], type: AttributeType = .string
  ) throws -> MappedDocument {
    let mapping = XMLMapping(
      entities: ["Record": XMLEntityMapping(records: path, key: key, attributes: attributes)],
      namespaces: namespaces, zone: .utc)
    return try MappedDocument(text, mapping, try Self.model(attributes.keys.sorted().map { ($0, type) }))
  }

  @Test("values come from attributes, children, paths and text, whatever the prefixes (BR-25, BR-31)")
  func values() throws {
    let document = try Library.document()
    let store = try document.open(readOnly: true)
    #expect(
      try document.values("name", of: "Author", in: store) == [.string("Ada Lovelace"), .string("Bo & Co")])
    #expect(
      try document.values("title", of: "Book", in: store) == [.string("First"), .string("x<y>z"), .null])
    #expect(try document.values("language", of: "Book", in: store) == [.string("en"), .null, .null])
    #expect(try document.values("pages", of: "Book", in: store) == [.int(120), .null, .null])
    #expect(try document.values("weight", of: "Book", in: store) == [.double(0.8), .null, .null])
    #expect(try document.values("price", of: "Book", in: store) == [.decimal(12.5), .decimal(7), .null])
    #expect(try document.values("available", of: "Book", in: store) == [.null, .bool(true), .null])
    let noon = Date(timeIntervalSinceReferenceDate: 610_286_400)
    #expect(try document.values("published", of: "Book", in: store) == [.date(noon), .null, .null])
    #expect(store.diagnostics.map(\.code) == [.danglingLinks, .danglingLinks])
  }

  @Test("references are links by key, and records inside records belong to them in their order")
  func links() throws {
    let document = try Library.document()
    let store = try document.open(readOnly: true)
    #expect(try document.links("chapters", of: "Book", in: store)["b1"] == ["b1.1", "b1.2"])
    #expect(try document.links("book", of: "Chapter", in: store) == ["b1.1": ["b1"], "b1.2": ["b1"]])
    #expect(try document.links("books", of: "Author", in: store) == ["ada": ["b1"], "bo": []])
    #expect(try document.links("related", of: "Book", in: store)["b1"] == ["b2", "b9"])
    let texts = store.diagnostics.map(\.description)
    #expect(
      texts.contains { $0.contains("Book.author: 1 link to Author leads to no row, first to \"nobody\"") })
  }

  @Test("the key names a row in URIs, and the identifier is derived from the path")
  func identity() throws {
    let document = try Library.document()
    let (first, second) = (try document.open(), try document.open(readOnly: true))
    let reference = try #require(first.reference(fromText: "ada"))
    #expect(second.reference(fromText: "ada") == reference)
    #expect(first.referenceText(reference) == "ada")
    #expect(first.metadata.uuid == second.metadata.uuid)
    #expect(try Library.document().open().metadata.uuid != first.metadata.uuid)
    #expect(first.metadata.versionHashes.isEmpty)
    #expect(throws: StoreError.self) { try first.stageMetadata(first.metadata) }
  }

  @Test(
    "an empty element is the empty text, an absent one and xsi:nil are nil (BR-41)",
    arguments: [
      ("<a/>", Value.string("")), ("<a></a>", .string("")), ("", .null), ("<a xsi:nil='true'/>", .null),
      ("<a xsi:nil='1'>x</a>", .null), ("<a xsi:nil='false'>x</a>", .string("x")),
      ("<a nil='true'>x</a>", .string("x")),
      ("<a> x </a>", .string(" x ")), ("<a><![CDATA[a<b & c]]></a>", .string("a<b & c")),
      ("<a>x<![CDATA[y]]>z</a>", .string("xyz")), ("<a>x<b>y</b>z<!-- no --></a>", .string("xyz")),
    ])
  func emptiness(_ element: String, _ value: Value) throws {
    let text =
      "<r xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><e>\(element)</e></r>"
    let document = try Self.records(text, at: "/r/e", ["a": "a"])
    #expect(try document.values("a", of: "Record", in: document.open()) == [value])
  }

  @Test("white space counts in texts alone")
  func space() throws {
    let document = try Self.records("<r><e> <n>\n 7 </n></e></r>", at: "/r/e", ["n": "n"], type: .integer32)
    #expect(try document.values("n", of: "Record", in: document.open()) == [.int(7)])
  }

  @Test("a record's own text is not that of its children")
  func ownText() throws {
    let document = try Self.records(
      "<r><e k='1'>a<x>b</x>c</e></r>", at: "/r/e", ["t": ".", "k": "@k", "x": "x"])
    let store = try document.open()
    #expect(try document.values("t", of: "Record", in: store) == [.string("ac")])
    #expect(try document.values("x", of: "Record", in: store) == [.string("b")])
  }

  @Test("a record inside a record of its own name keeps its bounds (BR-33)")
  func nestedNames() throws {
    let text = "<parts><part id='1'><part id='1.1'/><name>n</name></part></parts>"
    let flat = try Self.records(text, at: "/parts/part", key: ["id"], ["id": "@id", "name": "name"])
    #expect(try flat.values("id", of: "Record", in: flat.open()) == [.string("1")])
    let deep = try Self.records(text, at: "//part", key: ["id"], ["id": "@id", "name": "name"])
    #expect(try deep.values("id", of: "Record", in: deep.open()) == [.string("1"), .string("1.1")])
    #expect(try deep.values("name", of: "Record", in: deep.open()) == [.string("n"), .null])
  }

  @Test("steps to any depth, any name and filters by attribute find what they say")
  func steps() throws {
    let text = """
      <r><a><b id="1"><p k="os">mac</p><p k="cpu">arm</p></b></a><c><x><b id="2"><p k="os">linux</p></b></x></c></r>
      """
    let document = try Self.records(
      text, at: "/r//b", key: ["id"], ["id": "@id", "os": "p[@k='os']", "cpu": "*[@k=\"cpu\"]"])
    let store = try document.open()
    #expect(try document.values("os", of: "Record", in: store) == [.string("mac"), .string("linux")])
    #expect(try document.values("cpu", of: "Record", in: store) == [.string("arm"), .null])
  }

  @Test("a document in a namespace that the mapping misses has no records, and says so (BR-27)")
  func namespaces() throws {
    let text = "<b:books xmlns:b='urn:x'><b:book><b:t>1</b:t></b:book></b:books>"
    let without = try Self.records(text, at: "/books/book", ["t": "t"])
    let store = try without.open()
    #expect(try store.rows("Record", of: without.model).isEmpty)
    let diagnostic = try #require(store.diagnostics.first)
    #expect(diagnostic.code == .namespaceMissed)
    #expect(diagnostic.detail.contains("the root is {urn:x}books; the mapping has no namespace"))
    for namespaces in [["n": "urn:x"], ["": "urn:x"]] {
      let prefix = namespaces["n"] == nil ? "" : "n:"
      let with = try Self.records(
        text, at: "/\(prefix)books/\(prefix)book", ["t": "\(prefix)t"].mapValues { XMLAttributeMapping($0) },
        namespaces: namespaces)
      #expect(try with.values("t", of: "Record", in: with.open()) == [.string("1")])
      #expect(try with.open().diagnostics.isEmpty)
    }
  }

  @Test("all records arrive, however many (BR-29)", arguments: [2047, 2048, 2049, 87_000])
  func many(_ count: Int) throws {
    let text = "<r>" + (1...count).map { "<e n=\"\($0)\"><v>\($0 * 2)</v></e>\n" }.joined() + "</r>"
    let document = try Self.records(text, at: "/r/e", key: ["n"], ["n": "@n", "v": "v"], type: .integer64)
    let rows = try document.open().rows("Record", of: document.model)
    #expect(rows.count == count)
    #expect(rows.first?.value("n", in: document.model) == .int(1))
    #expect(rows.last?.value("n", in: document.model) == .int(Int64(count)))
    let sum = rows.reduce(Int64(0)) { sum, row in
      if case .int(let value) = row.value("v", in: document.model) { sum + value } else { sum }
    }
    #expect(sum == Int64(count) * Int64(count + 1))
  }
}
