import FederatedModel
import FederatedStore
import FederatedStoreTesting
import Foundation
import TestSupport
import Testing

@Suite("What a journal keeps")
struct JournalModelTests {
  @Test("a model comes back with the same rows and the same hashes")
  func model() throws {
    // The archive checks itself, and throws where it would lose something.
    _ = try JournalModelArchive(try ConformanceModel.make())
    _ = try JournalModelArchive(
      try ManagedObjectModel {
        EntityDescription("Row") {
          AttributeDescription("shape", .transformable(codec: nil), optional: true)
          AttributeDescription("nothing", .undefined, optional: true, transient: true)
          FetchedPropertyDescription("others", of: "Row", where: "final == $FETCH_SOURCE.final")
          AttributeDescription("final", .uuid, optional: true)
        }
      })
  }

  @Test("the pointer beside a store forgets a save and then goes")
  func pointer() throws {
    let folder = try TemporaryFolder()
    let files = SideFiles(of: folder.file("a.xml"))
    let save = SaveIdentifier(isJoint: true)
    let store = UUID()
    var pointer = JournalPointer()
    pointer.entries = [.init(save: save, store: store, files: files, journal: files.journal(of: save))]
    try pointer.write(beside: files)
    #expect(files.hasPointer)
    #expect(try JournalPointer(beside: files).isDone(save, store: store) == false)
    #expect(try JournalPointer(beside: files).isDone(save, store: UUID()) == nil)
    #expect(pointer.entries[0].foundJournal(from: files) == nil)
    try JournalCleaning.forgetLocked(save, beside: files)
    #expect(!files.hasPointer)

    try Data("nonsense".utf8).write(to: files.pointer)
    let error = #expect(throws: StoreError.self) { try JournalPointer(beside: files) }
    #expect(error?.code == .malformed)
  }

  @Test("a lock beside a store has one holder, and leaves no file")
  func lock() throws {
    let folder = try TemporaryFolder()
    let files = SideFiles(of: folder.file("a.xml"))
    let lock = try StoreLock(files)
    let error = #expect(throws: StoreError.self) { try StoreLock(files, waiting: 20) }
    #expect(error?.code == .locked)
    lock.release()
    #expect(!files.lock.isThere)
    let next = try StoreLock(files, waiting: 0)
    lock.release()
    #expect(files.lock.isThere)
    next.release()
  }

  @Test("a path is told from a folder, up and down")
  func relativePaths() {
    let file = URL(filePath: "/data/shop/ledger.sqlite")
    #expect(file.path(relativeTo: URL(filePath: "/data/shop")) == "ledger.sqlite")
    #expect(file.path(relativeTo: URL(filePath: "/data/other/deep")) == "../../shop/ledger.sqlite")
  }
}
