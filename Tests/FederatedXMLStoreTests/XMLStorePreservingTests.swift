import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// Files with more in them than the model knows, and files that others wrote their own way.
@Suite struct XMLStorePreservingTests {
  /// Opens the document with the model of notes, changes the title of note 103 and answers the new text.
  private func retitled(_ document: String, _ title: Value = .string("new")) throws -> String {
    let model = try XMLStoreModels.notes()
    let file = try XMLStoreFile(model, document)
    let store = try file.open()
    let row = try #require(try store.rows("Note", of: model).first { $0.reference == 103 })
    var changes = ChangeSet()
    try changes.update(row, ["title": title])
    try store.save(changes)
    _ = try file.open()
    return try file.text
  }

  @Test(arguments: [
    "<attribute name=\"unknown\" type=\"string\">a &lt; b</attribute>",
    "<relationship name=\"strange\" type=\"0/0\" destination=\"X\" idrefs=\"z900\"/>",
    "<extension kind=\"x\"><attribute name=\"title\" type=\"string\">no</attribute></extension>",
    "<!-- <object> a comment </object> -->", "<?instruction </object>?>", "\n\n\t",
  ])
  func `what stands inside an object and is unknown stays`(extra: String) throws {
    let document = XMLStoreDocument.store(
      "<object id='z103' type='note'>\(extra)<attribute name='title' type='string'>old</attribute>\(extra)</object>\n"
    )
    #expect(try self.retitled(document) == document.replacing(">old<", with: ">new<"))
  }

  @Test(arguments: [
    "<object type=\"STRANGER\" id=\"z120\"><attribute name=\"x\" type=\"string\">1</attribute></object>",
    "<other><object type=\"NOTE\" id=\"z103\"/></other>", "<!-- between -->", "<empty/>",
    "<object type=\"NOTE\" id=\"z104\"/>", "<object type=\"NOTE\" id=\"z104\"></object>",
    "<object type=\"NOTE\" id=\"a&amp;b\"><attribute name=\"title\" type=\"string\">&#65;</attribute></object>",
  ])
  func `what stands between objects and is unknown stays`(extra: String) throws {
    let document = XMLStoreDocument.store(
      "\(extra)\n<object type='NOTE' id='z103'><attribute name='title' type='string'>old</attribute></object>\(extra)\n"
        .replacing(extra, with: "", maxReplacements: extra.contains("object type=\"NOTE\" id") ? 1 : 0))
    #expect(try self.retitled(document) == document.replacing(">old<", with: ">new<"))
  }

  @Test(arguments: [
    (
      "<attribute name=\"title\" type=\"string\"><![CDATA[a<b]]></attribute>",
      "<attribute name=\"title\" type=\"string\">new</attribute>"
    ),
    (
      "<attribute name=\"title\" type=\"string\"/>",
      "<attribute name=\"title\" type=\"string\">new</attribute>"
    ),
    (
      "<attribute name=\"TITLE\"  type='text' lang=\"en\" >x</attribute>",
      "<attribute name=\"TITLE\"  type='text' lang=\"en\" >new</attribute>"
    ),
  ])
  func `a changed value keeps the spelling of its tag`(old: String, new: String) throws {
    let document = XMLStoreDocument.store("<object type='NOTE' id='z103'>\(old)</object>\n")
    #expect(try self.retitled(document) == document.replacing(old, with: new))
  }

  @Test func `an object without anything in it can gain a value`() throws {
    let text = try self.retitled(XMLStoreDocument.store("    <object type='NOTE' id='z103'/>\n"))
    #expect(text.contains("<attribute name=\"title\" type=\"string\">new</attribute>\n"))
  }

  @Test func `a file without information about the store opens, and a save adds it`() throws {
    let model = try XMLStoreModels.notes()
    let objects = "    <object type=\"NOTE\" id=\"z7\"></object>\n"
    let file = try XMLStoreFile(model, XMLStoreDocument.store(objects, info: false))
    let store = try file.open()
    #expect(try store.rows("Note", of: model).map(\.reference) == [7])
    var changes = ChangeSet()
    try changes.insert(
      "Tag", try store.reserveReferences(for: EntityID(0), count: 1).lowerBound, [:], in: model)
    try store.save(changes)
    #expect(try file.text.contains(objects))
    #expect(try file.open().metadata.uuid == store.metadata.uuid)
    #expect(try file.open().rows("Tag", of: model).count == 1)
  }

