import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

@Suite("Stores that go on in another file or as another type")
struct MovingStoresTests {
  enum Kind: String, CaseIterable {
    case xml, sqlite
    var type: StoreType { self == .xml ? .xml : .sqlite }
    var other: Kind { self == .xml ? .sqlite : .xml }
  }

  private let folder: TemporaryFolder
  private let model: ManagedObjectModel

  init() throws {
    self.folder = try TemporaryFolder()
    self.model = try PersonStack.model()
  }

  private func description(_ kind: Kind, _ name: String = "people") -> PersistentStoreDescription {
    PersistentStoreDescription(kind.type, at: self.folder.file("\(name).\(kind.rawValue)"), name: name)
  }

  /// Two people, a manager among them, with every kind of link, saved.
  private func fill(_ context: ManagedObjectContext) throws {
    let team = try context.insert("Team")
    try team.set("name", to: "Reds")
    let (ada, bob) = (try context.insert("Person"), try context.insert("Manager"))
    try ada.set("name", to: "Ada")
    try ada.set("age", to: 36)
    try bob.set("name", to: "Bob")
    try bob.set("level", to: 3)
    try ada.set("team", to: team)
    try bob.set("team", to: team)
    try team.set("lineup", to: [bob, ada])
    try team.set("queue", to: [bob, ada])
    try ada.add(bob, to: "friends")
    try ada.set("favourite", to: team)
    let badge = try context.insert("Badge")
    try badge.set("name", to: "7")
    try bob.set("badge", to: badge)
    try context.save()
  }

  private func check(_ context: ManagedObjectContext) throws {
    let people = try context.fetch(FetchRequest("Person", order: [.ascending("name")]))
    #expect(try people.map { try $0.value("name") } == [.string("Ada"), .string("Bob")])
    #expect(people.map(\.entity.name) == ["Person", "Manager"])
    guard people.count == 2 else { return }
    let (ada, bob) = (people[0], people[1])
    #expect(try ada.value("age") == .int(36) && bob.value("level") == .int(3))
    let team = try #require(try context.fetch(FetchRequest("Team")).first)
    #expect(try Set(team.objects("members")) == [ada, bob])
    #expect(try team.objects("lineup") == [bob, ada] && team.objects("queue") == [bob, ada])
    #expect(try ada.objects("friends") == [bob] && bob.objects("friends") == [ada])
    #expect(try ada.object("favourite") === team && ada.object("badge") == nil)
    #expect(try bob.object("badge")?.value("name") == .string("7"))
  }

