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
