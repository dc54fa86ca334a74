import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

/// Files that hold more than their limits allow, and what it takes to read them all the same.
@Suite struct ReadingLimitsTests {
  private let folder: TemporaryFolder
  private let model: ManagedObjectModel
  init() throws {
    self.folder = try TemporaryFolder()
    self.model = try ManagedObjectModel {
      EntityDescription("Item") { AttributeDescription("text", .string, optional: true) }
    }
  }

  private enum Kind: String, CaseIterable {
    case xml, sqlite
    var type: StoreType { self == .xml ? .xml : .sqlite }
  }

  private func description(_ kind: Kind) -> PersistentStoreDescription {
    PersistentStoreDescription(kind.type, at: self.folder.file("store.\(kind.rawValue)"))
  }

  /// A store with these texts.
  private func fill(_ kind: Kind, _ texts: [String]) throws {
    let container = try PersistentContainer(model: self.model, stores: [self.description(kind)])
    let context = container.makeContext()
    for text in texts { try context.insert("Item").set("text", to: text) }
    try context.save()
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
  }

  private func texts(_ kind: Kind, _ change: (inout ReadingLimits) -> Void) throws -> [Int] {
    var description = self.description(kind)
    change(&description.limits)
    let container = try PersistentContainer(model: self.model, stores: [description])
    defer {
      for store in container.coordinator.stores {
        do { try container.coordinator.remove(store) } catch { Issue.record(error) }
      }
    }
    let context = container.makeContext()
    return try context.fetch(FetchRequest("Item")).map { object in
      if case .string(let text) = try object.value("text") { text.utf8.count } else { 0 }
    }.sorted()
  }

  private func refused(_ kind: Kind, _ word: String, _ change: (inout ReadingLimits) -> Void) throws {
    let error = #expect(throws: StoreError.self) { try self.texts(kind, change) }
    #expect(error?.code == .refusedContent, "\(error as Any)")
    #expect(error?.description.contains("store.\(kind.rawValue)") == true, "\(error as Any)")
    #expect(error?.detail.contains(word) == true, "\(error as Any)")
  }

  @Test(
    "a longer file, more rows, a longer text, more depth or attributes than allowed are refused, none of it read"
  )
  func xml() throws {
    try self.fill(.xml, ["a", String(repeating: "b", count: 5000)])
    let size = try Data(contentsOf: self.folder.file("store.xml")).count
    #expect(try self.texts(.xml) { $0.fileBytes = size } == [1, 5000])
    try self.refused(.xml, "limits.fileBytes") { $0.fileBytes = size - 1 }
    #expect(try self.texts(.xml) { $0.rows = 2 } == [1, 5000])
    try self.refused(.xml, "limits.rows") { $0.rows = 1 }
    #expect(try self.texts(.xml) { $0.textBytes = 5000 } == [1, 5000])
    try self.refused(.xml, "4999 bytes") { $0.textBytes = 4999 }
    try self.refused(.xml, "2 deep") { $0.depth = 2 }
    try self.refused(.xml, "1 attributes") { $0.attributes = 1 }
  }

  @Test("a row of SQLite that is longer than allowed is refused, others are read")
  func sqlite() throws {
    try self.fill(.sqlite, ["a", String(repeating: "b", count: 100_000)])
    #expect(try self.texts(.sqlite) { $0.textBytes = 101_000 } == [1, 100_000])
    try self.refused(.sqlite, "limits.textBytes") { $0.textBytes = 99_000 }
    // What the library itself must read is never refused.
    try self.refused(.sqlite, "65536 bytes") { $0.textBytes = 1 }
  }

  @Test("a store is saved and reread under its own limits, below and above the standard ones")
  func saving() throws {
    try self.fill(.xml, ["a"])
    var description = self.description(.xml)
    description.limits.fileBytes = 4000
    let container = try PersistentContainer(model: self.model, stores: [description])
    let context = container.makeContext()
    try context.insert("Item").set("text", to: "b")
    try context.save()
    #expect(try self.texts(.xml) { $0.fileBytes = 4000 } == [1, 1])
  }

