import FederatedModel
import FederatedStore
import FederatedStoreTesting
import Foundation
import Testing

@Suite struct ChangeSetTests {
  private func makeChanges(_ open: OpenStore) throws -> ChangeSet {
    let editor = open.edit()
    let folder = try editor.insert("Folder", ["name": .string("e\u{301}")])
    let record = try editor.insert(
      "Record", ["price": .decimal(Decimal(string: "0.1234567890123456789") ?? 0)])
    try open.save(editor)
    let memo = try editor.insert(
      "Memo", ["title": .string("new"), "bytes": .data(Data([0, 255]))], to: ["folder": folder])
    try editor.update(try #require(try open.row(record)), ["weight": .double(-0.1)], to: ["folder": folder])
    editor.delete(try #require(try open.row(folder)))
    editor.link(
      open.relationship("Folder", "pinned"), of: folder, add: [memo], remove: [record], order: [memo])
    return editor.changes()
  }

  private func words(_ blocks: [RowBlock]) -> [[Data]] { blocks.map { [$0.encodedWords, $0.encodedArena] } }

  @Test("a change set comes back from its code as it was")
  func roundTrip() throws {
    let open = try StoreUnderTest(.inMemory, isPersistent: false).open()
    let changes = try self.makeChanges(open)
    let decoder = JSONDecoder()
    decoder.userInfo[.managedObjectModel] = open.model
    let again = try decoder.decode(ChangeSet.self, from: try JSONEncoder().encode(changes))
    #expect(self.words(again.inserted) == self.words(changes.inserted))
    #expect(self.words(again.deleted) == self.words(changes.deleted))
    #expect(self.words(again.updated.map(\.before)) == self.words(changes.updated.map(\.before)))
    #expect(self.words(again.updated.map(\.after)) == self.words(changes.updated.map(\.after)))
    #expect(again.inserted.map(\.entity) == changes.inserted.map(\.entity))
    #expect(again.links == changes.links)
    #expect(again.inserted[0].layout === open.entity("Memo").layout)
  }

  @Test("a code without a model, or with images that do not pair, is refused")
  func refused() throws {
    let open = try StoreUnderTest(.inMemory, isPersistent: false).open()
    let data = try JSONEncoder().encode(try self.makeChanges(open))
    #expect(throws: DecodingError.self) { _ = try JSONDecoder().decode(ChangeSet.self, from: data) }
    let decoder = JSONDecoder()
    decoder.userInfo[.managedObjectModel] = open.model
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    object["after"] = []
    let broken = try JSONSerialization.data(withJSONObject: object)
    #expect(throws: DecodingError.self) { _ = try decoder.decode(ChangeSet.self, from: broken) }
  }
}
