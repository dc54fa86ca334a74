import FederatedModel
import FederatedStore
import Foundation
import TestSupport

@testable import FederatedXMLStore

/// A document of one test, and the model and mapping that it is opened with.
final class MappedDocument {
  let folder: TemporaryFolder
  let url: URL
  let model: ManagedObjectModel
  var mapping: XMLMapping

  init(_ text: String, _ mapping: XMLMapping, _ model: ManagedObjectModel) throws {
    self.folder = try TemporaryFolder()
    self.url = self.folder.file("document.xml")
    self.model = model
    self.mapping = mapping
    try Data(text.utf8).write(to: self.url)
  }

  func open(readOnly: Bool = false) throws -> WholeFileStore {
    var description = PersistentStoreDescription(.xml, at: self.url, name: "document", readOnly: readOnly)
    description.mapping = self.mapping
    guard let store = try StoreType.xml.open(description, self.model) as? WholeFileStore else {
      throw StoreError(.unsupported, store: self.url, "another kind of store")
    }
    return store
  }

  var text: String {
    get throws { String(decoding: try Data(contentsOf: self.url), as: UTF8.self) }
  }

  /// The values of one property of all rows of an entity, in the order of their keys.
  func values(_ property: String, of entity: String, in store: WholeFileStore) throws -> [Value] {
    try store.rows(entity, of: self.model).sorted {
      store.referenceText($0.reference) < store.referenceText($1.reference)
    }
    .map { $0.value(property, in: self.model) }
  }

  /// The keys that a relationship leads to, for each row of an entity by its key.
  func links(_ relationship: String, of entity: String, in store: WholeFileStore) throws -> [String: [String]]
  {
    var links: [String: [String]] = [:]
    for row in try store.rows(entity, of: self.model) {
      links[store.referenceText(row.reference)] = try store.related(relationship, of: row, in: self.model).map
      {
        store.referenceText($0)
      }
    }
    return links
  }
}

/// Books, their authors and chapters: elements, attributes, nested records and references.
enum Library {
  static func model() throws -> ManagedObjectModel {
    func text(_ name: String, optional: Bool = true) -> AttributeDescription {
      AttributeDescription(name, .string, optional: optional)
    }
    return try ManagedObjectModel(entities: [
      EntityDescription(
        "Author",
        properties: [
          text("code", optional: false), text("name"),
          RelationshipDescription("books", to: "Book", .many, inverse: "author"),
        ]),
      EntityDescription(
        "Book",
        properties: [
          text("code", optional: false), text("title"), text("note"), text("language"),
          AttributeDescription("pages", .integer32, optional: true),
          AttributeDescription("price", .decimal, optional: true),
          AttributeDescription("weight", .double, optional: true),
          AttributeDescription("published", .date, optional: true),
          AttributeDescription("available", .boolean, optional: true),
          RelationshipDescription("author", to: "Author", .one, inverse: "books"),
          RelationshipDescription("related", to: "Book", .many),
          RelationshipDescription("chapters", to: "Chapter", .orderedMany, inverse: "book"),
        ]),
      EntityDescription(
        "Chapter",
        properties: [
          text("mark", optional: false), text("heading"),
          RelationshipDescription("book", to: "Book", .one, inverse: "chapters"),
        ]),
    ])
  }

  static let mapping = XMLMapping(
    entities: [
      "Author": XMLEntityMapping(
        records: "/l:library/b:authors/b:author", key: ["code"], attributes: ["code": "@code", "name": "."]),
      "Book": XMLEntityMapping(
        records: "/l:library/b:book", key: ["code"],
        attributes: [
          "code": "@code", "title": "b:title", "note": "b:note", "language": "b:title/@lang",
          "pages": "b:extent/b:pages", "price": "@price", "weight": "@weight", "published": "b:published",
          "available": "b:available",
        ],
        relationships: [
          "author": .reference("b:by/@ref"), "related": .reference("b:see"),
          "chapters": .records("b:parts/b:part"),
        ]),
      "Chapter": XMLEntityMapping(
        records: [], key: ["mark"], attributes: ["mark": "@mark", "heading": "b:heading"]),
    ],
    namespaces: ["l": "urn:library", "b": "urn:books"], zone: .utc)

  static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- A library. -->
    <lib:library xmlns:lib="urn:library" xmlns="urn:books" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
      <authors count="2">
        <author code="ada">Ada Lovelace</author>
        <author code='bo'>Bo &amp; Co</author>
      </authors>
      <book code="b1" price="12.50" weight="0.8">
        <title lang="en">First</title>
        <extent><pages>120</pages></extent>
        <published>2020-05-04T12:00:00Z</published>
        <by ref="ada"/>
        <see>b2</see>
        <see>b9</see>
        <!-- kept -->
        <parts>
          <part mark="b1.1"><heading>One</heading></part>
          <part mark="b1.2"/>
        </parts>
        <unknown kind="x">stays</unknown>
      </book>
      <book price='7' code="b2">
        <title>x<![CDATA[<y>]]>z</title>
        <available>true</available>
        <note/>
        <by ref="nobody"/>
      </book>
      <book code="b3"><title xsi:nil="true"/><note></note></book>
    </lib:library>

    """

  static func document(_ text: String = Library.text) throws -> MappedDocument {
    try MappedDocument(text, Library.mapping, try Library.model())
  }
}
