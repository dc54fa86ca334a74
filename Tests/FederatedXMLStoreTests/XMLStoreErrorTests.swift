import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// Documents that do not open, and where they say why.
@Suite struct XMLStoreErrorTests {
  private func error(opening content: some Sequence<UInt8>, _ model: ManagedObjectModel) throws -> StoreError
  {
    let file = try XMLStoreFile(model)
    try Data(content).write(to: file.url)
    let error = #expect(throws: StoreError.self) { try file.open() }
    #expect(error?.store == file.url)
    return try #require(error)
  }

  private func line(_ error: StoreError) -> Int? {
    if case .text(let line, _)? = error.place { line } else { nil }
  }

  private static func object(_ inside: String, type: String = "ITEM", id: String = "z102") -> String {
    XMLStoreDocument.store(
      "    <object type=\"\(type)\" id=\"\(id)\">\n        \(inside)\n    </object>\n", info: false)
  }

  @Test(arguments: [
    ("small", "int16", "40000"), ("small", "int16", ""), ("middle", "int32", "1.5"), ("large", "int64", "x"),
    ("large", "int64", "9223372036854775808"), ("price", "decimal", "1,5"), ("price", "decimal", ""),
    ("price", "decimal", "1-2"), ("price", "decimal", "1.2.3"), ("price", "decimal", "1e"),
    ("price", "decimal", "."), ("price", "decimal", "+"),
    ("price", "decimal", "NaN"),
    ("ratio", "double", "one"), ("ratio", "double", "0x1p3"), ("duedate", "date", "2020-01-01"),
    ("duedate", "date", "inf"), ("isdone", "bool", "2"), ("picture", "binary", "A"),
    ("picture", "binary", "AP8*"),
    ("picture", "binary", "AA==AA=="), ("key", "uuid", "1152"),
  ])
  func `a value that does not fit its attribute names entity, attribute and line`(
    name: String, type: String, text: String
  ) throws {
    let document = Self.object("<attribute name=\"\(name)\" type=\"\(type)\">\(text)</attribute>")
    let error = try self.error(opening: document.utf8, try XMLStoreModels.everything())
    #expect(error.code == .unreadableValue)
    #expect(self.line(error) == 6, "\(error)")
    #expect(error.detail.hasPrefix("Item, ") && error.detail.lowercased().contains(name), "\(error)")
  }

  @Test(arguments: [
    ("<attribute type=\"string\">x</attribute>", "name"),
    ("<attribute name=\"folder\">x</attribute>", "relationship"),
    ("<relationship name=\"title\" idrefs=\"z1\"/>", "attribute"),
    ("<relationship name=\"folder\" idrefs=\"z1 z2\"/>", "to-one"),
    ("<attribute name=\"title\"><b/></attribute>", "text alone"),
  ])
  func `a property that is not what the model says is refused with its line`(inside: String, word: String)
    throws
  {
    let error = try self.error(opening: Self.object(inside, type: "NOTE").utf8, try XMLStoreModels.notes())
    #expect(error.code == .malformed && self.line(error) == 6, "\(error)")
    #expect(error.detail.contains(word), "\(error)")
  }

  @Test(arguments: [
    ("<object type='NOTE' id='z102'/>\n<object type='TASK' id='z102'/>", 6), ("<object id='z102'/>", 5),
    ("\n<object type='NOTE'/>", 6),
  ])
  func `objects need a type and an identifier of their own`(objects: String, line: Int) throws {
    let document = XMLStoreDocument.store(objects, info: false)
    let error = try self.error(opening: document.utf8, try XMLStoreModels.notes())
    #expect(error.code == .malformed && self.line(error) == line, "\(error)")
  }

  @Test func `an object of an abstract entity is refused`() throws {
    let model = try ManagedObjectModel(entities: [EntityDescription("Base", abstract: true)])
    let error = try self.error(opening: Self.object("", type: "BASE").utf8, model)
    #expect(error.code == .malformed && error.detail.contains("abstract"))
  }

  @Test(arguments: [
    "<other/>", "<x:database xmlns:x='urn:x'><object/>", "not xml at all",
    "<database><object type='NOTE' id='z1'>",
    "<database></database><database/>", "{\"json\": true}",
  ])
  func `what is no store of this kind says so: BR-19, BR-93`(document: String) throws {
    let error = try self.error(opening: document.utf8, try XMLStoreModels.notes())
    #expect(error.code == .malformed, "\(error)")
  }

  @Test func `a database of the other kind is named as such: BR-21`() throws {
    let error = try self.error(opening: "SQLite format 3\0".utf8, try XMLStoreModels.notes())
    #expect(error.code == .typeMismatch, "\(error)")
  }

