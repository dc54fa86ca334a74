import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// What a save changes in the bytes of a document, and what it leaves.
struct MappedWritingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var entity = "Book"
    var key: String
    var property: String
    var value: Value
    /// The lines that go and come.
    var lines: [String]
    var testDescription: String { "\(self.entity) \(self.key), \(self.property) = \(self.value)" }

    init(_ key: String, _ property: String, _ value: Value, _ lines: String..., entity: String = "Book") {
      (self.key, self.property, self.value, self.lines, self.entity) = (key, property, value, lines, entity)
    }
  }

  static let cases: [Case] = [
    Case(
      "b1", "price", .decimal(13), #"-<book code="b1" price="12.50" weight="0.8">"#,
      #"+<book code="b1" price="13" weight="0.8">"#),
    Case(
      "b2", "price", .decimal(8), #"-<book price='7' code="b2">"#, #"+<book price='8' code="b2">"#),
    Case(
      "b1", "weight", .null, #"-<book code="b1" price="12.50" weight="0.8">"#,
      #"+<book code="b1" price="12.50">"#),
    Case(
      "b2", "weight", .double(1.5), #"-<book price='7' code="b2">"#,
      #"+<book price='7' code="b2" weight="1.5">"#),
    Case(
      "b1", "title", .string("A & <B>"), #"-<title lang="en">First</title>"#,
      #"+<title lang="en">A &amp; &lt;B&gt;</title>"#),
    Case(
      "b1", "title", .null, #"-<title lang="en">First</title>"#, #"+<title lang="en" xsi:nil="true"></title>"#
    ),
    Case(
      "b1", "language", .string("\"x\""), #"-<title lang="en">First</title>"#,
      #"+<title lang="&quot;x&quot;">First</title>"#),
    Case(
      "b1", "pages", .int(121), "-<extent><pages>120</pages></extent>", "+<extent><pages>121</pages></extent>"
    ),
    Case("b1", "pages", .null, "-<extent><pages>120</pages></extent>", "+<extent></extent>"),
    Case(
      "b1", "published", .date(Date(timeIntervalSinceReferenceDate: 610_286_460.5)),
      "-<published>2020-05-04T12:00:00Z</published>", "+<published>2020-05-04T12:01:00.5Z</published>"),
    Case("b1", "published", .null, "-<published>2020-05-04T12:00:00Z</published>"),
    Case("b1", "note", .string("n"), "+<note>n</note>"),
    Case("b2", "title", .string("t"), "-<title>x<![CDATA[<y>]]>z</title>", "+<title>t</title>"),
    Case("b2", "note", .string("x"), "-<note/>", "+<note>x</note>"),
    Case("b2", "note", .null, "-<note/>"),
    Case("b2", "available", .bool(false), "-<available>true</available>", "+<available>false</available>"),
    Case("b2", "pages", .int(3), "+<extent>", "+<pages>3</pages>", "+</extent>"),
    Case(
      "b3", "title", .string("T"), #"-<book code="b3"><title xsi:nil="true"/><note></note></book>"#,
      #"+<book code="b3"><title>T</title><note></note></book>"#),
    Case(
      "b3", "pages", .int(3), #"-<book code="b3"><title xsi:nil="true"/><note></note></book>"#,
      #"+<book code="b3"><title xsi:nil="true"/><note></note><extent><pages>3</pages></extent></book>"#),
    Case(
      "bo", "name", .string("B"), "-<author code='bo'>Bo &amp; Co</author>", "+<author code='bo'>B</author>",
      entity: "Author"),
    Case(
      "b1.2", "heading", .string("Two"), #"-<part mark="b1.2"/>"#, #"+<part mark="b1.2">"#,
      "+<heading>Two</heading>",
      "+</part>", entity: "Chapter"),
  ]

  static func row(_ key: String, _ entity: String, _ store: WholeFileStore, _ model: ManagedObjectModel)
    throws -> Snapshot
  {
    let reference = try #require(store.reference(fromText: key))
    return try #require(try store.rows(entity, of: model).first { $0.reference == reference })
  }

  static func change(
    _ document: MappedDocument, _ store: WholeFileStore, _ key: String, _ entity: String,
    _ values: [String: Value]
  ) throws {
    var changes = ChangeSet()
    try changes.update(try Self.row(key, entity, store, document.model), values)
    try store.save(changes)
  }

  @Test("one changed value changes its own bytes alone", arguments: MappedWritingTests.cases)
  func oneValue(_ test: Case) throws {
    let document = try Library.document()
    let store = try document.open()
    let before = try document.text
    try Self.change(document, store, test.key, test.entity, [test.property: test.value])
    let difference = XMLStoreFile.difference(before, try document.text)
    #expect(difference.sorted() == test.lines.sorted())
    let again = try document.open()
    #expect(
      try Self.row(test.key, test.entity, again, document.model).value(test.property, in: document.model)
        == test.value)
  }

  @Test(
    "a value changed and changed back gives the bytes that there were",
    arguments: MappedWritingTests.cases.prefix(9))
  func back(_ test: Case) throws {
    let document = try Library.document(Library.text.replacing("12.50", with: "12.5"))
    let store = try document.open()
    let before = try document.text
    let old = try Self.row(test.key, test.entity, store, document.model).value(
      test.property, in: document.model)
    try Self.change(document, store, test.key, test.entity, [test.property: test.value])
    try Self.change(document, store, test.key, test.entity, [test.property: old])
    if test.value != .null { #expect(try document.text == before) }
    #expect(
      try Self.row(test.key, test.entity, document.open(), document.model).value(
        test.property, in: document.model) == old)
  }

  @Test("a link is written as the key of its destination, and taken away with it")
  func links() throws {
    let document = try Library.document()
    let store = try document.open()
    let bo = try Self.row("bo", "Author", store, document.model)
    func author(_ row: Snapshot?) -> Value {
      guard let row else { return .null }
      return .object(ManagedObjectID(store: StoreID(1), entity: row.entity, reference: row.reference))
    }
    let before = try document.text
    try Self.change(document, store, "b1", "Book", ["author": author(bo)])
    #expect(try document.text == before.replacing("<by ref=\"ada\"/>", with: "<by ref=\"bo\"/>"))
    try Self.change(document, store, "b2", "Book", ["author": author(nil)])
    #expect(try document.text.contains("<by/>"))
    try Self.change(document, store, "b3", "Book", ["author": author(bo)])
    #expect(try document.text.contains("<note></note><by ref=\"bo\"/></book>"))
    let books = try document.links("books", of: "Author", in: document.open())
    #expect(books.mapValues(Set.init) == ["ada": [], "bo": ["b1", "b3"]])
  }

  @Test("a list of keys loses and gains its own elements, and keeps keys that lead nowhere")
  func lists() throws {
    let document = try Library.document()
    let store = try document.open()
    let related = try #require(document.model.entity(named: "Book")?.relationship(named: "related"))
    let rows = try ["b1", "b2", "b3"].map { RowIdentity(try Self.row($0, "Book", store, document.model)) }
    var changes = ChangeSet()
    changes.links = [
      LinkChange(relationship: related.id, owner: rows[0], added: [rows[2]], removed: [rows[1]])
    ]
    let before = try document.text
    try store.save(changes)
    #expect(
      XMLStoreFile.difference(before, try document.text).sorted() == ["+<see>b3</see>", "-<see>b2</see>"])
    #expect(Set(try document.links("related", of: "Book", in: document.open())["b1"] ?? []) == ["b3", "b9"])
    changes.links = [LinkChange(relationship: related.id, owner: rows[1], added: [rows[0]], removed: [])]
    try store.save(changes)
    #expect(try document.text.contains("    <by ref=\"nobody\"/>\n    <see>b1</see>\n  </book>"))
  }

  @Test("a record goes with its lines, and nothing else does")
  func deleting() throws {
    let document = try Library.document()
    let store = try document.open()
    var changes = ChangeSet()
    changes.delete(try Self.row("b2", "Book", store, document.model))
    changes.delete(try Self.row("b1.2", "Chapter", store, document.model))
    let before = try document.text
    try store.save(changes)
    let difference = XMLStoreFile.difference(before, try document.text)
    #expect(difference.allSatisfy { $0.hasPrefix("-") })
    #expect(difference.count == 8, "\(difference)")
    let again = try document.open()
    #expect(try document.values("code", of: "Book", in: again) == [.string("b1"), .string("b3")])
    #expect(try document.values("mark", of: "Chapter", in: again) == [.string("b1.1")])
  }

  @Test("a record that others stand in does not go without them")
  func deletingAround() throws {
    let document = try Library.document()
    let store = try document.open()
    let before = try document.text
    var changes = ChangeSet()
    changes.delete(try Self.row("b1", "Book", store, document.model))
    let error = #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(error?.code == .conflict)
    #expect(try document.text == before)
    for key in ["b1.1", "b1.2"] { changes.delete(try Self.row(key, "Chapter", store, document.model)) }
    try store.save(changes)
    #expect(try document.values("code", of: "Book", in: document.open()) == [.string("b2"), .string("b3")])
  }
}
