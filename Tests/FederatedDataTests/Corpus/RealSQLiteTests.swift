import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("Real SQLite stores", .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct RealSQLiteTests {
  private let folder: TemporaryFolder
  private let corpus: URL

  init() throws {
    self.folder = try TemporaryFolder()
    self.corpus = try #require(TestFiles.corpus)
  }

  /// Opens a copy of the first file read-only, with the others beside it.
  private func open(_ files: String..., model: String) throws -> PersistentContainer {
    for file in files { _ = try self.folder.copy(self.corpus.appending(path: file)) }
    let store = self.folder.file(self.corpus.appending(path: files[0]).lastPathComponent)
    var description = PersistentStoreDescription(.sqlite, at: store, readOnly: true)
    description.ignoresModelVersion = true
    return try PersistentContainer(
      model: ModelFile.load(at: self.corpus.appending(path: model)), stores: [description])
  }

  /// Closes the store, and checks that the files are as they came and that none is left beside them.
  private func checkUnchanged(_ container: PersistentContainer, _ files: String...) throws {
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
    let state = try FolderState(self.folder.url)
    #expect(state.files.count == files.count)
    for file in files {
      let original = self.corpus.appending(path: file)
      #expect(try state.files[original.lastPathComponent] == Data(contentsOf: original))
    }
  }

  @Test("Bookmarks: ordered children and favourites, with the write-ahead log beside the file")
  func bookmarks() throws {
    let container = try self.open(
      "stores/Bookmarks_V5.sqlite", "stores/Bookmarks_V5.sqlite-wal", model: "stores/Bookmarks_V5.model")
    let context = container.makeContext()
    func folder(_ uuid: String) throws -> ManagedObject {
      try #require(try context.fetch(FetchRequest("BookmarkEntity", where: "uuid == %@", uuid)).first)
    }
    func uuids(_ objects: [ManagedObject]) throws -> [Value] { try objects.map { try $0.value("uuid") } }
    #expect(
      try uuids(folder("bookmarks_root").objects("children"))
        == ["1", "2", "3", "4", "5"].map { .string($0) })
    #expect(try uuids(folder("3").objects("children")) == ["31", "32", "33"].map { .string($0) })
    #expect(
      try uuids(folder("favorites_root").objects("favorites"))
        == ["5", "4", "33", "32", "2"].map { .string($0) })
    #expect(try context.count(for: FetchRequest("BookmarkEntity")) == 10)
    try self.checkUnchanged(container, "stores/Bookmarks_V5.sqlite", "stores/Bookmarks_V5.sqlite-wal")
  }

  @Test("SampleModel: inheritance in one table, counts and owners")
  func sampleModel() throws {
    let container = try self.open(
      "stores/SampleModel_V1.sqlite", model: "models/model-cdp-sample1/SampleModel.xcdatamodeld")
    let context = container.makeContext()
    #expect(try context.count(for: FetchRequest("Car")) == 125)
    #expect(try context.count(for: FetchRequest("SportCar")) == 10)
    #expect(try context.count(for: FetchRequest("ExpensiveSportCar")) == 5)
    var exact = FetchRequest("Car")
    exact.includesSubentities = false
    #expect(try context.count(for: exact) == 115)
    #expect(try context.count(for: FetchRequest("Car", where: "maker == %@", "FIAT")) == 103)
    #expect(try context.count(for: FetchRequest("Car", where: "owner == nil")) == 7)
    #expect(try context.count(for: FetchRequest("Person", where: "cars.@count == 100")) == 1)
    let owner = try #require(
      try context.fetch(
        FetchRequest("Person", where: "firstName == %@ AND lastName == %@", "Theodora", "Stone")
      ).first)
    #expect(try owner.objects("cars").count == 100)
    try self.checkUnchanged(container, "stores/SampleModel_V1.sqlite")
  }

  @Test("CoreDataBooks: the oldest layout, whole-second dates before 2001")
  func books() throws {
    let container = try self.open(
      "stores/CoreDataBooks.CDBStore", model: "models/model-corebooks/CoreDataBooks.xcdatamodeld")
    let context = container.makeContext()
    let books = try context.fetch(FetchRequest("Book", order: [.ascending("copyright")]))
    #expect(books.count == 11)
    #expect(
      try books.first?.value("copyright") == .date(Date(timeIntervalSinceReferenceDate: -2_848_789_424)))
    #expect(try books.last?.value("copyright") == .date(Date(timeIntervalSinceReferenceDate: 255_389_164)))
    var authors: [Value: Int] = [:]
    for book in books { authors[try book.value("author"), default: 0] += 1 }
    #expect(
      authors == [
        .string("Ben Elton"): 2, .string("Bill Bryson"): 2, .string("John Foxx"): 1,
        .string("P. G. Wodehouse"): 2, .string("Richard Dawkins"): 1, .string("Terry Pratchett"): 2,
        .string("Yorick Wilks"): 1,
      ])
    try self.checkUnchanged(container, "stores/CoreDataBooks.CDBStore")
  }
}
