import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// Files that the original framework saved, read as they are.
@Suite(.enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct CorpusTests {
  static func file(_ name: String) throws -> URL {
    try #require(TestFiles.corpus).appending(path: "stores").appending(path: name)
  }

  private func open(_ name: String, _ model: ManagedObjectModel) throws -> SQLiteFileUnderTest {
    try SQLiteFileUnderTest(try Self.file(name), model, readOnly: true)
  }

  @Test("inheritance in one table: counts, makers, owners")
  func cars() throws {
    let cars = try self.open("SampleModel_V1.sqlite", CorpusModels.cars())
    #expect(try cars.rows("Car").count == 125)
    #expect(try cars.rows("Person").count == 20)
    let expensive = try cars.rows("ExpensiveSportCar")
    #expect(try expensive.allSatisfy { try $0.entity == cars.entity("ExpensiveSportCar").id })
    let makers = Dictionary(grouping: try cars.texts(try cars.rows("Car"), "maker").compactMap(\.self)) { $0 }
    #expect(makers.mapValues(\.count)["FIAT"] == 103)
    #expect(makers.count == 10)
    let owned = try cars.rows("Car").filter { try cars.value($0, "owner") != .null }
    #expect(owned.count == 118)
    let people = try cars.rows("Person")
    let owners = try cars.related("Person", "cars", people.map(\.reference))
    let busiest = try #require(owners.indices.max { owners[$0].count < owners[$1].count })
    #expect(owners[busiest].count == 100)
    #expect(try cars.value(people[busiest], "firstName") == .string("Theodora"))
  }

  @Test("entity columns, derived counts, decimals as reals, history tables left alone")
  func library() throws {
    let library = try self.open("SampleModel2_V2.sqlite", CorpusModels.library())
    let books = try library.rows("Book")
    #expect(books.count == 3)
    let counts = try books.map { try library.value($0, "pagesCount") }
    #expect(counts.reduce(0) { if case .int(let count) = $1 { $0 + count } else { $0 } } == 119)
    let pages = try library.related("Book", "pages", books.map(\.reference))
    #expect(pages.map(\.count).reduce(0, +) == 119)
    for page in try library.rows("Page") {
      let slot = try #require(page.block.layout.column(named: "book")).slot
      let book = try #require(page.destination(slot))
      let row = try #require(books.first { $0.reference == book.reference })
      #expect(row.entity == book.entity)
    }
    #expect(try library.rows("Author").count == 1)
    #expect(try library.rows("Writer").count == 1)
    let feedback = try library.query("Feedback", sort: .ascending("rating"))
    #expect(
      try library.rows(feedback).map { $0.double(try #require($0.block.layout.column(named: "rating")).slot) }
        == [3.5, 4.2, 4.3])
  }

  @Test("rows that stand in the write-ahead log, ordered children, ordered favourites")
  func bookmarks() throws {
    let bookmarks = try self.open("Bookmarks_V5.sqlite", CorpusModels.bookmarks())
    let rows = try bookmarks.rows("BookmarkEntity")
    #expect(rows.count == 10)
    var uuid: [Int64: String] = [:]
    for row in rows { uuid[row.reference] = try bookmarks.texts([row], "uuid")[0] }
    func names(_ relationship: String) throws -> [String: [String]] {
      let lists = try bookmarks.related("BookmarkEntity", relationship, rows.map(\.reference))
      let pairs = zip(rows, lists).filter { !$1.isEmpty }.map { (uuid[$0.reference]!, $1.map { uuid[$0]! }) }
      return Dictionary(uniqueKeysWithValues: pairs)
    }
    #expect(
      try names("children") == ["3": ["31", "32", "33"], "bookmarks_root": ["1", "2", "3", "4", "5"]])
    #expect(try names("favorites") == ["favorites_root": ["5", "4", "33", "32", "2"]])
    #expect(try names("favoriteFolders")["33"] == ["favorites_root"])
  }

  @Test("a file without model cache, whole-second dates before 2001")
  func books() throws {
    let books = try self.open("CoreDataBooks.CDBStore", CorpusModels.books())
    let dates = try books.rows("Book").map { try books.value($0, "copyright") }
    #expect(dates.count == 11)
    let seconds = dates.compactMap {
      if case .date(let date) = $0 { date.timeIntervalSinceReferenceDate } else { nil }
    }
    #expect(seconds.min() == -2_848_789_424)
    #expect(seconds.max() == 255_389_164)
    #expect(try books.count(try books.query("Book", where: "author == 'Bill Bryson'")) == 2)
  }

  @Test("a model of two of nine entities; transient relationships have no column")
  func usage() throws {
    let usage = try self.open("DataUsage.sqlite", CorpusModels.usage())
    #expect(try usage.count(try usage.query("LiveUsage", where: "hasProcess != nil")) == 887)
    #expect(try usage.count(try usage.query("Process", where: "hasLiveUsage.@count == 14")) == 2)
    #expect(try usage.count(try usage.query("Process", where: "hasLiveUsage.@count > 14")) == 0)
    let sum = try usage.rows("LiveUsage").reduce(0.0) { sum, row in
      let slot = try #require(row.block.layout.column(named: "wwanIN")).slot
      return sum + (row.isNull(slot) ? 0 : row.double(slot))
    }
    #expect(sum == 2_185_117_868)
  }

  @Test("a copy takes new rows: triggers keep the derived count, history stays as it was")
  func writing() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: try Self.file("SampleModel2_V2.sqlite"), to: folder.file("copy.sqlite"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.file("copy.sqlite").path(percentEncoded: false))
    let library = try SQLiteFileUnderTest(folder.file("copy.sqlite"), try CorpusModels.library())
    let book = try #require(library.rows("Book").first)
    var edit = SQLiteEditor(library)
    try edit.insert(
      "Page", ["number": .int(1000), "isBookmarked": .bool(false)], ["book": RowIdentity(book)])
    try edit.save()
    let raw = try library.store.file.reader()
    #expect(try raw.number("SELECT SUM(ZPAGESCOUNT) FROM ZBOOK") == 120)
    #expect(try raw.number("SELECT Z1_BOOK FROM ZPAGE WHERE ZNUMBER = 1000") == 1)
    #expect(try raw.number("SELECT COUNT(*) FROM ACHANGE") == 126)
  }

  @Test("one entity")
  func users() throws {
    let users = try self.open("SampleModel3_V1.sqlite", CorpusModels.users())
    #expect(try users.rows("User").count == 12)
  }

  @Test(
    "BR-79: reading leaves bytes and folder as they were",
    arguments: [
      ("SampleModel_V1.sqlite", "Person"), ("SampleModel2_V2.sqlite", "Book"),
      ("SampleModel3_V1.sqlite", "User"),
      ("Bookmarks_V5.sqlite", "BookmarkEntity"), ("CoreDataBooks.CDBStore", "Book"),
      ("DataUsage.sqlite", "Process"),
    ])
  func leavesNothing(name: String, entity: String) throws {
    let models = [
      try CorpusModels.cars(), try CorpusModels.library(), try CorpusModels.users(),
      try CorpusModels.bookmarks(),
      try CorpusModels.usage(),
    ]
    let model =
      name.hasPrefix("CoreData")
      ? try CorpusModels.books() : try #require(models.first { $0.entity(named: entity) != nil })
    let folder = try TemporaryFolder()
    let source = try Self.file(name)
    for suffix in ["", "-wal", "-shm"]
    where FileManager.default.fileExists(atPath: source.path(percentEncoded: false) + suffix) {
      try FileManager.default.copyItem(
        at: source.deletingLastPathComponent().appending(path: name + suffix), to: folder.file(name + suffix))
    }
    func content() throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path(percentEncoded: false))
      return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.file($0))) })
    }
    let before = try content()
    let temporary = try FileManager.default.contentsOfDirectory(
      atPath: FileManager.default.temporaryDirectory.path(percentEncoded: false)
    )
    .filter { $0.hasPrefix("FederatedData-") }
    do {
      let readMetadata = try #require(StoreType.sqlite.readMetadata)
      let metadata = try readMetadata(folder.file(name))
      #expect(metadata.type == "SQLite")
      let store = try SQLiteFileUnderTest(folder.file(name), model, readOnly: true)
      #expect(try store.rows(entity).count > 0)
      #expect(store.store.metadata.versionHashes[entity]?.count == 32)
      store.store.close()
    }
    #expect(try content() == before)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: FileManager.default.temporaryDirectory.path(percentEncoded: false)
    )
    .filter { $0.hasPrefix("FederatedData-") && !temporary.contains($0) }
    // Other tests of this process may be reading their own copies.
    #expect(left.count <= 2)
  }
}
