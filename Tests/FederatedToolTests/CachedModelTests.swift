import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore
@testable import FederatedTool

@Suite("Stores without a model file")
struct CachedModelTests {
  private let folder: TemporaryFolder
  private let store: URL

  /// A store of ours, with a copy of its model as the original framework keeps one.
  init() throws {
    self.folder = try TemporaryFolder()
    self.store = self.folder.file("Notes.dat")
    let model = try ManagedObjectModel {
      EntityDescription("Note") {
        AttributeDescription("tag", .string, optional: true)
        FetchedPropertyDescription(
          "alike", of: "Note", where: "tag == $FETCH_SOURCE.tag AND SELF != $FETCH_SOURCE")
      }
    }
    let container = try PersistentContainer(
      model: model, stores: [PersistentStoreDescription(.sqlite, at: self.store)])
    let context = container.makeContext()
    for tag in ["x", "x", "y"] { try context.insert("Note").set("tag", to: tag) }
    try context.save()
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
    let copy = StoredDeflate.data(try CompiledModel.data(of: model.draft, .cached))
    try DatabaseFile(self.store, readOnly: false).writer()
      .run("INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(copy)])
  }

  private var path: String { self.store.path(percentEncoded: false) }

  @Test("federate fetch needs no model where the store keeps a copy, fetched properties included")
  func fetch() throws {
    let run = ToolRun("fetch", "Note", "--store", "auto=\(self.path)", "--where", "tag == 'x'", "--count")
    #expect(run.output == "2\n")
    #expect(run.messages == "")
    let nested = ToolRun(
      "fetch", "Note", "--store", "sqlite=\(self.path)", "--with", "alike", "--where", "tag == 'y'",
      "--select", "tag")
    #expect(nested.output.contains(#""tag": "y", "alike": []"#), "\(nested.output)")
    let linked = ToolRun("fetch", "Note", "--store", "sqlite=\(self.path)", "--linked", "alike", "--count")
    #expect(linked.output == "2\n", "\(linked.messages)")
  }

  @Test("federate inspect and federate model say where the model came from")
  func inspect() throws {
    let inspected = ToolRun("inspect", self.path)
    #expect(inspected.output.contains("  model: the copy that the store keeps\n"), "\(inspected.output)")
    let shown = ToolRun("model", "show", self.path)
    #expect(shown.output.contains("entity Note"), "\(shown.messages)")
  }

  @Test("a store without a copy asks for its model")
  func noCopy() throws {
    try DatabaseFile(self.store, readOnly: false).writer().execute("DELETE FROM Z_MODELCACHE")
    let run = ToolRun("fetch", "Note", "--store", "sqlite=\(self.path)")
    #expect(run.status == .failed)
    #expect(
      run.messages.contains("keeps no copy of its model (it holds Note). Name its model."), "\(run.messages)")
    #expect(ToolRun("inspect", self.path).output.contains("model: the store keeps no copy of it; name one"))
  }
}
