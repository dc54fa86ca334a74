import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// Real SQLite stores, fact by fact: opened by the model that each keeps, where it keeps one.
@Suite(
  "Facts about real SQLite stores", .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct SQLiteFactsTests {
  static let entries = CorpusEntry.all("coredata-sqlite")

  private static func container(_ entry: CorpusEntry) throws -> PersistentContainer {
    let store = PersistentStoreDescription(.sqlite, at: entry.url(), readOnly: true)
    if entry.facts["modelCache"].text == nil { return try PersistentContainer(stores: [store]) }
    let corpus = try #require(TestFiles.corpus)
    let model = corpus.appending(path: "models/model-corebooks/CoreDataBooks.xcdatamodeld")
    return try PersistentContainer(model: ModelFile.load(at: model), stores: [store])
  }

  private static func store(_ container: PersistentContainer) throws -> SQLiteStore {
    try #require(container.coordinator.stores.first as? SQLiteStore)
  }

  @Test("all six stores are there")
  func count() { #expect(Self.entries.count >= 6) }

  @Test("metadata, identifier and the copy of the model are as stated", arguments: entries)
  func metadata(entry: CorpusEntry) throws {
    let readMetadata = try #require(StoreType.sqlite.readMetadata)
    let metadata = try readMetadata(entry.url())
    #expect(metadata.uuid.uuidString == entry.facts["metadata"]["UUID"].text)
    StatedMetadata.check(metadata, entry.facts["metadata"]["plist"])
    let cache = try SQLiteModelCache(of: entry.url())
    let stated = entry.facts["modelCache"]
    #expect(cache.content?.count == stated["compressedBytes"].int)
    if stated.text == nil {
      let model = try ModelFile.load(cachedIn: entry.url())
      try StatedCompiledModel.check(model, stated["model"], inherited: true)
      let isCover = model.problems.allSatisfy { $0.rule == .unreadableValue && $0.property == "frontCover" }
      #expect(isCover, "\(model.problems)")
    } else {
      let error = try #require(throws: ModelFileError.self) { try ModelFile.load(cachedIn: entry.url()) }
      #expect(error.code == .noModelCache)
    }
  }

  @Test(
    "the file's pages, tables, columns, indexes, triggers and entity numbers are as stated",
    arguments: entries)
  func file(entry: CorpusEntry) throws {
    let head = [UInt8](try Data(contentsOf: entry.url()).prefix(100))
    #expect((head[18] == 2 ? "wal" : "delete") == entry.facts["journalMode"].text)
    let connection = try DatabaseFile(entry.url(), readOnly: true).reader()
    #expect(try connection.number("PRAGMA page_size").map(Int.init) == entry.facts["pageSize"].int)
    #expect(try connection.number("PRAGMA auto_vacuum").map(Int.init) == entry.facts["autoVacuum"].int)
    for kind in ["index", "trigger"] {
      let names = try connection.texts(
        "SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL ORDER BY name", [.text(kind)])
      #expect(
        Set(names) == Set(entry.facts[kind == "index" ? "indexes" : "triggers"].list.compactMap(\.text)))
    }
    let tables = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
    #expect(Set(tables) == Set(entry.facts["tables"].map.keys))
    for (table, facts) in entry.facts["tables"].map {
      var rest = facts.map
      var columns: [String: String] = [:]
      try connection.query("SELECT name, type FROM pragma_table_info(?)", [.text(table)]) {
        (row) throws(StoreError) in columns[row.string(0) ?? ""] = row.string(1)
      }
      #expect(columns == rest.removeValue(forKey: "columns")?.map.compactMapValues(\.text))
      let rows = try connection.number("SELECT COUNT(*) FROM \(table.quotedName)")
      #expect(rows.map(Int.init) == rest.removeValue(forKey: "rows")?.int)
      for (column, count) in rest.removeValue(forKey: "nonNull")?.map ?? [:] {
        let found = try connection.number("SELECT COUNT(\(column.quotedName)) FROM \(table.quotedName)")
        #expect(found.map(Int.init) == count.int, "\(table).\(column)")
      }
      for (column, classes) in rest.removeValue(forKey: "storageClasses")?.map ?? [:] {
        let found = try connection.texts(
          "SELECT DISTINCT typeof(\(column.quotedName)) FROM \(table.quotedName)")
        #expect(Set(found) == Set(classes.list.compactMap(\.text)), "\(table).\(column)")
      }
      // Rows are asked for by their objects, below.
      rest["firstRows"] = nil
      for (number, count) in rest.removeValue(forKey: "rowsByZ_ENT")?.map ?? [:] {
        let found = try connection.number(
          "SELECT COUNT(*) FROM \(table.quotedName) WHERE Z_ENT = ?", [.int(Int64(number) ?? 0)])
        #expect(found.map(Int.init) == count.int)
      }
      #expect(rest.isEmpty, "\(table): nothing reads \(rest)")
    }
    var numbers: [Fact] = []
    try connection.query("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
      (row) throws(StoreError) in
      numbers.append(
        .map([
          "Z_ENT": .whole(row.int(0)), "Z_NAME": .text(row.string(1) ?? ""), "Z_SUPER": .whole(row.int(2)),
          "Z_MAX": .whole(row.int(3)),
        ]))
    }
    #expect(numbers == entry.facts["primaryKey"].list)
  }

  @Test("objects are as many as stated, of each entity and with each value", arguments: entries)
  func objects(entry: CorpusEntry) throws {
    let container = try Self.container(entry)
    let store = try Self.store(container)
    let context = container.makeContext()
    let inspected = try FileInspection(of: entry.url())
    #expect(inspected.uuid?.uuidString == entry.facts["metadata"]["UUID"].text)
    for entity in container.model.entities {
      let place = try #require(store.layout[entity.id])
      let facts = entry.facts["tables"][store.layout.tables[place.table].name]
      let stated = facts["rowsByZ_ENT"].map["\(place.discriminatorValue ?? 0)"]?.int ?? 0
      var exact = FetchRequest(entity.name)
      exact.includesSubentities = false
      #expect(try context.count(for: exact) == stated, "\(entity.name)")
      #expect(inspected.entities.first { $0.name == entity.name }?.rows == stated)
      for column in place.columns where facts["nonNull"].map[column.column] != nil {
        let declarer = entity.property(named: column.property)?.declaringEntity
        guard declarer == entity.id else { continue }
        // Siblings that share a name have columns of their own.
        let found = try context.count(for: FetchRequest(entity.name, where: "%K != nil", column.property))
        #expect(found == facts["nonNull"][column.column].int, "\(entity.name).\(column.property)")
      }
    }
  }

  @Test("the first rows have the values stated, read as objects", arguments: entries)
  func firstRows(entry: CorpusEntry) throws {
    let container = try Self.container(entry)
    let store = try Self.store(container)
    let context = container.makeContext()
    var read = 0
    for (table, facts) in entry.facts["tables"].map {
      for row in facts["firstRows"].list {
        guard let number = row["Z_ENT"].int, let key = row["Z_PK"].int,
          let place = store.layout.entities.compactMap(\.self).first(where: {
            $0.discriminatorValue == Int64(number) && store.layout.tables[$0.table].name == table
          })
        else { continue }
        let object = try context.existingObject(
          with: ManagedObjectID(store: store.id, entity: place.entity, reference: Int64(key)))
        for column in place.columns {
          let fact = row[column.column]
          let name = Comment(rawValue: "\(table) \(key) \(column.property)")
          if column.reference != nil {
            #expect(try object.object(column.property)?.objectID.reference == fact.int.map(Int64.init), name)
          } else {
            #expect(Self.agrees(try object.value(column.property), fact), name)
          }
          read += 1
        }
      }
    }
    #expect(read > 0)
  }

  private static func agrees(_ value: Value, _ fact: Fact) -> Bool {
    switch value {
    case .null: return fact == .null
    case .bool(let flag): return fact.int == (flag ? 1 : 0)
    case .int(let number): return fact.number == Double(number)
    case .double(let number): return fact.number == number
    case .decimal(let number): return fact.number == (number as NSDecimalNumber).doubleValue
    case .string(let text), .uri(let text): return fact.text == text
    case .date(let date): return fact.number == date.timeIntervalSinceReferenceDate
    case .uuid(let uuid):
      return fact["hex"].text == uuid.uuidString.replacing("-", with: "").lowercased()
    case .data(let data):
      let hex = StatedMetadata.hex(data)
      return fact["bytes"].int == data.count
        && (fact["hex"].text == hex || fact["hexPrefix"].text.map { hex.hasPrefix($0) } == true)
    case .object, .list: return false
    }
  }
}