  @Test(arguments: [
    "<database/>", "<database></database>", "<database>\n</database>", "\u{FEFF}<database />\n",
  ])
  func `an empty database takes rows`(document: String) throws {
    let model = try XMLStoreModels.notes()
    let file = try XMLStoreFile(model, document)
    let store = try file.open()
    var changes = ChangeSet()
    try changes.insert("Tag", 102, ["name": .string("x")], in: model)
    try store.save(changes)
    #expect(try file.open().rows("Tag", of: model).map(\.reference) == [102])
    #expect(try file.open().metadata.uuid == store.metadata.uuid)
  }

  @Test func `numbers keep their spelling until they change: BR-69`() throws {
    let model = try XMLStoreModels.everything()
    let object = """
          <object type="ITEM" id="z102">
              <attribute name="price" type="decimal">100.00</attribute>
              <attribute name="duedate" type="date">12.5</attribute>
              <attribute name="ratio" type="double">1.50e1</attribute>
              <attribute name="picture" type="bin">AQ
                  I=</attribute>
              <attribute name="title" type="string">t</attribute>
          </object>

      """
    let document = XMLStoreDocument.store(object)
    let file = try XMLStoreFile(model, document)
    let store = try file.open()
    let row = try #require(try store.rows("Item", of: model).first)
    #expect(row.value("price", in: model) == .decimal(100) && row.value("ratio", in: model) == .double(15))
    #expect(row.value("picture", in: model) == .data(Data([1, 2])))
    var changes = ChangeSet()
    try changes.update(
      row, ["price": .decimal(100), "dueDate": .date(Date(timeIntervalSinceReferenceDate: 12.5))])
    try store.save(changes)
    #expect(try file.text == document)
    let again = try #require(try store.rows("Item", of: model).first)
    changes = ChangeSet()
    try changes.update(again, ["title": .string("u")])
    try store.save(changes)
    #expect(try file.text == document.replacing(">t<", with: ">u<"))
  }

  @Test(arguments: [
    (#"\u3c00b\u3e00"#, "<b>"), (#"\u2600"#, "&"), (#"\u003c"#, "<"), (#"\u003e\u0026"#, ">&"),
    (#"\u4500"#, "E"), (#"\u5c00u3c00"#, #"\u3c00"#), (#"\u3cd8\u89df"#, "🎉"), (#"\u3cd8x"#, #"\u3cd8x"#),
    (#"\u3c0"#, #"\u3c0"#), (#"\U3c00"#, #"\U3c00"#), (#"\uzzzz"#, #"\uzzzz"#), (#"&lt;\u3c00"#, "<<"),
  ])
  func `escapes of the original framework read`(text: String, value: String) throws {
    let model = try XMLStoreModels.notes()
    let file = try XMLStoreFile(
      model,
      XMLStoreDocument.store(
        "<object type='NOTE' id='z103'><attribute name='title' type='string'>\(text)</attribute></object>"))
    let row = try #require(try file.open().rows("Note", of: model).first)
    #expect(row.value("title", in: model) == .string(value))
  }

  @Test(arguments: [
    "<x:object type='NOTE' id='z103'/>", "<database><object type='NOTE' id='z104'/></database>",
  ])
  func `a change that has no place in the file is refused, never lost`(object: String) throws {
    let model = try XMLStoreModels.notes()
    let prefixed = "<database xmlns:x='urn:x'>\(object)</database>"
    let file = try XMLStoreFile(model, prefixed)
    let store = try file.open()
    var changes = ChangeSet()
    guard let row = try store.rows("Note", of: model).first else { return }
    try changes.update(row, ["title": .string("new")])
    let error = #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(error?.code == .unsupported)
    #expect(try file.text == prefixed)
  }
}
