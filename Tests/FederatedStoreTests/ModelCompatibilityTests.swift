import FederatedModel
import FederatedStore
import FederatedStoreTesting
import Foundation
import Testing

@Suite struct ModelCompatibilityTests {
  let model: ManagedObjectModel
  let next: ManagedObjectModel
  init() throws {
    self.model = try ConformanceModel.make()
    self.next = try ConformanceModel.makeNext()
  }

  private func compatibility(_ model: ManagedObjectModel, _ configuration: String? = nil) throws
    -> ModelCompatibility
  {
    try ModelCompatibility(
      model, PersistentStoreDescription(.inMemory, at: nil, configuration: configuration))
  }

  private func stamped(_ model: ManagedObjectModel, _ configuration: String? = nil) throws -> StoreMetadata {
    var metadata = StoreMetadata(type: "XML")
    try self.compatibility(model, configuration).stamp(&metadata)
    return metadata
  }

  @Test("our own hashes are compared one by one (PS-22)")
  func ours() throws {
    let metadata = try self.stamped(self.model)
    #expect(try self.compatibility(self.model).accepts(metadata))
    #expect(try !self.compatibility(self.next).accepts(metadata))
    let error = try self.compatibility(self.next).error(for: metadata, in: nil)
    #expect(error.code.legacyCode == 134100)
    #expect(error.detail.contains("Pen differs"))
    #expect(!error.detail.contains("Cup"))
  }

  @Test("a named configuration compares its own entities only (A2.28)")
  func configuration() throws {
    let metadata = try self.stamped(self.model)
    #expect(try self.compatibility(self.model, "Things").accepts(metadata))
    let part = try self.stamped(self.model, "Things")
    #expect(part.versionHashes.keys.sorted() == ["Cup", "Pen", "Thing"])
    #expect(try self.compatibility(self.model, "Things").accepts(part))
    #expect(try !self.compatibility(self.model).accepts(part))
  }

  @Test("hashes of other programs are accepted when every entity is known by name")
  func foreign() throws {
    var metadata = StoreMetadata(type: "XML")
    for entity in self.model.entities { metadata.versionHashes[entity.name] = Data(repeating: 7, count: 32) }
    #expect(try self.compatibility(self.model).accepts(metadata))
    #expect(try self.compatibility(self.next).accepts(metadata))
    metadata.versionHashes["Pen"] = nil
    #expect(try !self.compatibility(self.model).accepts(metadata))
  }

  @Test("a store without hashes can be opened, and is compatible with no model (A2.28)")
  func empty() throws {
    let metadata = StoreMetadata(type: "XML")
    #expect(try self.compatibility(self.model).accepts(metadata))
    #expect(try !self.compatibility(self.model).isCompatible(metadata))
  }

  @Test("an unknown configuration is refused with the known ones")
  func unknown() {
    let error = #expect(throws: StoreError.self) { _ = try self.compatibility(self.model, "Nope") }
    #expect(error?.detail.contains("Everything, Things") == true)
  }
}
