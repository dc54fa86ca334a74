import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

/// What can be done with a store's file without opening the store.
@Suite("Files of stores")
struct StoreFilesTests {
  enum Kind: String, CaseIterable {
    case xml, sqlite
    var type: StoreType { self == .xml ? .xml : .sqlite }
  }

  let folder: TemporaryFolder
  let model: ManagedObjectModel

  init() throws {
    self.folder = try TemporaryFolder()
    self.model = try PersonStack.model()
  }

  @Test(
    "PS-23: a new store tells type, identifier and version hashes to who has no model",
    arguments: Kind.allCases)
  func metadata(_ kind: Kind) throws {
    let file = self.folder.file("people.\(kind.rawValue)")
    let coordinator = PersistentStoreCoordinator(model: self.model)
    let store = try coordinator.add(PersistentStoreDescription(kind.type, at: file))
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert("Team").set("name", to: "Reds")
    try context.save()
    try coordinator.remove(store)
    let readMetadata = try #require(kind.type.readMetadata)
    let metadata = try readMetadata(file)
    #expect(metadata.uuid == store.metadata.uuid)
    #expect(metadata.type == store.metadata.type)
    for entity in self.model.entities {
      #expect(metadata.versionHashes[entity.name] == entity.versionHash, "\(entity.name)")
    }
  }

  @Test(
    "PS-26, PS-27: metadata is set without a stack; an attached store knows it when it is attached again",
    arguments: Kind.allCases)
  func setMetadata(_ kind: Kind) throws {
    let file = self.folder.file("people.\(kind.rawValue)")
    let coordinator = PersistentStoreCoordinator(model: self.model)
    let description = PersistentStoreDescription(kind.type, at: file)
    let store = try coordinator.add(description)
    let context = ManagedObjectContext(coordinator: coordinator)
    let team = try context.insert("Team")
    try team.set("name", to: "Reds")
    try context.save()
    var metadata = try kind.type.metadata(ofStoreAt: file)
    metadata.entries["colour"] = .string("blue")
    metadata.type = "Nonsense"
    try kind.type.setMetadata(metadata, ofStoreAt: file)
    #expect(store.metadata.entries["colour"] == nil)
    try coordinator.remove(store)
    let again = try coordinator.add(description)
    #expect(again.metadata.entries["colour"] == .string("blue"))
    #expect(again.metadata.uuid == store.metadata.uuid && again.metadata.type == store.metadata.type)
    #expect(try context.fetch(FetchRequest("Team")).map { try $0.value("name") } == [.string("Reds")])
    try coordinator.remove(again)

    metadata = try kind.type.metadata(ofStoreAt: file)
    metadata.uuid = UUID()
    try kind.type.setMetadata(metadata, ofStoreAt: file)
    #expect(try coordinator.add(description).metadata.uuid == metadata.uuid)
    #expect(try context.count(for: FetchRequest("Team")) == 1)
  }

  @Test("PS-19: a name that no type has, and a file that shows none, are refused (134000)")
  func unknownType() throws {
    #expect(BuiltInStoreTypes.type(named: "nosql") == nil)
    let text = self.folder.file("text")
    try Data("no store".utf8).write(to: text)
    let error = #expect(throws: StoreError.self) { try BuiltInStoreTypes.type(ofFileAt: text) }
    #expect(error?.code == .unknownType && error?.code.legacyCode == 134000)
    try Data(#"{"model": "M", "stores": [{"path": "text", "type": "nosql"}]}"#.utf8)
      .write(to: self.folder.file("federation.json"))
    let refusal = #expect(throws: FederationFileError.self) {
      try FederationFile(at: self.folder.file("federation.json"))
    }
    #expect(refusal?.code == .unknownStoreType)
  }

  @Test("metadata of no store cannot be set (PS-26)", arguments: Kind.allCases)
  func noStore(_ kind: Kind) throws {
    let metadata = StoreMetadata(type: kind.type.name)
    let missing = #expect(throws: StoreError.self) {
      try kind.type.setMetadata(metadata, ofStoreAt: self.folder.file("nowhere"))
    }
    #expect(missing?.code == .missingFile)
    let text = self.folder.file("text")
    try Data("no store".utf8).write(to: text)
    #expect(throws: StoreError.self) { try kind.type.setMetadata(metadata, ofStoreAt: text) }
    #expect(try Data(contentsOf: text) == Data("no store".utf8))
    let memory = #expect(throws: StoreError.self) {
      try StoreType.inMemory.setMetadata(metadata, ofStoreAt: text)
    }
    #expect(memory?.code == .unsupported)
  }

  @Test(
    "PS-58: two coordinators share a file; a save waits for one that is under way, and is then refused as locked",
    arguments: Kind.allCases)
  func shared(_ kind: Kind) throws {
    let file = self.folder.file("people.\(kind.rawValue)")
    let coordinators = [1, 2].map { _ in PersistentStoreCoordinator(model: self.model) }
    let stores = try coordinators.map { try $0.add(PersistentStoreDescription(kind.type, at: file)) }
    let contexts = coordinators.map { ManagedObjectContext(coordinator: $0) }
    for (number, context) in contexts.enumerated() {
      try context.insert("Team").set("name", to: "\(number)")
      try context.save()
    }
    let team = try #require(self.model.entity(named: "Team")).id
    var rows = RowBlockBuilder(layout: self.model[team].layout)
    rows.beginRow(reference: try stores[0].reserveReferences(for: team, count: 1).lowerBound, version: 1)
    var changes = ChangeSet()
    changes.inserted = [rows.finish()]
    let prepared = try stores[0].prepare(changes, save: SaveIdentifier())
    let late = try contexts[1].insert("Team")
    try late.set("name", to: "late")
    let error = #expect(throws: SaveError.self) { try contexts[1].save() }
    guard case .refused(_, let underlying)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((underlying as? StoreError)?.code == .locked)
    prepared.abandon()
    try contexts[1].save()
    #expect(try contexts[1].count(for: FetchRequest("Team")) == 3)
  }

  @Test(
    "PS-41, PS-42: destroying removes the file of a store, and what is not there cannot be destroyed",
    arguments: Kind.allCases)
  func destroy(_ kind: Kind) throws {
    let file = self.folder.file("people.\(kind.rawValue)")
    let coordinator = PersistentStoreCoordinator(model: self.model)
    try coordinator.remove(try coordinator.add(PersistentStoreDescription(kind.type, at: file)))
    let destroy = try #require(kind.type.destroy)
    try destroy(file)
    #expect(!FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
    #expect(throws: StoreError.self) { try destroy(file) }
  }
}
