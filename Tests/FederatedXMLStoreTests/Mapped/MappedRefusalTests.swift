import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// What cannot be written in its place alone, and is refused with nothing written.
struct MappedRefusalTests {
  /// Saves one change of one record, which must be refused.
  private func refusal(
    _ document: MappedDocument, _ values: [String: Value], entity: String = "Record"
  ) throws -> StoreError? {
    let store = try document.open()
    let before = try document.text
    let row = try #require(try store.rows(entity, of: document.model).first)
    var changes = ChangeSet()
    try changes.update(row, values)
    let error = #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(try document.text == before)
    #expect(try store.rows(entity, of: document.model).first?.version == row.version)
    return error
  }

  @Test(
    "a text with elements or comments inside is not written over",
    arguments: ["<a>x<b>y</b></a>", "<a>x<!-- c --></a>", "<a><?p i?>x</a>"])
  func mixed(_ element: String) throws {
    let document = try MappedReadingTests.records("<r>\n<e>\(element)</e></r>", at: "/r/e", ["a": "a"])
    let error = try self.refusal(document, ["a": .string("new")])
    #expect(error?.code == .unstorableValue)
    #expect(error?.place?.description.hasPrefix("2:") == true)
    #expect(error?.detail.contains("would be lost") == true)
  }

  @Test("a record's own text is not taken away, and not written beside elements")
  func ownText() throws {
    let plain = try MappedReadingTests.records("<r><e>x</e></r>", at: "/r/e", ["a": "."])
    #expect(try self.refusal(plain, ["a": .null])?.detail.contains("always has a text") == true)
    let nested = try MappedReadingTests.records("<r><e>x<f/></e></r>", at: "/r/e", ["a": "."])
    #expect(try self.refusal(nested, ["a": .string("y")])?.code == .unstorableValue)
    let document = try Library.document()
    let store = try document.open()
    var changes = ChangeSet()
    try changes.insert(
      "Author", try MappedAddingTests.reference("cy", "Author", store, document.model),
      ["code": .string("cy")],
      in: document.model)
    let error = #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(error?.detail.contains("which is never nil") == true)
  }

  @Test("a key stays, and what has no place stays nil")
  func places() throws {
    let document = try MappedReadingTests.records(
      "<r><e k='1'/></r>", at: "/r/e", key: ["k"], ["k": "@k", "v": "@v"])
    let key = try self.refusal(document, ["k": .string("2")])
    #expect(key?.code == .unsupported && key?.detail.contains("part of the key") == true)
    document.mapping.entities["Record"]?.attributes["v"] = nil
    let unmapped = try self.refusal(document, ["v": .string("2")])
    #expect(unmapped?.code == .unsupported && unmapped?.detail.contains("no place") == true)
  }

  @Test("records without a key are changed, and neither added nor deleted")
  func keyless() throws {
    let document = try MappedReadingTests.records("<r><e v='1'/><e v='2'/></r>", at: "/r/e", ["v": "@v"])
    let store = try document.open()
    let rows = try store.rows("Record", of: document.model)
    var changes = ChangeSet()
    try changes.update(rows[1], ["v": .string("3")])
    try store.save(changes)
    #expect(try document.text == "<r><e v='1'/><e v='3'/></r>")
    changes = ChangeSet()
    changes.delete(rows[0])
    let deletion = #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(deletion?.code == .unsupported && deletion?.detail.contains("no key") == true)
    changes = ChangeSet()
    try changes.insert("Record", 3, ["v": .string("4")], in: document.model)
    #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(try document.text == "<r><e v='1'/><e v='3'/></r>")
  }

  @Test("a character that XML cannot hold, and a date that its format cannot hold, are refused (BR-43)")
  func values() throws {
    let text = try MappedReadingTests.records(
      "<r><e a='x'><b>y</b></e></r>", at: "/r/e", ["a": "@a", "b": "b"])
    #expect(try self.refusal(text, ["a": .string("a\u{14}b")])?.code == .unstorableValue)
    #expect(try self.refusal(text, ["b": .string("a\u{14}b")])?.code == .unstorableValue)
    let date = try MappedReadingTests.records(
      "<r><e d='Mon, 04 May 2020 12:00:00 GMT'/></r>", at: "/r/e",
      ["d": XMLAttributeMapping("@d", format: .datePattern("EEE, dd MMM yyyy HH:mm:ss zzz", .required))],
      type: .date)
    #expect(
      try self.refusal(date, ["d": .date(Date(timeIntervalSinceReferenceDate: 0.5))])?.code
        == .unstorableValue)
  }

  @Test("a document in another encoding is read, and not written")
  func encoding() throws {
    let document = try MappedReadingTests.records("", at: "/r/e", key: ["k"], ["k": "@k", "v": "v"])
    var bytes = Data("<?xml version='1.0' encoding='ISO-8859-1'?><r><e k='1'><v>".utf8)
    bytes.append(0xE9)
    bytes.append(Data("</v></e></r>".utf8))
    try bytes.write(to: document.url)
    let store = try document.open()
    let row = try #require(try store.rows("Record", of: document.model).first)
    #expect(row.value("v", in: document.model) == .string("\u{E9}"))
    var changes = ChangeSet()
    try changes.update(row, ["v": .string("x")])
    let error = #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(error?.code == .unsupported)
    #expect(try Data(contentsOf: document.url) == bytes)
  }

  @Test("a save after another program's change is of the document as it is then (BR-95)")
  func changedUnderneath() throws {
    let document = try Library.document()
    let store = try document.open()
    let row = try MappedWritingTests.row("b1", "Book", store, document.model)
    try Data(Library.text.replacing("<note/>", with: "<note>theirs</note>").utf8).write(to: document.url)
    var changes = ChangeSet()
    try changes.update(row, ["note": .string("ours")])
    try store.save(changes)
    let text = try document.text
    #expect(text.contains("<note>theirs</note>") && text.contains("<note>ours</note>"))
    let other = try MappedWritingTests.row("b2", "Book", document.open(), document.model)
    try Data(text.replacing("theirs", with: "theirs again").utf8).write(to: document.url)
    changes = ChangeSet()
    try changes.update(other, ["note": .string("ours")])
    let error = #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(error?.code == .conflict)
    #expect(try document.text.contains("theirs again"))
  }
}
