import FederatedData
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// Attributes that a store keeps by triggers.
@Suite("Derived attributes")
struct DerivedAttributeTests {
  private func count(_ shelf: ManagedObject) throws -> Value { try shelf.value("volumesCount") }

  @Test("a save that adds, moves and deletes rows shows in the count at once, in the file and in the object")
  func follows() throws {
    let file = try ShelfFile()
    let container = try file.container()
    let context = container.makeContext()
    let shelves = try context.fetch(FetchRequest("Shelf", order: [.ascending("label")]))
    try #require(shelves.count == 2)
    let remarks = try shelves[0].fetched("remarks")
    #expect(try shelves.map(self.count) == [.int(2), .int(1)])
    let volume = try context.insert("Volume")
    try volume.set("shelf", to: shelves[1])
    try context.save()
    #expect(try shelves.map(self.count) == [.int(2), .int(2)])
    try volume.set("shelf", to: shelves[0])
    try context.save()
    #expect(try shelves.map(self.count) == [.int(3), .int(1)])
    context.delete(volume)
    try context.save()
    #expect(try shelves.map(self.count) == [.int(2), .int(1)])
    #expect(try shelves[0].fetched("remarks") == remarks)
    #expect(!context.hasChanges)
    #expect(try file.raw().texts("SELECT ZVOLUMESCOUNT FROM ZSHELF ORDER BY Z_PK") == ["2", "1"])
    #expect(try file.raw().number("SELECT COUNT(*) FROM ACHANGE") == 2)
  }

  @Test("a new object has its count after the save, and what is set there is never written")
  func neverWritten() throws {
    let file = try ShelfFile()
    let context = try file.container().makeContext()
    let shelf = try context.insert("Shelf")
    try shelf.set("volumesCount", to: .int(99))
    let volume = try context.insert("Atlas")
    try volume.set("shelf", to: shelf)
    try context.save()
    #expect(try self.count(shelf) == .int(1))
    try shelf.set("volumesCount", to: .int(50))
    try shelf.set("label", to: .string("C"))
    try context.save()
    #expect(try self.count(shelf) == .int(1))
    #expect(try shelf.value("label") == .string("C"))
    #expect(try file.raw().texts("SELECT ZVOLUMESCOUNT FROM ZSHELF ORDER BY Z_PK") == ["2", "1", "1"])
  }

  @Test("metadata of the application and history survive the save")
  func survives() throws {
    let file = try ShelfFile()
    let container = try file.container()
    let store = try #require(container.coordinator.stores.first)
    let before = store.metadata
    let context = container.makeContext()
    try context.insert("Remark").set("text", to: .string("new"))
    try context.save()
    let readMetadata = try #require(StoreType.sqlite.readMetadata)
    let after = try readMetadata(file.url)
    #expect(after.entries["app"] == before.entries["app"])
    #expect(after == before)
    #expect(
      after.entries["app"]
        == .dictionary(["opened": .int(4), "names": .array([.string("a"), .string("b")])]))
    #expect(try file.raw().number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'CHANGE'") == 2)
    #expect(try file.raw().number("SELECT COUNT(*) FROM Z_MODELCACHE") == 1)
  }

  @Test(
    "the count of a real store goes up and down with its pages",
    .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
  func realStore() throws {
    let folder = try TemporaryFolder()
    let url = try folder.copy(#require(TestFiles.corpus).appending(path: "stores/SampleModel2_V2.sqlite"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: url.path(percentEncoded: false))
    let context = try PersistentContainer(stores: [PersistentStoreDescription(.sqlite, at: url)])
      .makeContext()
    let novel = try #require(try context.fetch(FetchRequest("GraphicNovel")).first)
    guard case .int(let pages) = try novel.value("pagesCount") else { throw Missing() }
    let page = try context.insert("Page")
    try page.set("number", to: .int(1000))
    try page.set("isBookmarked", to: .bool(false))
    try page.set("content", to: .data(Data([1])))
    try page.set("book", to: novel)
    try context.save()
    #expect(try novel.value("pagesCount") == .int(pages + 1))
    context.delete(page)
    try context.save()
    #expect(try novel.value("pagesCount") == .int(pages))
  }

  private struct Missing: Error {}
}