  @Test(
    "limits stand in a federation file, for all and for one store, and wrong ones are refused with their place"
  )
  func federation() throws {
    try self.fill(.xml, ["a", "b"])
    try self.fill(.sqlite, ["c"])
    try ModelFile.save(self.model.draft, at: self.folder.file("M.xcdatamodeld"))
    let url = self.folder.file("f.json")
    let write = { (limits: String, own: String) in
      try Data(
        #"{"model": "M.xcdatamodeld", \#(limits) "stores": [{"path": "store.xml" \#(own)}, {"path": "store.sqlite", "name": "other"}]}"#
          .utf8
      ).write(to: url)
    }
    try write(#""limits": {"rows": 1, "depth": 9},"#, #", "limits": {"rows": 2}, "encoding": "UTF-8""#)
    let file = try FederationFile(at: url)
    #expect(file.limits.rows == 1 && file.limits.textBytes == ReadingLimits.standard.textBytes)
    #expect(file.stores.map(\.limits.rows) == [2, 1] && file.stores.map(\.limits.depth) == [9, 9])
    #expect(file.stores.map(\.encoding) == ["UTF-8", nil])
    #expect(try PersistentContainer(federation: url).makeContext().count(for: FetchRequest("Item")) == 3)
    try write(#""limits": {"rows": 1},"#, "")
    let error = #expect(throws: StoreError.self) { try PersistentContainer(federation: url) }
    #expect(error?.code == .refusedContent)
    for (limits, message) in [
      (#""limits": {"row": 1},"#, "limits.row: the key is unknown (did you mean rows?)"),
      (#""limits": {"rows": -1},"#, "limits.rows: must be a whole number from 0 up"),
      (#""limits": 3,"#, "limits: must be an object"),
    ] {
      try write(limits, "")
      let error = #expect(throws: FederationFileError.self) { try FederationFile(at: url) }
      #expect(error?.description.contains(message) == true, "\(error as Any)")
    }
  }

  @Test("a mapped document keeps the limits of its store and is read in the encoding that is given")
  func mapped() throws {
    try ModelFile.save(self.model.draft, at: self.folder.file("M.xcdatamodeld"))
    let document =
      Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?><r><i t=\"".utf8) + [0xE9]
      + Array("\"/><i t=\"b\"/></r>".utf8)
    try Data(document).write(to: self.folder.file("r.xml"))
    let mapping =
      #""mapping": {"entities": {"Item": {"records": "/r/i", "key": "text", "attributes": {"text": "@t"}}}}"#
    let open = { (own: String) in
      let url = self.folder.file("f.json")
      try Data(
        #"{"model": "M.xcdatamodeld", "stores": [{"path": "r.xml", "type": "xml", \#(own), \#(mapping)}]}"#
          .utf8
      ).write(to: url)
      return try PersistentContainer(federation: url)
    }
    let error = #expect(throws: StoreError.self) { try open(#""limits": {"rows": 5}"#) }
    #expect(error?.code == .malformed && error?.detail.contains("windows-1252") == true, "\(error as Any)")
    let refused = #expect(throws: StoreError.self) {
      try open(#""encoding": "windows-1252", "limits": {"rows": 1}"#)
    }
    #expect(refused?.code == .refusedContent, "\(refused as Any)")
    let container = try open(#""encoding": "windows-1252", "limits": {"rows": 2}"#)
    let context = container.makeContext()
    let items = try context.fetch(FetchRequest("Item", order: [.ascending("text")]))
    #expect(try items.map { try $0.value("text") } == [.string("b"), .string("é")])
    // A save would put UTF-8 among other bytes.
    context.delete(items[0])
    let unsaved = #expect(throws: (any Error).self) { try context.save() }
    #expect("\(unsaved as Any)".contains("windows-1252"))
    #expect(try Data(contentsOf: self.folder.file("r.xml")) == Data(document))
  }

  @Test("a description that is longer than allowed is refused before it is read")
  func descriptions() throws {
    let model = self.folder.file("M.xcdatamodeld")
    try ModelFile.save(self.model.draft, at: model)
    var limits = ReadingLimits()
    limits.descriptionBytes = 100
    let error = #expect(throws: ModelFileError.self) { try ModelFile.load(at: model, limits: limits) }
    #expect(error?.code == .tooLarge)
    let url = self.folder.file("f.json")
    try Data(
      #"{"model": "M.xcdatamodeld", "stores": [{"path": "\#(String(repeating: "x", count: 100))"}]}"#.utf8
    )
    .write(to: url)
    let refused = #expect(throws: FederationFileError.self) { try FederationFile(at: url, limits: limits) }
    #expect(refused?.code == .tooLarge)
  }
}