  @Test func `a namespace on the root is named: BR-27`() throws {
    let error = try self.error(opening: "<books xmlns='urn:x'/>".utf8, try XMLStoreModels.notes())
    #expect(error.detail.contains("{urn:x}books"))
  }

  @Test func `a file cut at any place opens nowhere: BR-23`() throws {
    let model = try XMLStoreModels.notes()
    let document = Array(XMLStoreDocument.notes.utf8)
    for length in stride(from: 1, to: document.count - 12, by: 29) {
      let error = try self.error(opening: document[..<length], model)
      #expect(error.code == .malformed && self.line(error) != nil, "\(length): \(error)")
    }
  }

  @Test func `a bad character in the second of five objects is an error with its line: BR-39`() throws {
    let objects = (1...5).map { number in
      let title = number == 2 ? "a\u{1C}b" : "title"
      return
        "<object type='NOTE' id='z\(number)'><attribute name='title' type='string'>\(title)</attribute></object>\n"
    }
    let document = XMLStoreDocument.store(objects.joined(), info: false)
    let error = try self.error(opening: document.utf8, try XMLStoreModels.notes())
    #expect(error.code == .malformed && self.line(error) == 6, "\(error)")
  }

  @Test(arguments: [
    #"[<!ENTITY e SYSTEM "file:///etc/passwd">]"#, #"[<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]"#,
    #"[<!ENTITY a "x"><!ENTITY b "&a;&a;">]"#, #"[<!ATTLIST object type CDATA "NOTE">]"#,
  ])
  func `declarations in the DOCTYPE are refused: BR-45`(subset: String) throws {
    let document = "<!DOCTYPE database \(subset)>\n<database><object type='NOTE' id='z1'/></database>"
    let error = try self.error(opening: document.utf8, try XMLStoreModels.notes())
    #expect(error.code == .refusedContent, "\(error)")
  }

  @Test func `UTF-8 labelled UTF-16 says both: BR-37`() throws {
    let document = "<?xml version='1.0' encoding='UTF-16'?><database/>"
    let error = try self.error(opening: document.utf8, try XMLStoreModels.notes())
    #expect(error.detail.contains("UTF-16") && error.detail.contains("UTF-8"))
  }

  @Test func `UTF-16 reads, and saving says that it cannot`() throws {
    let model = try XMLStoreModels.notes()
    let file = try XMLStoreFile(model)
    let text =
      "<?xml version='1.0' encoding='UTF-16'?>"
      + "<database><object type='NOTE' id='z1'><attribute name='title'>é</attribute></object></database>"
    let bytes = Data([0xFF, 0xFE]) + (try #require(text.data(using: .utf16LittleEndian)))
    try bytes.write(to: file.url)
    let store = try file.open()
    let row = try #require(try store.rows("Note", of: model).first)
    #expect(row.value("title", in: model) == .string("é"))
    var changes = ChangeSet()
    try changes.update(row, ["title": .string("x")])
    let error = #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(error?.code == .unsupported && error?.detail.contains("UTF-16") == true)
    #expect(try Data(contentsOf: file.url) == bytes)
  }

  @Test func `a link to nothing stays and is no reason to fail`() throws {
    let model = try XMLStoreModels.notes()
    let document = Self.object(
      "<relationship name=\"folder\" type=\"0/1\" destination=\"FOLDER\" idrefs=\"gone\"></relationship>",
      type: "NOTE")
    let file = try XMLStoreFile(model, document)
    let store = try file.open()
    let row = try #require(try store.rows("Note", of: model).first)
    let slot = try #require(model.entity(named: "Note")?.relationship(named: "folder")?.slot)
    let destination = try #require(row.destination(slot))
    #expect(store.referenceText(destination.reference) == "gone")
    var changes = ChangeSet()
    try changes.update(row, ["title": .string("t")])
    try store.save(changes)
    #expect(try file.text.contains("idrefs=\"gone\""))
  }

  @Test func `lists that contradict the to-one side are repaired and reported`() throws {
    let model = try XMLStoreModels.notes()
    let file = try XMLStoreFile(
      model,
      XMLStoreDocument.notes.replacing(
        "destination=\"NOTE\" idrefs=\"z103 z104\"", with: "destination=\"NOTE\""))
    let store = try file.open()
    let folder = try #require(try store.rows("Folder", of: model).first)
    #expect(try store.related("notes", of: folder, in: model) == [103, 104])
    #expect(store.repairs.count == 2 && store.repairs.allSatisfy { $0.repair == .added })
  }
}
