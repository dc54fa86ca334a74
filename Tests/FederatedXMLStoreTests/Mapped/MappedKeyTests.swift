import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// Keys of several parts, hierarchies in one document, and documents with other ends of lines.
struct MappedKeyTests {
  private static func object(_ row: Snapshot) -> Value {
    .object(ManagedObjectID(store: StoreID(1), entity: row.entity, reference: row.reference))
  }

  @Test("a key of several parts names a record, and a reference of as many parts leads to it")
  func composite() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Order",
        properties: [
          AttributeDescription("year", .integer32), AttributeDescription("name", .string),
          RelationshipDescription("items", to: "Item", .many, inverse: "order"),
        ]),
      EntityDescription(
        "Item",
        properties: [
          AttributeDescription("id", .integer32),
          RelationshipDescription("order", to: "Order", .one, inverse: "items"),
        ]),
    ])
    let mapping = XMLMapping(entities: [
      "Order": XMLEntityMapping(
        records: "/r/o", key: ["year", "name"], attributes: ["year": "@y", "name": "@n"]),
      "Item": XMLEntityMapping(
        records: "/r/i", key: ["id"], attributes: ["id": "@id"],
        relationships: ["order": .references(["@oy", "on"])]),
    ])
    let text = "<r><o y='1' n='a,b'/><o y='01' n='c'/><i id='7' oy='1'><on>c</on></i><i id='8'/></r>"
    let document = try MappedDocument(text, mapping, model)
    let store = try document.open()
    #expect(try document.links("order", of: "Item", in: store) == ["7": ["1,c"], "8": []])
    let first = try MappedWritingTests.row("1,a%2Cb", "Order", store, model)
    #expect(first.value("name", in: model) == .string("a,b"))
    try MappedWritingTests.change(document, store, "7", "Item", ["order": Self.object(first)])
    try MappedWritingTests.change(document, store, "8", "Item", ["order": Self.object(first)])
    let expected = text.replacing("<on>c</on>", with: "<on>a,b</on>")
      .replacing("<i id='8'/>", with: "<i id='8' oy=\"1\"><on>a,b</on></i>")
    #expect(try document.text == expected)
    try MappedWritingTests.change(document, store, "7", "Item", ["order": .null])
    #expect(
      try document.text == expected.replacing("<i id='7' oy='1'><on>a,b</on></i>", with: "<i id='7'></i>"))
    let duplicate = try MappedDocument("<r><o y='1' n='a'/><o y='1' n='a'/></r>", mapping, model)
    #expect(MappedReadingErrorTests.error(duplicate)?.code == .duplicateKey)
  }

  @Test("entities of one hierarchy are told apart by their paths, and share their keys")
  func hierarchy() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Vehicle", abstract: true, properties: [AttributeDescription("code", .string)]),
      EntityDescription(
        "Car", parent: "Vehicle", properties: [AttributeDescription("doors", .integer16, optional: true)]),
      EntityDescription("Bike", parent: "Vehicle", properties: []),
      EntityDescription(
        "Owner",
        properties: [
          AttributeDescription("name", .string), RelationshipDescription("vehicle", to: "Vehicle", .one),
        ]),
    ])
    let mapping = XMLMapping(entities: [
      "Car": XMLEntityMapping(
        records: "/r/v[@type='car']", key: ["code"], attributes: ["code": "@code", "doors": "doors"]),
      "Bike": XMLEntityMapping(
        records: ["/r/v[@type='bike']", "/r/b"], key: ["code"], attributes: ["code": "@code"]),
      "Owner": XMLEntityMapping(
        records: "/r/p", key: ["name"], attributes: ["name": "@n"],
        relationships: ["vehicle": .reference("@v")]),
    ])
    let text = """
      <r>
        <v type="car" code="c1"><doors>5</doors></v>
        <v type="bike" code="b1"/>
        <b code="b2"/>
        <v type="ship" code="s1"/>
        <p n="ada" v="b1"/>
      </r>
      """
    let document = try MappedDocument(text, mapping, model)
    let store = try document.open()
    #expect(try document.values("code", of: "Bike", in: store) == [.string("b1"), .string("b2")])
    #expect(try store.rows("Vehicle", of: model).count == 3)
    #expect(try document.links("vehicle", of: "Owner", in: store) == ["ada": ["b1"]])
    let car = try MappedAddingTests.reference("c2", "Car", store, model)
    var changes = ChangeSet()
    try changes.insert("Car", car, ["code": .string("c2")], in: model)
    try store.save(changes)
    #expect(XMLStoreFile.difference(text, try document.text) == [#"+<v type="car" code="c2"/>"#])
    #expect(throws: StoreError.self) { try MappedAddingTests.reference("b1", "Car", store, model) }
    let twice = try MappedDocument(text.replacing("b2", with: "c1"), mapping, model)
    #expect(MappedReadingErrorTests.error(twice)?.code == .duplicateKey)
    var other = mapping
    other.entities["Bike"]?.key = []
    let mixed = try MappedDocument(text, other, model)
    #expect(MappedReadingErrorTests.error(mixed)?.code == .cannotOpen)
  }

  @Test("tabs and line ends are those of the document")
  func lineEnds() throws {
    let text = "<?xml version=\"1.0\"?>\r\n<r>\r\n\t<e k=\"1\">\r\n\t\t<v>a</v>\r\n\t</e>\r\n</r>\r\n"
    let document = try MappedReadingTests.records(
      text, at: "/r/e", key: ["k"], ["k": "@k", "v": "v", "w": "w", "x": "c/x"])
    let store = try document.open()
    try MappedWritingTests.change(document, store, "1", "Record", ["w": .string("b\nc"), "x": .string("\r")])
    let changed = text.replacing(
      "<v>a</v>",
      with: "<v>a</v>\r\n\t\t<w>b\nc</w>\r\n\t\t<c>\r\n\t\t\t<x>&#13;</x>\r\n\t\t</c>")
    #expect(try document.text == changed)
    var changes = ChangeSet()
    let reference = try #require(
      try store.references(forKeys: [[.string("2")]], of: EntityID(0)).first)
    try changes.insert("Record", reference, ["k": .string("2"), "v": .string("z")], in: document.model)
    try store.save(changes)
    #expect(
      try document.text
        == changed.replacing("\t</e>\r\n", with: "\t</e>\r\n\t<e k=\"2\">\r\n\t\t<v>z</v>\r\n\t</e>\r\n"))
    changes = ChangeSet()
    changes.delete(try MappedWritingTests.row("2", "Record", store, document.model))
    try store.save(changes)
    try MappedWritingTests.change(document, store, "1", "Record", ["w": .null, "x": .null])
    #expect(try document.text == text.replacing("<v>a</v>", with: "<v>a</v>\r\n\t\t<c>\r\n\t\t</c>"))
  }
}
