import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// Stores that open without a model file.
@Suite("The copy of the model in a store")
struct ModelCacheTests {
  @Test("a store opens by the copy that it keeps, fetched properties included, and stays as it was")
  func opens() throws {
    let file = try ShelfFile()
    let before = try FolderState(file.folder.url)
    let container = try file.container(readOnly: true)
    #expect(container.model.problems.isEmpty)
    let context = container.makeContext()
    let shelves = try context.fetch(FetchRequest("Shelf", order: [.ascending("label")]))
    let remarks = try shelves.map { try $0.fetched("remarks").map { try $0.value("text") } }
    #expect(remarks == [[.string("good paper")], [.string("Good print")]])
    #expect(try shelves.map { try $0.value("volumesCount") } == [.int(2), .int(1)])
    #expect(try context.count(for: FetchRequest("Volume")) == 3)
    #expect(try context.fetch(FetchRequest("Atlas")).map { try $0.value("maps") } == [.int(7)])
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
    #expect(try FolderState(file.folder.url) == before)
  }

  @Test("a store without a copy, and one whose copy is of other entities or damaged, are told apart")
  func refusals() throws {
    func refusal(_ file: ShelfFile) throws -> ModelFileError {
      try #require(throws: ModelFileError.self) { try ModelFile.load(cachedIn: file.url) }
    }
    let none = try refusal(try ShelfFile(cached: nil))
    #expect(none.code == .noModelCache)
    #expect(none.detail.contains("Atlas, Remark, Shelf, Volume"))
    var other = ShelfFile.draft
    other.entities.removeAll { $0.name == "Remark" || $0.name == "Atlas" }
    other.entities[0].properties.removeLast()
    let foreign = try refusal(try ShelfFile(cached: other))
    #expect(foreign.code == .foreignModelCache)
    #expect(foreign.detail.contains("Atlas, Remark"))
    let damaged = try ShelfFile()
    try damaged.raw().execute("UPDATE Z_MODELCACHE SET Z_CONTENT = SUBSTR(Z_CONTENT, 1, 100)")
    let cut = try refusal(damaged)
    #expect(cut.code == .malformedArchive)
    #expect(cut.detail.contains("cut off"))
    try damaged.raw().execute("DROP TABLE Z_MODELCACHE")
    #expect(try refusal(damaged).code == .noModelCache)
    #expect(throws: StoreError.self) { try ModelFile.load(cachedIn: damaged.folder.file("missing")) }
  }

  @Test("a small stream that unpacks to gigabytes is refused before it does")
  func bomb() throws {
    let file = try ShelfFile()
    // Fixed codes: a literal zero, then copies of 258 bytes from one byte back, each in 13 bits.
    var (bits, count, bytes) = (UInt64(0), 0, [UInt8]())
    func put(_ value: UInt64, _ width: Int, reversed: Bool = false) {
      var value = value
      if reversed { value = (0..<width).reduce(0) { $0 << 1 | (value >> UInt64($1)) & 1 } }
      bits |= value << UInt64(count)
      count += width
      while count >= 8 {
        bytes.append(UInt8(bits & 0xFF))
        bits >>= 8
        count -= 8
      }
    }
    put(1, 1)
    put(1, 2)
    put(0x30, 8, reversed: true)
    for _ in 0..<400_000 {
      put(0xC5, 8, reversed: true)
      put(0, 5)
    }
    put(0, 7)
    put(0, 8)
    try file.raw().run("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(Data(bytes))])
    let error = try #require(throws: ModelFileError.self) { try ModelFile.load(cachedIn: file.url) }
    #expect(error.code == .malformedArchive)
    #expect(error.detail.contains("larger than"))
  }

  @Test("several stores join the models that they keep; each holds its own entities")
  func several() throws {
    let file = try ShelfFile()
    let folder = try TemporaryFolder()
    let made = PersistentStoreDescription(.sqlite, at: folder.file("Rooms.sqlite"))
    let rooms = try ManagedObjectModel {
      EntityDescription("Room") { AttributeDescription("label", .string, optional: true) }
    }
    do {
      let container = try PersistentContainer(model: rooms, stores: [made])
      let context = container.makeContext()
      try context.insert("Room").set("label", to: .string("B"))
      try context.save()
    }
    let copy = StoredDeflate.data(try CompiledModel.data(of: rooms.draft, .cached))
    let connection = try DatabaseFile(folder.file("Rooms.sqlite"), readOnly: false).writer()
    try connection.run("INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(copy)])
    let shelf = PersistentStoreDescription(.sqlite, at: file.url, readOnly: true)
    let container = try PersistentContainer(stores: [shelf, made])
    #expect(container.model.entities.map(\.name) == ["Remark", "Room", "Shelf", "Volume", "Atlas"])
    let context = container.makeContext()
    #expect(try context.count(for: FetchRequest("Room")) == 1)
    #expect(try context.count(for: FetchRequest("Shelf")) == 2)
  }

  @Test("an XML store opens beside a store that keeps the model, and not alone")
  func besideXML() throws {
    let file = try ShelfFile()
    let model = try ModelFile.load(cachedIn: file.url)
    let xml = PersistentStoreDescription(.xml, at: file.folder.file("more.xml"), configuration: "Remarks")
    var draft = model.draft
    draft.configurations.append(ModelConfiguration("Remarks", entities: ["Remark"]))
    do {
      let container = try PersistentContainer(
        model: ManagedObjectModel(draft), stores: [xml], missingDestinations: .allow)
      let context = container.makeContext()
      try context.insert("Remark").set("label", to: .string("A"))
      try context.save()
    }
    var plain = xml
    plain.configuration = nil
    let shelf = PersistentStoreDescription(.sqlite, at: file.url, readOnly: true)
    let context = try PersistentContainer(stores: [shelf, plain]).makeContext()
    #expect(try context.count(for: FetchRequest("Remark")) == 4)
    let error = try #require(throws: ModelFileError.self) { try PersistentContainer(stores: [plain]) }
    #expect(error.code == .noModelCache)
    #expect(error.detail.contains("Remark"))
  }
}
