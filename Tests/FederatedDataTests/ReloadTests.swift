import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("A file that was replaced from outside")
struct ReloadTests {
  /// Books in one file, their notes in another.
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Book") {
        AttributeDescription("code", .string)
        FetchedPropertyDescription("notes", of: "Note", where: "bookCode == $FETCH_SOURCE.code")
        FetchedPropertyDescription("twins", of: "Book", where: "code == $FETCH_SOURCE.code")
      }
      EntityDescription("Note") {
        AttributeDescription("bookCode", .string)
        AttributeDescription("text", .string, optional: true)
      }
      ModelConfiguration("Books", entities: ["Book"])
      ModelConfiguration("Notes", entities: ["Note"])
    }
  }

  private static func open(_ folder: TemporaryFolder, _ type: StoreType) throws -> PersistentContainer {
    try PersistentContainer(
      model: self.model(),
      stores: [
        PersistentStoreDescription(.xml, at: folder.file("books.xml"), configuration: "Books"),
        PersistentStoreDescription(type, at: folder.file("notes.data"), configuration: "Notes"),
      ])
  }

  @Test(
    "is taken in by a reload: its objects read anew, and arrays that lead there are asked for again",
    arguments: [StoreType.xml, .sqlite])
  func reload(type: StoreType) throws {
    let folder = try TemporaryFolder()
    let container = try Self.open(folder, type)
    let context = container.makeContext()
    let book = try context.insert("Book")
    try book.set("code", to: "a")
    let note = try context.insert("Note")
    try note.set("bookCode", to: "a")
    try note.set("text", to: "old")
    try context.save()
    #expect(try book.fetched("notes") == [note])
    let twins = try book.fetched("twins")

    let other = try Self.open(folder, type).makeContext()
    let changed = try #require(try other.fetch(FetchRequest("Note")).first)
    try changed.set("text", to: "new")
    let added = try other.insert("Note")
    try added.set("bookCode", to: "a")
    try other.save()
    #expect(try note.value("text") == .string("old"))
    #expect(try book.fetched("notes") == [note])

    try container.coordinator.reload(try #require(container.coordinator.store(named: "Notes")))
    let reads = container.coordinator.statisticsByStore["Books"]?.reads
    #expect(try book.fetched("notes").count == 2)
    #expect(try note.value("text") == .string("new"))
    // What leads elsewhere is kept.
    #expect(try book.fetched("twins") == twins)
    #expect(container.coordinator.statisticsByStore["Books"]?.reads == reads)
  }

  @Test("keeps unsaved edits above what is stored now")
  func edits() throws {
    let folder = try TemporaryFolder()
    let container = try Self.open(folder, .xml)
    let context = container.makeContext()
    let note = try context.insert("Note")
    try note.set("bookCode", to: "a")
    try context.save()
    try note.set("text", to: "mine")
    let other = try Self.open(folder, .xml).makeContext()
    let changed = try #require(try other.fetch(FetchRequest("Note")).first)
    try changed.set("bookCode", to: "b")
    try other.save()
    try container.coordinator.reload(try #require(container.coordinator.store(named: "Notes")))
    _ = try context.fetch(FetchRequest("Book"))
    #expect(try note.value("bookCode") == .string("b"))
    #expect(try note.value("text") == .string("mine"))
    try context.save()
    #expect(
      try Self.open(folder, .xml).makeContext().count(for: FetchRequest("Note", where: "text == 'mine'")) == 1
    )
  }
}
