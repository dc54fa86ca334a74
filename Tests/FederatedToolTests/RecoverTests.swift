import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedTool

@Suite("federate recover")
struct RecoverTests {
  private let folder: TemporaryFolder

  /// A save over two files that the second one lacks.
  init() throws {
    self.folder = try TemporaryFolder()
    let model = try ManagedObjectModel {
      EntityDescription("Row") { AttributeDescription("name", .string, optional: true) }
    }
    let container = try PersistentContainer(
      model: model,
      stores: [
        PersistentStoreDescription(.xml, at: self.folder.file("a.xml")),
        PersistentStoreDescription(.spying(on: .sqlite), at: self.folder.file("b.sqlite")),
      ])
    let spy = try #require(container.coordinator.store(named: "b") as? SpyStore)
    spy.fail(.commit)
    spy.fail(.recover)
    let context = container.makeContext()
    for store in container.coordinator.stores {
      let row = try context.insert("Row")
      try row.set("name", to: "new")
      try context.assign(row, to: store)
    }
    #expect(throws: SaveError.self) { try context.save() }
    for store in container.coordinator.stores { store.close() }
  }

  private func path(_ name: String) -> String { self.folder.file(name).path(percentEncoded: false) }

  private func hiddenFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: self.folder.url.path(percentEncoded: false))
      .filter { $0.hasPrefix(".") }
  }

  @Test("shows what is pending without touching it, finishes it, and then has nothing to show")
  func finishes() throws {
    let before = try self.hiddenFiles()
    for name in ["a.xml", "b.sqlite"] {
      let run = ToolRun("recover", self.path(name))
      #expect(run.status == .pending)
      #expect(run.output.hasPrefix("pending save "))
      #expect(run.output.contains("  - \(self.path("a.xml")): has the save\n"))
      #expect(run.output.contains("  - \(self.path("b.sqlite")): lacks the save\n"))
    }
    #expect(try Set(self.hiddenFiles()) == Set(before))
    let applied = ToolRun("recover", "--apply", self.path("a.xml"))
    #expect(applied.status == .done)
    #expect(applied.output.hasPrefix("finished save "))
    #expect(try self.hiddenFiles() == [])
    let again = ToolRun("recover", self.path("a.xml"), self.path("b.sqlite"))
    #expect(again.status == .done)
    #expect(again.output == "")
  }

  @Test("finds a store that was moved when it is told where, by its identifier")
  func moved() throws {
    try FileManager.default.moveItem(at: self.folder.file("b.sqlite"), to: self.folder.file("moved"))
    let missing = ToolRun("recover", "--apply", self.path("a.xml"))
    #expect(missing.status == .pending)
    #expect(missing.output.contains("  - \(self.path("b.sqlite")): missing"))
    // Any other store does not pass for it.
    let wrong = ToolRun("recover", "--apply", self.path("a.xml"), self.path("a.xml"))
    #expect(wrong.status == .pending)
    let applied = ToolRun("recover", "--apply", self.path("a.xml"), self.path("moved"))
    #expect(applied.status == .done)
    #expect(applied.output.contains("  - \(self.path("moved")): has the save"))
    #expect(try self.hiddenFiles().filter { $0.contains(".joint-") } == [])
  }

  @Test("refuses a store that is not there, and needs one")
  func usage() throws {
    #expect(ToolRun("recover", self.path("nothing")).status == .failed)
    #expect(ToolRun("recover").status == .wrongUsage)
  }
}
