import FederatedModel
import FederatedRuntime
import FederatedStore
import Foundation
import TestSupport
import Testing

@Suite("Attaching stores")
struct AttachingStoresTests {
  let coordinator: PersistentStoreCoordinator
  let folder: TemporaryFolder

  init() throws {
    self.coordinator = PersistentStoreCoordinator(model: try RouterModels.office())
    self.folder = try TemporaryFolder()
  }

  private func bare(_ name: String, _ configuration: String? = nil, at url: URL? = nil)
    -> PersistentStoreDescription
  {
    var description = PersistentStoreDescription(.bare, at: url, configuration: configuration)
    description.name = name
    return description
  }

  @Test("stores stand in order of attachment, and are found by name and identifier")
  func order() throws {
    let people = try self.coordinator.add(self.bare("people", "People"))
    let notes = try self.coordinator.add(self.bare("notes", "Notes"))
    #expect(self.coordinator.stores.map(\.id) == [people.id, notes.id])
    #expect(self.coordinator.store(named: "notes")?.id == notes.id)
    #expect(self.coordinator.store(people.id)?.id == people.id)
    #expect(self.coordinator.store(named: "nobody") == nil)
  }

  @Test(
    "PS-30: one file is not attached twice, whatever path leads to it",
    arguments: ["path", "symlink", "hard link"])
  func sameFile(way: String) throws {
    let file = self.folder.file("notes.store")
    try Data("x".utf8).write(to: file)
    let other = self.folder.file("other.store")
    switch way {
    case "symlink": try FileManager.default.createSymbolicLink(at: other, withDestinationURL: file)
    case "hard link": try FileManager.default.linkItem(at: file, to: other)
    default: break
    }
    try self.coordinator.add(self.bare("first", "Notes", at: file))
    let error = #expect(throws: CoordinatorError.self) {
      try self.coordinator.add(
        self.bare("second", "Notes", at: way == "path" ? self.folder.file("./notes.store") : other))
    }
    #expect(error?.code == .storeAlreadyAttached)
    #expect(error?.code.legacyCode == 134081)
    #expect(error?.detail.contains("first") == true)
    #expect(self.coordinator.stores.count == 1)
  }

  @Test("PS-31: a copied file is refused by its identifier and closed again")
  func sameIdentifier() throws {
    let metadata = StoreMetadata(type: "Bare")
    try self.coordinator.add(BareStore(self.bare("original"), metadata: metadata))
    let copy = BareStore(self.bare("copy"), metadata: metadata)
    let type = StoreType("Bare") { (_, _) throws(StoreError) in copy }
    var description = self.bare("copy")
    description.type = type
    let error = #expect(throws: CoordinatorError.self) { try self.coordinator.add(description) }
    #expect(error?.code == .duplicateIdentifier)
    #expect(error?.store == "copy")
    #expect(error?.detail.contains("original") == true)
    #expect(self.coordinator.stores.count == 1)
    #expect(copy.isClosed)
  }

  @Test("two stores of one name, and a configuration that the model lacks, are refused before a file is made")
  func refusedBeforeOpening() throws {
    let opened = Lock(0)
    let type = StoreType("Counting") { (description, _) throws(StoreError) in
      opened.withLock { $0 += 1 }
      return BareStore(description)
    }
    try self.coordinator.add(self.bare("notes"))
    var twin = self.bare("notes")
    twin.type = type
    #expect(throws: CoordinatorError.self) { try self.coordinator.add(twin) }
    var unknown = self.bare("other", "Nots")
    unknown.type = type
    let error = #expect(throws: CoordinatorError.self) { try self.coordinator.add(unknown) }
    #expect(error?.code == .unknownConfiguration)
    #expect(opened.withLock { $0 } == 0)
  }

  @Test("PS-18: an error of the opening passes on, and the attached stores are as before")
  func openingFails() throws {
    let first = try self.coordinator.add(self.bare("notes", "Notes"))
    let failing = StoreType("Failing") { (description, _) throws(StoreError) in
      throw StoreError(.typeMismatch, store: description.url, "the file is something else")
    }
    var description = self.bare("broken", "People")
    description.type = failing
    let error = #expect(throws: StoreError.self) {
      try self.coordinator.add([self.bare("people", "People"), description])
    }
    #expect(error?.code == .typeMismatch)
    #expect(error?.code.legacyCode == 134010)
    #expect(self.coordinator.stores.map(\.id) == [first.id])
  }

  @Test("PS-37, A2.17: observers hear of stores that come and go, until the observation goes")
  func observers() throws {
    let heard = Lock<[String]>([])
    var observation: StoreObservation? = self.coordinator.observeStores { change in
      heard.withLock { list in
        list +=
          change.added.map { "+" + $0.description.name } + change.removed.map { "-" + $0.description.name }
      }
    }
    let before = self.coordinator.storesVersion
    let notes = try self.coordinator.add(self.bare("notes", "Notes"))
    #expect(self.coordinator.storesVersion != before)
    try self.coordinator.add([self.bare("a", "PersonAlone"), self.bare("b", nil)])
    try self.coordinator.remove(notes)
    #expect(heard.withLock { $0 } == ["+notes", "+a", "+b", "-notes"])
    #expect(observation != nil)
    observation = nil
    try self.coordinator.add(self.bare("late", "Notes"))
    #expect(heard.withLock { $0.count } == 4)
  }

  @Test("a removed store is closed and refuses to be removed again")
  func removing() throws {
    let store = BareStore(self.bare("notes"))
    try self.coordinator.add(store)
    try self.coordinator.remove(store)
    #expect(store.isClosed)
    let error = #expect(throws: CoordinatorError.self) { try self.coordinator.remove(store) }
    #expect(error?.code == .unknownStore)
  }

  @Test("PS-55, A3.6: a relationship whose ends lie in two stores is refused and the fetched property named")
  func relationshipAcross() throws {
    try self.coordinator.add(self.bare("crm", "PersonAlone"))
    let error = #expect(throws: CoordinatorError.self) {
      try self.coordinator.add(self.bare("teams", "TeamAlone"))
    }
    #expect(error?.code == .relationshipAcrossStores)
    #expect(error?.property == "team" || error?.property == "members")
    for word in ["fetched property", "crm", "teams"] {
      #expect(error?.detail.contains(word) == true, "\(word)")
    }
    #expect(self.coordinator.stores.count == 1)
  }

  @Test("PS-55: a fetched property is never refused, nor a relationship whose other end has no store yet")
  func fetchedPropertyAcross() throws {
    try self.coordinator.add(self.bare("crm", "PersonAlone"))
    try self.coordinator.add(self.bare("notes", "Notes"))
    #expect(self.coordinator.stores.count == 2)
  }

  @Test("PS-55: stores that make a relationship whole only together are added together")
  func addedTogether() throws {
    try self.coordinator.add([
      self.bare("a", "PersonAlone"), self.bare("b", "TeamAlone"), self.bare("all", nil),
    ])
    #expect(self.coordinator.stores.count == 3)
  }

  @Test("PS-47: a store that keeps no uniqueness constraints is refused for a model that has some")
  func constraints() throws {
    let coordinator = PersistentStoreCoordinator(
      model: try ManagedObjectModel {
        EntityDescription("Person") { AttributeDescription("email", .string) }.unique(on: "email")
        EntityDescription("Note") { AttributeDescription("text", .string) }
        ModelConfiguration("People", entities: ["Person"])
        ModelConfiguration("Notes", entities: ["Note"])
      })
    let error = #expect(throws: CoordinatorError.self) { try coordinator.add(self.bare("people", "People")) }
    #expect(error?.code == .constraintsNotKept && error?.entity == "Person")
    #expect(error?.detail.contains("email") == true && coordinator.stores.isEmpty)
    try coordinator.add(self.bare("notes", "Notes"))
    var readOnly = self.bare("archive", "People")
    readOnly.isReadOnly = true
    try coordinator.add(readOnly)
    try coordinator.add(PersistentStoreDescription(.inMemory, at: nil, name: "kept", configuration: "People"))
    #expect(coordinator.stores.count == 3)
  }
}