  @Test(
    "PS-38: migrating copies every row and link into a store of the other type, which takes the first one's place",
    arguments: Kind.allCases)
  func migrate(_ kind: Kind) throws {
    let coordinator = PersistentStoreCoordinator(model: self.model)
    let store = try coordinator.add(self.description(kind))
    try coordinator.add(PersistentStoreDescription(.inMemory, at: nil, name: "last", configuration: "B"))
    let context = ManagedObjectContext(coordinator: coordinator)
    var metadata = store.metadata
    metadata.entries["colour"] = .string("blue")
    try coordinator.setMetadata(metadata, of: store.id)
    try self.fill(context)
    let people = try context.fetch(FetchRequest("Person"))
    let changes = Lock<[StoreChange]>([])
    let observation = coordinator.observeStores { change in changes.withLock { $0.append(change) } }
    let file = try Data(contentsOf: try #require(store.description.url))

    let new = try coordinator.migrate(store, to: self.description(kind.other))
    #expect(new.metadata.uuid != store.metadata.uuid && new.metadata.type != store.metadata.type)
    #expect(new.metadata.entries["colour"] == .string("blue"))
    #expect(coordinator.stores.map(\.id) == [new.id, coordinator.stores[1].id])
    #expect(coordinator.stores.map(\.description.name) == ["people", "last"])
    let change = changes.withLock { $0 }.first
    #expect(change?.added.map(\.id) == [new.id] && change?.removed.map(\.id) == [store.id])
    #expect(change?.identifiers.count == 4)
    let next = ManagedObjectContext(coordinator: coordinator)
    try self.check(next)
    for person in people {
      let id = try #require(change?.identifiers[person.objectID])
      #expect(try next.existingObject(with: id).entity.name == person.entity.name)
      // The old store's objects have nothing behind them any more.
      context.refresh(person, mergeChanges: false)
      #expect(throws: ManagedObjectError.self) { try person.value("name") }
    }
    if kind == .xml { #expect(try Data(contentsOf: self.folder.file("people.xml")) == file) }
    try next.insert("Team").set("name", to: "Blues")
    try next.save()
    for store in coordinator.stores { try coordinator.remove(store) }
    let again = PersistentStoreCoordinator(model: self.model)
    try again.add(self.description(kind.other))
    try self.check(ManagedObjectContext(coordinator: again).fetchingTeam("Reds"))
    // The old file is a store as before.
    let old = PersistentStoreCoordinator(model: self.model)
    try old.add(self.description(kind))
    try self.check(ManagedObjectContext(coordinator: old))
    withExtendedLifetime(observation) {}
  }

  @Test("a migration that is refused leaves the store attached, and no new file", arguments: Kind.allCases)
  func refusedMigration(_ kind: Kind) throws {
    let coordinator = PersistentStoreCoordinator(model: self.model)
    let store = try coordinator.add(self.description(kind))
    let context = ManagedObjectContext(coordinator: coordinator)
    try self.fill(context)
    try Data("mine".utf8).write(to: self.folder.file("people.\(kind.other.rawValue)"))
    let taken = #expect(throws: StoreError.self) {
      try coordinator.migrate(store, to: self.description(kind.other))
    }
    #expect(taken?.code == .alreadyExists)
    var narrow = self.description(kind.other, "narrow")
    narrow.configuration = "B"
    #expect(throws: (any Error).self) { try coordinator.migrate(store, to: narrow) }
    #expect(!FileManager.default.fileExists(atPath: narrow.url?.path(percentEncoded: false) ?? ""))
    #expect(coordinator.stores.map(\.id) == [store.id])
    try self.check(ManagedObjectContext(coordinator: coordinator))
  }

  @Test("PS-43: an XML store goes on in a new file, and the old one stays as it was")
  func newURL() throws {
    let coordinator = PersistentStoreCoordinator(model: self.model)
    let store = try coordinator.add(self.description(.xml))
    let context = ManagedObjectContext(coordinator: coordinator)
    try self.fill(context)
    let ada = try #require(try context.fetch(FetchRequest("Person", order: [.ascending("name")])).first)
    try ada.set("salary", to: 5)
    let old = self.folder.file("people.xml")
    let before = try Data(contentsOf: old)
    let moved = try coordinator.setURL(self.folder.file("moved.xml"), of: store)
    #expect(moved.id == store.id && moved.metadata.uuid == store.metadata.uuid)
    #expect(coordinator.store(named: "people")?.description.url == self.folder.file("moved.xml"))
    #expect(try ada.value("salary") == .int(5) && ada.value("name") == .string("Ada"))
    try context.save()
    #expect(try Data(contentsOf: old) == before)
    let text = String(decoding: try Data(contentsOf: self.folder.file("moved.xml")), as: UTF8.self)
    #expect(text.contains(">5<"))
    try self.check(context)
  }

  @Test(
    "PS-43: a store goes on in its own file that was moved; no other file, no missing one",
    arguments: Kind.allCases)
  func movedFile(_ kind: Kind) throws {
    let coordinator = PersistentStoreCoordinator(model: self.model)
    let store = try coordinator.add(self.description(kind))
    let context = ManagedObjectContext(coordinator: coordinator)
    try self.fill(context)
    let stranger = PersistentStoreCoordinator(model: self.model)
    try stranger.remove(try stranger.add(self.description(kind, "stranger")))
    let other = #expect(throws: StoreError.self) {
      try coordinator.setURL(self.folder.file("stranger.\(kind.rawValue)"), of: store)
    }
    #expect(other?.code == .alreadyExists)
    if kind == .sqlite {
      let missing = #expect(throws: StoreError.self) {
        try coordinator.setURL(self.folder.file("nowhere.sqlite"), of: store)
      }
      #expect(missing?.code == .missingFile)
      #expect(
        !FileManager.default.fileExists(
          atPath: self.folder.file("nowhere.sqlite").path(percentEncoded: false)))
    }
    try self.check(context)

    let target = self.folder.file("moved.\(kind.rawValue)")
    try kind.type.replaceStore(at: target, from: try #require(store.description.url))
    try coordinator.setURL(target, of: store)
    try context.insert("Team").set("name", to: "Blues")
    try context.save()
    let files = try ["people", "moved"].map { name in
      let reader = PersistentStoreCoordinator(model: self.model)
      try reader.add(self.description(kind, name))
      return try ManagedObjectContext(coordinator: reader).count(for: FetchRequest("Team"))
    }
    #expect(files == [1, 2])
    let memory = try coordinator.add(PersistentStoreDescription(.inMemory, at: nil, name: "memory"))
    let error = #expect(throws: StoreError.self) {
      try coordinator.setURL(self.folder.file("memory"), of: memory)
    }
    #expect(error?.code == .unsupported)
    let taken = #expect(throws: CoordinatorError.self) { try coordinator.setURL(target, of: memory) }
    #expect(taken?.code == .storeAlreadyAttached)
  }

  @Test(
    "PS-39: replacing copies a store with its identifier, where there was none and over another one",
    arguments: Kind.allCases)
  func replace(_ kind: Kind) throws {
    let coordinator = PersistentStoreCoordinator(model: self.model)
    let source = try coordinator.add(self.description(kind))
    let context = ManagedObjectContext(coordinator: coordinator)
    try self.fill(context)
    let from = try #require(source.description.url)
    for name in ["missing", "another"] {
      let target = self.folder.file("\(name).\(kind.rawValue)")
      let second = PersistentStoreCoordinator(model: self.model)
      if name == "another" {
        let store = try second.add(self.description(kind, name))
        let inside = ManagedObjectContext(coordinator: second)
        try inside.insert("Team").set("name", to: "Gone")
        try inside.save()
        #expect(store.metadata.uuid != source.metadata.uuid)
      }
      try second.replaceStore(at: target, from: from, type: kind.type)
      #expect(second.stores.isEmpty)
      let copy = try second.add(self.description(kind, name))
      #expect(copy.metadata.uuid == source.metadata.uuid)
      try self.check(ManagedObjectContext(coordinator: second))
      // Both have one identifier, so one coordinator takes one of them (PS-31).
      let twin = #expect(throws: CoordinatorError.self) { try coordinator.add(self.description(kind, name)) }
      #expect(twin?.code == .duplicateIdentifier)
    }
    let text = self.folder.file("text")
    try Data("no store".utf8).write(to: text)
    for (target, source) in [(text, from), (from, text), (from, self.folder.file("nowhere"))] {
      #expect(throws: StoreError.self) { try kind.type.replaceStore(at: target, from: source) }
    }
    #expect(try Data(contentsOf: text) == Data("no store".utf8))
    try self.check(context)
  }
}

extension ManagedObjectContext {
  /// The same context, less the teams of other names.
  fileprivate func fetchingTeam(_ name: String) throws -> ManagedObjectContext {
    for team in try self.fetch(FetchRequest("Team")) where try team.value("name") != .string(name) {
      self.delete(team)
    }
    try self.save()
    return self
  }
}
