import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

@Suite struct XMLStoreRewritingTests {
  let model: ManagedObjectModel
  let file: XMLStoreFile
  let store: WholeFileStore

  init() throws {
    self.model = try XMLStoreModels.notes()
    self.file = try XMLStoreFile(self.model, XMLStoreDocument.notes)
    self.store = try self.file.open()
  }

  private func row(_ entity: String, _ reference: Int64) throws -> Snapshot {
    try #require(try self.store.rows(entity, of: self.model).first { $0.reference == reference })
  }

  private func identity(_ entity: String, _ reference: Int64) throws -> RowIdentity {
    RowIdentity(entity: try #require(self.model.entity(named: entity)).id, reference: reference)
  }

  private func relationship(_ entity: String, _ name: String) throws -> RelationshipID {
    try #require(self.model.entity(named: entity)?.relationship(named: name)).id
  }

  private func object(_ entity: String, _ reference: Int64) throws -> Value {
    let entity = try #require(self.model.entity(named: entity)).id
    return .object(ManagedObjectID(store: StoreID(1), entity: entity, reference: reference))
  }

  /// Saves, and answers the lines that differ.
  private func difference(_ changes: ChangeSet) throws -> [String] {
    let before = try self.file.text
    try self.store.save(changes)
    return XMLStoreFile.difference(before, try self.file.text)
  }

  @Test func `both ends of every relationship read, in order where it counts`() throws {
    let folder = try self.row("Folder", 102)
    #expect(try self.store.related("notes", of: folder, in: self.model) == [103, 104])
    #expect(try self.store.related("pinned", of: folder, in: self.model) == [104, 103])
    #expect(try self.store.related("folder", of: self.row("Note", 104), in: self.model) == [102])
    #expect(try Set(self.store.related("notes", of: self.row("Tag", 105), in: self.model)) == [103, 104])
    let destination = try self.row("Note", 103).destination(
      try #require(self.model.entity(named: "Note")?.relationship(named: "folder")?.slot))
    #expect(destination?.reference == 102 && self.store.repairs.isEmpty)
  }

  @Test func `an attribute that becomes nil loses its line and comes back behind the last one`() throws {
    var changes = ChangeSet()
    try changes.update(self.row("Note", 103), ["title": .null])
    #expect(try self.difference(changes) == ["-<attribute name=\"title\" type=\"string\">first</attribute>"])
    changes = ChangeSet()
    try changes.update(self.row("Note", 103), ["title": .string("")])
    #expect(try self.difference(changes) == ["+<attribute name=\"title\" type=\"string\"></attribute>"])
    changes = ChangeSet()
    try changes.update(self.row("Note", 103), ["title": .string("first")])
    try self.store.save(changes)
    #expect(try self.file.text == XMLStoreDocument.notes)
  }

  @Test func `a to-one that changes also changes the lists of both owners`() throws {
    var changes = ChangeSet()
    try changes.insert("Folder", 111, ["name": .string("other")], in: self.model)
    try changes.update(self.row("Note", 103), ["folder": self.object("Folder", 111)])
    let lines = try self.difference(changes)
    #expect(
      lines.contains(
        "+<relationship name=\"notes\" type=\"0/0\" destination=\"NOTE\" idrefs=\"z104\"></relationship>"))
    #expect(
      lines.contains(
        "+<relationship name=\"folder\" type=\"0/1\" destination=\"FOLDER\" idrefs=\"z111\"></relationship>"))
    #expect(
      lines.contains(
        "+<relationship name=\"notes\" type=\"0/0\" destination=\"NOTE\" idrefs=\"z103\"></relationship>"))
    #expect(lines.filter { $0.hasPrefix("-") }.count == 3, "\(lines)")
    let again = try self.file.open()
    #expect(again.repairs.isEmpty)
    let other = try #require(try again.rows("Folder", of: self.model).last)
    #expect(try again.related("notes", of: other, in: self.model) == [103])
  }

  @Test func `a new order is written as idrefs`() throws {
    var changes = ChangeSet()
    changes.links = [
      LinkChange(
        relationship: try self.relationship("Folder", "pinned"), owner: try self.identity("Folder", 102),
        added: [],
        removed: [], order: [try self.identity("Note", 103), try self.identity("Task", 104)])
    ]
    #expect(
      try self.difference(changes).filter { $0.hasPrefix("+") } == [
        "+<relationship name=\"pinned\" type=\"0/0\" destination=\"NOTE\" idrefs=\"z103 z104\"></relationship>"
      ])
    let again = try self.file.open()
    #expect(try again.related("pinned", of: self.row("Folder", 102), in: self.model) == [103, 104])
  }

  @Test func `a pair of a many-to-many changes both ends`() throws {
    var changes = ChangeSet()
    changes.links = [
      LinkChange(
        relationship: try self.relationship("Tag", "notes"), owner: try self.identity("Tag", 105), added: [],
        removed: [try self.identity("Task", 104)])
    ]
    let lines = try self.difference(changes)
    #expect(lines.filter { $0.hasPrefix("+") }.count == 2, "\(lines)")
    #expect(
      lines.contains(
        "+<relationship name=\"notes\" type=\"0/0\" destination=\"NOTE\" idrefs=\"z103\"></relationship>"))
    #expect(lines.contains("+<relationship name=\"tags\" type=\"0/0\" destination=\"TAG\"></relationship>"))
    #expect(try self.file.open().repairs.isEmpty)
  }

  @Test func `a deleted row takes its object and every mention of it along`() throws {
    var changes = ChangeSet()
    changes.delete(try self.row("Note", 104))
    try self.store.save(changes)
    let text = try self.file.text
    #expect(!text.contains("z104"))
    #expect(text.contains("idrefs=\"z103\"></relationship>\n    </object>\n</database>"))
    let again = try self.file.open()
    #expect(again.repairs.isEmpty)
    #expect(try again.rows("Note", of: self.model).map(\.reference) == [103])
  }

  @Test func `new rows stand last, by number, with all their relationships`() throws {
    var changes = ChangeSet()
    try changes.insert("Tag", 112, ["name": .string("b")], in: self.model)
    try changes.insert("Note", 111, ["folder": self.object("Folder", 102)], in: self.model)
    try self.store.save(changes)
    let text = try self.file.text
    #expect(
      text.hasSuffix(
        """
            <object type="NOTE" id="z111">
                <relationship name="folder" type="0/1" destination="FOLDER" idrefs="z102"></relationship>
                <relationship name="pinnedin" type="0/1" destination="FOLDER"></relationship>
                <relationship name="tags" type="0/0" destination="TAG"></relationship>
            </object>
            <object type="TAG" id="z112">
                <attribute name="name" type="string">b</attribute>
                <relationship name="notes" type="0/0" destination="NOTE"></relationship>
            </object>
        </database>

        """))
    #expect(text.contains("<nextObjectID>112</nextObjectID>"))
    #expect(text.contains("idrefs=\"z103 z104 z111\""))
  }

  @Test func `staged metadata is written, and unknown entries stay`() throws {
    var metadata = self.store.metadata
    metadata.entries["Greeting"] = .string("a & b")
    metadata.entries["Extra"] = .array([.bool(true), .data(Data([1, 2])), .double(0.5), .dictionary([:])])
    metadata.entries["When"] = .date(Date(timeIntervalSinceReferenceDate: 86_400))
    try self.store.stageMetadata(metadata)
    try self.store.save(ChangeSet())
    #expect(try self.file.text.contains("<string>a &amp; b</string>"))
    let again = try self.file.open()
    #expect(again.metadata.entries == metadata.entries)
    #expect(again.metadata.entries["NSPersistenceFrameworkVersion"] == .int(1327))
    #expect(try again.rows("Note", of: self.model).count == 2)
  }

  @Test func `a save in two steps changes nothing until it commits`() throws {
    var changes = ChangeSet()
    try changes.update(self.row("Note", 103), ["title": .string("x")])
    let save = try self.store.prepare(changes, save: SaveIdentifier())
    #expect(try self.file.text == XMLStoreDocument.notes)
    save.abandon()
    #expect(try self.file.text == XMLStoreDocument.notes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: self.file.folder.url.path()) == ["store.xml"])
  }
}
