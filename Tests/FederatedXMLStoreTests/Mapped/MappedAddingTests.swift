import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// Where new records go in a document, and how they look.
struct MappedAddingTests {
  static func reference(_ key: String, _ entity: String, _ store: WholeFileStore, _ model: ManagedObjectModel)
    throws -> Int64
  {
    let id = try #require(model.entity(named: entity)).id
    return try #require(try store.references(forKeys: [[.string(key)]], of: id).first)
  }

  @Test("a new record stands behind the last of its kind, like it")
  func behind() throws {
    let document = try Library.document()
    let store = try document.open()
    var changes = ChangeSet()
    let cy = try Self.reference("cy", "Author", store, document.model)
    try changes.insert("Author", cy, ["code": .string("cy"), "name": .string("C & Y")], in: document.model)
    let before = try document.text
    try store.save(changes)
    #expect(XMLStoreFile.difference(before, try document.text) == [#"+<author code="cy">C &amp; Y</author>"#])
    #expect(try document.text.contains("Co</author>\n    <author code=\"cy\">"))
    #expect(store.referenceText(cy) == "cy")
    #expect(store.reference(fromText: "cy") == cy)
    #expect(try document.open().reference(fromText: "cy") == cy)
    // The row can be changed and deleted in the same store afterwards.
    try MappedWritingTests.change(document, store, "cy", "Author", ["name": .string("Z")])
    #expect(try document.text.contains("<author code=\"cy\">Z</author>"))
    var deletion = ChangeSet()
    deletion.delete(try MappedWritingTests.row("cy", "Author", store, document.model))
    try store.save(deletion)
    #expect(try document.text == before)
  }

  @Test("a new record brings its links, and the new records inside it")
  func whole() throws {
    let document = try Library.document(
      Library.text.replacing("  <book code=\"b3\"><title xsi:nil=\"true\"/><note></note></book>\n", with: ""))
    let store = try document.open()
    let ada = try MappedWritingTests.row("ada", "Author", store, document.model)
    let book = try Self.reference("b4", "Book", store, document.model)
    let chapter = try Self.reference("b4.1", "Chapter", store, document.model)
    let model = document.model
    let bookID = try #require(model.entity(named: "Book")).id
    var changes = ChangeSet()
    try changes.insert(
      "Book", book,
      [
        "code": .string("b4"), "title": .string("Fourth"), "language": .string("de"), "pages": .int(9),
        "author": .object(ManagedObjectID(store: StoreID(1), entity: ada.entity, reference: ada.reference)),
      ], in: model)
    try changes.insert(
      "Chapter", chapter,
      [
        "mark": .string("b4.1"), "heading": .string("H"),
        "book": .object(ManagedObjectID(store: StoreID(1), entity: bookID, reference: book)),
      ], in: model)
    let chapters = try #require(model.entity(named: "Book")?.relationship(named: "chapters"))
    let identity = RowIdentity(entity: chapters.destination, reference: chapter)
    changes.links = [
      LinkChange(
        relationship: chapters.id, owner: RowIdentity(entity: bookID, reference: book), added: [identity],
        removed: [],
        order: [identity])
    ]
    let before = try document.text
    try store.save(changes)
    let expected = """
        <book code="b4">
          <title lang="de">Fourth</title>
          <by ref="ada"/>
          <extent>
            <pages>9</pages>
          </extent>
          <parts>
            <part mark="b4.1">
              <heading>H</heading>
            </part>
          </parts>
        </book>

      """
    let text = try document.text
    #expect(text == before.replacing("</lib:library>", with: "\(expected.dropFirst(0))</lib:library>"))
    let again = try document.open()
    #expect(try document.links("chapters", of: "Book", in: again)["b4"] == ["b4.1"])
    #expect(try document.links("author", of: "Book", in: again)["b4"] == ["ada"])
  }

  @Test("a new record inside one of the document stands behind its siblings")
  func inside() throws {
    let document = try Library.document()
    let store = try document.open()
    let model = document.model
    let chapters = try #require(model.entity(named: "Book")?.relationship(named: "chapters"))
    func add(_ mark: String, to key: String) throws {
      let book = try MappedWritingTests.row(key, "Book", store, model)
      let reference = try Self.reference(mark, "Chapter", store, model)
      var changes = ChangeSet()
      try changes.insert(
        "Chapter", reference,
        [
          "mark": .string(mark),
          "book": .object(ManagedObjectID(store: StoreID(1), entity: book.entity, reference: book.reference)),
        ], in: model)
      let identity = RowIdentity(entity: chapters.destination, reference: reference)
      let list = try store.related("chapters", of: book, in: model).map {
        RowIdentity(entity: chapters.destination, reference: $0)
      }
      changes.links = [
        LinkChange(
          relationship: chapters.id, owner: RowIdentity(book), added: [identity], removed: [],
          order: list + [identity])
      ]
      try store.save(changes)
    }
    let before = try document.text
    try add("b1.3", to: "b1")
    #expect(XMLStoreFile.difference(before, try document.text) == [#"+<part mark="b1.3"/>"#])
    try add("b2.1", to: "b2")
    #expect(
      try document.text.contains(
        "    <by ref=\"nobody\"/>\n    <parts>\n      <part mark=\"b2.1\"/>\n    </parts>\n  </book>"))
    #expect(
      try document.links("chapters", of: "Book", in: document.open())["b1"] == ["b1.1", "b1.2", "b1.3"])
  }

  @Test("the first record of its kind goes into its container; without one it is refused")
  func first() throws {
    let text = "<r xmlns='urn:r'>\n  <es n='0'/>\n</r>"
    func document(_ path: String) throws -> MappedDocument {
      try MappedReadingTests.records(
        text, at: path, key: ["k"], ["k": "@k", "v": "x:v"], namespaces: ["x": "urn:r"])
    }
    func add(_ document: MappedDocument) throws {
      let store = try document.open()
      var changes = ChangeSet()
      for key in ["1", "2"] {
        let reference = try Self.reference(key, "Record", store, document.model)
        try changes.insert("Record", reference, ["k": .string(key), "v": .string("w")], in: document.model)
      }
      try store.save(changes)
    }
    let right = try document("/x:r/x:es/x:e")
    try add(right)
    #expect(
      try right.text
        == text.replacing(
          "<es n='0'/>",
          with:
            "<es n='0'>\n    <e k=\"1\">\n      <v>w</v>\n    </e>\n    <e k=\"2\">\n      <v>w</v>\n    </e>\n  </es>"
        ))
    let wrong = try document("/x:r/x:fs/x:e")
    let error = #expect(throws: StoreError.self) { try add(wrong) }
    #expect(error?.code == .unsupported)
    #expect(try wrong.text == text)
  }

  @Test("a key that is there already, or nil, is refused before anything is written")
  func keys() throws {
    let document = try Library.document()
    let store = try document.open()
    let author = try #require(document.model.entity(named: "Author")).id
    #expect(store.keyAttributes(of: author)?.map(\.name) == ["code"])
    let taken = #expect(throws: StoreError.self) {
      try store.references(forKeys: [[.string("ada")]], of: author)
    }
    #expect(taken?.code == .duplicateKey)
    let twice = #expect(throws: StoreError.self) {
      try store.references(forKeys: [[.string("x")], [.string("x")]], of: author)
    }
    #expect(twice?.code == .duplicateKey)
    let missing = #expect(throws: StoreError.self) { try store.references(forKeys: [[.null]], of: author) }
    #expect(missing?.code == .unstorableValue && missing?.detail.contains("code is part of the key") == true)
    #expect(try store.references(forKeys: [[.string("x")]], of: author).count == 1)
  }
}
