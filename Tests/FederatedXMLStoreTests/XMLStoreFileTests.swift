import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// The file as a whole: what a new one looks like, that bytes are the same every time, mode and links.
@Suite struct XMLStoreFileTests {
  @Test func `a new store is an empty file in the layout of the original framework`() throws {
    let file = try XMLStoreFile(try XMLStoreModels.notes())
    let store = try file.open()
    let text = try file.text
    #expect(
      text.hasPrefix(
        """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>\(store.metadata.uuid.uuidString)</UUID>
                <nextObjectID>101</nextObjectID>
                <metadata>
        """))
    #expect(text.hasSuffix("    </databaseInfo>\n</database>\n"))
    #expect(try store.reserveReferences(for: EntityID(0), count: 3) == 102..<105)
    #expect(try file.open().metadata == store.metadata)
  }

  @Test func `metadata reads without a model, whatever the file is called: BR-19`() throws {
    let model = try XMLStoreModels.notes()
    let file = try XMLStoreFile(model, XMLStoreDocument.notes, name: "store.dat")
    let read = try #require(StoreType.xml.readMetadata)
    let metadata = try read(file.url)
    #expect(metadata.uuid == UUID(uuidString: XMLStoreDocument.uuid))
    #expect(metadata.type == "XML" && metadata.entries["Greeting"] == .string("hello"))
    try Data("SQLite format 3\0".utf8).write(to: file.url)
    let error = #expect(throws: StoreError.self) { try read(file.url) }
    #expect(error?.code == .typeMismatch)
  }

  @Test func `fifty saves of one graph give the same bytes: BR-47`() throws {
    let model = try XMLStoreModels.notes()
    var texts = Set<String>()
    for _ in 0..<50 {
      let file = try XMLStoreFile(model, XMLStoreDocument.store("", highest: 101))
      let store = try file.open()
      var changes = ChangeSet()
      // Blocks in any order, as a set of objects would give them.
      for reference in (102..<112).shuffled() {
        try changes.insert("Note", Int64(reference), ["title": .string("n\(reference)")], in: model)
      }
      try changes.insert("Folder", 120, ["name": .string("f")], in: model)
      let note = try #require(model.entity(named: "Note"))
      let tags = try #require(note.relationship(named: "tags")).id
      try changes.insert("Tag", 121, [:], in: model)
      let tag = RowIdentity(entity: try #require(model.entity(named: "Tag")).id, reference: 121)
      for reference in (102..<112).shuffled() {
        changes.links.append(
          LinkChange(
            relationship: tags, owner: RowIdentity(entity: note.id, reference: Int64(reference)),
            added: [tag],
            removed: []))
      }
      try store.save(changes)
      texts.insert(try file.text)
    }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("idrefs=\"z102 z103 z104 z105 z106 z107 z108 z109 z110 z111\"") == true)
  }

  @Test(arguments: [2047, 2048, 2049, 87_000])
  func `every record arrives: BR-29`(count: Int) throws {
    let model = try XMLStoreModels.everything()
    let objects = (1...count).map { number in
      "    <object type=\"ITEM\" id=\"z\(number)\">\n"
        + "        <attribute name=\"middle\" type=\"int32\">\(number)</attribute>\n    </object>\n"
    }
    let file = try XMLStoreFile(model, XMLStoreDocument.store(objects.joined()))
    let rows = try file.open().rows("Item", of: model)
    let slot = try #require(model.entities[0].layout.column(named: "middle")).slot
    #expect(rows.count == count && rows.first?.int(slot) == 1 && rows.last?.int(slot) == Int64(count))
    #expect(rows.reduce(0) { $0 + $1.int(slot) } == Int64(count) * Int64(count + 1) / 2)
  }

  @Test func `a text of eleven million bytes is read, written and copied: BR-35`() throws {
    let model = try XMLStoreModels.notes()
    let large = String(repeating: "0123456789", count: 1_100_000)
    let file = try XMLStoreFile(
      model,
      XMLStoreDocument.store(
        "<object type='NOTE' id='z102'><attribute name='title' type='string'>\(large)</attribute></object>\n"
          + "<object type='NOTE' id='z103'><attribute name='title' type='string'>x</attribute></object>\n"))
    let store = try file.open()
    let rows = try store.rows("Note", of: model)
    #expect(rows.count == 2 && rows[0].value("title", in: model) == .string(large))
    var changes = ChangeSet()
    try changes.update(rows[1], ["title": .string(large)])
    try store.save(changes)
    let titles = try file.open().rows("Note", of: model).map { $0.value("title", in: model) }
    #expect(titles == [.string(large), .string(large)])
  }

  @Test func `mode is kept and a symbolic link followed: BR-83`() throws {
    let model = try XMLStoreModels.notes()
    let file = try XMLStoreFile(model, XMLStoreDocument.notes)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.url.path())
    let link = file.folder.file("link.xml")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.url)
    let store = try StoreType.xml.open(PersistentStoreDescription(.xml, at: link), model)
    var metadata = store.metadata
    metadata.entries["Greeting"] = .string("new")
    try store.stageMetadata(metadata)
    try store.prepare(ChangeSet(), save: SaveIdentifier()).commit()
    let attributes = try FileManager.default.attributesOfItem(atPath: file.url.path())
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try file.text.contains("<string>new</string>"))
    let kind = try FileManager.default.attributesOfItem(atPath: link.path())[.type] as? FileAttributeType
    #expect(kind == .typeSymbolicLink)
  }

  @Test func `a row that somebody else changed in the file is not overwritten: BR-95`() throws {
    let model = try XMLStoreModels.notes()
    let file = try XMLStoreFile(model, XMLStoreDocument.notes)
    let store = try file.open()
    let foreign = XMLStoreDocument.notes.replacing(">tag<", with: ">TAG<")
    try Data(foreign.utf8).write(to: file.url, options: .atomic)
    var changes = ChangeSet()
    try changes.update(try #require(try store.rows("Tag", of: model).first), ["name": .string("x")])
    let error = #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(error?.code == .conflict)
    #expect(try file.text == foreign)
  }
}
