import FederatedModel
import FederatedRuntime
import FederatedStore
import Foundation
import TestSupport
import Testing

@Suite("A save over several stores")
struct CoordinatedSaveTests {
  let coordinator: PersistentStoreCoordinator
  /// In the order of their identifiers, not of attachment.
  let first: SpyStore
  let second: SpyStore

  init() throws {
    let model = try RouterModels.office()
    self.coordinator = PersistentStoreCoordinator(model: model)
    self.first = try Self.spy("first", "People", uuid: "00000000-0000-0000-0000-000000000001")
    self.second = try Self.spy("second", "Notes", uuid: "00000000-0000-0000-0000-000000000002")
    try self.coordinator.add(self.second)
    try self.coordinator.add(self.first)
  }

  private static func spy(
    _ name: String, _ configuration: String, uuid: String, readOnly: Bool = false
  ) throws -> SpyStore {
    var description = PersistentStoreDescription(
      .bare, at: nil, configuration: configuration, readOnly: readOnly)
    description.name = name
    let uuid = try #require(UUID(uuidString: uuid))
    return SpyStore(around: BareStore(description, metadata: StoreMetadata(uuid: uuid, type: "Bare")))
  }

  /// A change set that is not empty.
  private func change(_ entity: String) throws -> ChangeSet {
    var builder = RowBlockBuilder(
      layout: self.coordinator.model[try self.coordinator.model.id(entity)].layout)
    builder.beginRow(reference: 1, version: 1)
    var changes = ChangeSet()
    changes.inserted = [builder.finish()]
    return changes
  }

  private func saveBoth() throws {
    try self.coordinator.save(
      [self.first.id: try self.change("Person"), self.second.id: try self.change("Note")],
      save: SaveIdentifier())
  }

  @Test("every store is prepared, then every store commits")
  func both() throws {
    try self.saveBoth()
    for store in [self.first, self.second] {
      #expect(store.calls.prepared.count == 1)
      #expect(store.calls.committed == 1)
      #expect(store.calls.abandoned == 0)
    }
  }

  @Test("a store without changes is not touched")
  func onlyOne() throws {
    try self.coordinator.save(
      [self.first.id: try self.change("Person"), self.second.id: ChangeSet()], save: SaveIdentifier())
    #expect(self.first.calls.committed == 1)
    #expect(self.second.calls.prepared.isEmpty)
  }

  @Test(
    "PS-45, BR-111: a refusal before the first commit abandons every store and names the one that refused")
  func refused() throws {
    self.second.fail(.prepare)
    let error = #expect(throws: SaveError.self) { try self.saveBoth() }
    guard case .refused(let store, let underlying)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store == "second")
    #expect((underlying as? StoreError)?.code == .inputOutput)
    #expect(self.first.calls.abandoned == 1)
    #expect(self.first.calls.committed == 0)
    self.second.heal()
    try self.saveBoth()
    #expect(self.first.calls.committed == 1)
    #expect(self.second.calls.committed == 1)
  }

  @Test("PS-45: a first commit that fails abandons the rest: nothing is saved")
  func firstCommitFails() throws {
    self.first.fail(.commit)
    let error = #expect(throws: SaveError.self) { try self.saveBoth() }
    guard case .refused(let store, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store == "first")
    #expect(self.second.calls.abandoned == 1)
    #expect(self.second.calls.committed == 0)
  }

  @Test("PS-46, BR-111: a commit that fails after another is repeated at once")
  func secondCommitFails() throws {
    self.second.fail(.commit)
    try self.saveBoth()
    #expect(self.first.calls.committed == 1)
    #expect(self.second.calls.committed == 0)
    #expect(self.second.calls.recovered.count == 1)
  }

  @Test("PS-46, BR-111: a store that cannot be given its part of a save does no work until it has it")
  func recoveryPending() throws {
    self.second.fail(.commit)
    self.second.fail(.recover)
    let error = #expect(throws: SaveError.self) { try self.saveBoth() }
    guard case .recoveryPending(let stores, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(stores == ["second"])
    #expect(error?.legacyCode == 134040)

    let note = try self.coordinator.model.id("Note")
    let refusal = #expect(throws: StoreError.self) {
      try self.coordinator.reserveIdentifiers(in: self.second.id, for: note, count: 1)
    }
    #expect(refusal?.code == .recoveryPending)
    let refused = #expect(throws: SaveError.self) { try self.saveBoth() }
    guard case .refused(let store, _)? = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(store == "second")
    #expect(self.first.calls.prepared.count == 1)

    self.second.heal()
    _ = try self.coordinator.reserveIdentifiers(in: self.second.id, for: note, count: 1)
    #expect(self.second.calls.recovered.map(\.changes.inserted.count) == [1])
    try self.saveBoth()
    #expect(self.second.calls.committed == 1)
  }

  @Test("PS-15, A2.11: changes of a read-only store refuse the save by its name before any store is asked")
  func readOnly() throws {
    let catalogue = try Self.spy(
      "catalogue", "Notes", uuid: "00000000-0000-0000-0000-000000000000", readOnly: true)
    try self.coordinator.add(catalogue)
    let error = #expect(throws: SaveError.self) {
      try self.coordinator.save(
        [self.first.id: try self.change("Person"), catalogue.id: try self.change("Note")],
        save: SaveIdentifier())
    }
    guard case .refused(let store, let underlying)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store == "catalogue")
    #expect((underlying as? CoordinatorError)?.code == .readOnlyStore)
    #expect(self.first.calls.prepared.isEmpty)
    #expect(catalogue.calls.prepared.isEmpty)
  }

  @Test("a conflict that a store finds comes out with its rows")
  func conflict() throws {
    let note = try self.coordinator.model.id("Note")
    let rows = [RowIdentity(entity: note, reference: 1)]
    self.second.fail(.prepare, with: StoreError(.conflict, store: nil, rows: rows, "changed"))
    let error = #expect(throws: ConflictingRows.self) { try self.saveBoth() }
    #expect(error?.changed == [ManagedObjectID(store: self.second.id, entity: note, reference: 1)])
    #expect(self.first.calls.abandoned == 1)
  }

  @Test("PS-25, PS-27, A2.26: metadata waits for the next save, even an empty one; identifier and type stay")
  func metadata() throws {
    var metadata = self.first.metadata
    let own = metadata.uuid
    metadata.entries["colour"] = .string("blue")
    metadata.uuid = UUID()
    metadata.type = "Other"
    try self.coordinator.setMetadata(metadata, of: self.first.id)
    #expect(self.first.metadata.entries["colour"] == nil)
    #expect(self.coordinator.metadata(of: self.first.id)?.entries["colour"] == .string("blue"))
    try self.coordinator.save([:], save: SaveIdentifier())
    #expect(self.first.metadata.entries["colour"] == .string("blue"))
    #expect(self.first.metadata.uuid == own)
    #expect(self.first.metadata.type == "Bare")
    #expect(self.second.calls.prepared.isEmpty)
    try self.coordinator.save([:], save: SaveIdentifier())
    #expect(self.first.calls.prepared.count == 1)
  }

  @Test("a change for a store that is gone is refused")
  func goneStore() throws {
    try self.coordinator.remove(self.second)
    let error = #expect(throws: SaveError.self) { try self.saveBoth() }
    guard case .refused(let store, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store == "second")
    #expect(self.first.calls.prepared.isEmpty)
  }
}
