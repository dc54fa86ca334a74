import FederatedModel
import FederatedRuntime
import FederatedStore
import Foundation
import TestSupport
import Testing

@Suite("Object URIs")
struct ObjectURITests {
  let coordinator: PersistentStoreCoordinator
  let store: BareStore
  let person: EntityID
  let manager: EntityID

  init() throws {
    let model = try RouterModels.office()
    self.coordinator = PersistentStoreCoordinator(model: model)
    self.person = try model.id("Person")
    self.manager = try model.id("Manager")
    self.store = BareStore(
      PersistentStoreDescription(.bare, at: nil, configuration: "People"),
      names: [5: "key with/slash", 6: "naïve"])
    try self.coordinator.add(self.store)
  }

  @Test("A2.29: a saved row is x-coredata://UUID/Entity/p…, with its concrete entity, and back")
  func permanent() throws {
    for entity in [self.person, self.manager] {
      let id = ManagedObjectID(store: self.store.id, entity: entity, reference: 12)
      let uri = self.coordinator.uri(for: id)
      let name = self.coordinator.model[entity].name
      #expect(uri.absoluteString == "x-coredata://\(self.store.metadata.uuid.uuidString)/\(name)/p12")
      #expect(self.coordinator.objectID(for: uri) == id)
    }
  }

  @Test("BR-91, A2.29: an unsaved object has a flagged URI, good in this process only")
  func temporary() throws {
    let id = ManagedObjectID.temporary(self.person)
    let uri = self.coordinator.uri(for: id)
    #expect(uri.absoluteString.hasPrefix("x-coredata:///Person/t"))
    #expect(self.coordinator.objectID(for: uri) == id)
    #expect(self.coordinator.objectID(for: uri)?.isTemporary == true)
    #expect(self.coordinator.objectID(forURI: "x-coredata:///Person/t\(UUID().uuidString)-1") == nil)
    #expect(ManagedObjectID.temporary(self.person) != ManagedObjectID.temporary(self.person))
  }

  @Test("PS-33, BR-91: a URI of another store, entity or form gives nil")
  func unknown() throws {
    let uuid = self.store.metadata.uuid.uuidString
    let texts = [
      "x-coredata://\(UUID().uuidString)/Person/p1", "x-coredata://\(uuid)/Nobody/p1",
      "x-coredata://\(uuid)/Person/q1",
      "x-coredata://\(uuid)/Person/p", "x-coredata://\(uuid)/Person/pabc", "x-coredata://\(uuid)/Person",
      "x-coredata://\(uuid)/Note/p1", "http://\(uuid)/Person/p1", "x-coredata://", "",
    ]
    for text in texts { #expect(self.coordinator.objectID(forURI: text) == nil, "\(text)") }
  }

  @Test(
    "PS-35, A2.30: a row that has a name is escaped by the rules of a path, and back",
    arguments: [Int64(5), 6])
  func named(reference: Int64) throws {
    let id = ManagedObjectID(store: self.store.id, entity: self.person, reference: reference)
    let uri = self.coordinator.uri(for: id)
    #expect(uri.absoluteString.hasSuffix(reference == 5 ? "/pkey%20with/slash" : "/pna%C3%AFve"))
    #expect(self.coordinator.objectID(for: uri) == id)
  }

  @Test("an identifier of a removed store keeps its URI, which no longer resolves")
  func removed() throws {
    let id = ManagedObjectID(store: self.store.id, entity: self.person, reference: 5)
    let uri = self.coordinator.uri(for: id)
    try self.coordinator.remove(self.store)
    #expect(self.coordinator.uri(for: id) == uri)
    #expect(self.coordinator.objectID(for: uri) == nil)
  }

  @Test("PS-34, A2.32: whether the row exists is not asked")
  func dangling() throws {
    #expect(
      self.coordinator.objectID(forURI: "x-coredata://\(self.store.metadata.uuid.uuidString)/Person/p987")
        != nil)
  }
}
