import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

@Suite("A save over several files")
struct JointSaveTests {
  @Test("is in all of them, under one identifier, and leaves nothing beside them (BR-111)")
  func everywhere() throws {
    let federation = try EntryFederation("a.xml", "b.sqlite", "c.xml", "d.sqlite")
    let container = try federation.open()
    let context = container.makeContext()
    for number in 1...3 {
      try federation.change(context, number: number)
      try context.save()
    }
    #expect(try federation.hiddenFiles() == [])
    let saves = Set(container.coordinator.stores.map { $0.metadata.lastJointSave })
    #expect(saves.count == 1 && saves.first != .some(nil))
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
    for name in federation.names { #expect(try federation.numbers(name) == [1, 2, 3]) }
  }

  @Test("and one over a single file writes no journal and no identifier", arguments: ["a.xml", "b.sqlite"])
  func single(name: String) throws {
    let federation = try EntryFederation("a.xml", "b.sqlite")
    let container = try federation.open()
    let context = container.makeContext()
    try federation.change(context, number: 1, in: [name])
    try context.save()
    #expect(container.coordinator.store(named: name)?.metadata.lastJointSave == nil)
    #expect(try federation.hiddenFiles() == [])
  }

  @Test(
    "is over as soon as a store whose commit failed can be given its part", arguments: ["a.xml", "b.sqlite"])
  func commitFails(name: String) throws {
    let federation = try EntryFederation("a.xml", "b.sqlite")
    let container = try federation.open(spying: true)
    let context = container.makeContext()
    try federation.spy(name, in: container).fail(.commit)
    try federation.change(context, number: 1)
    try context.save()
    #expect(try federation.hiddenFiles() == [])
    try federation.spy(name, in: container).heal()
    #expect(try context.count(for: FetchRequest("Entry")) == 2)
    try federation.change(context, number: 2)
    try context.save()
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
    for name in federation.names { #expect(try federation.numbers(name) == [1, 2]) }
  }

  @Test(
    "makes a store that cannot be given its part refuse work until it can (PS-46)",
    arguments: [["a.xml"], ["b.sqlite"], ["a.xml", "b.sqlite"]])
  func refusesWork(late: [String]) throws {
    let federation = try EntryFederation("a.xml", "b.sqlite")
    let container = try federation.open(spying: true)
    let context = container.makeContext()
    for name in late {
      try federation.spy(name, in: container).fail(.commit)
      try federation.spy(name, in: container).fail(.recover)
    }
    try federation.change(context, number: 1)
    let error = #expect(throws: SaveError.self) { try context.save() }
    guard case .recoveryPending(let stores, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(Set(stores) == Set(late))
    #expect(!context.hasChanges)
    let other = container.makeContext()
    let refusal = #expect(throws: StoreError.self) { try other.count(for: FetchRequest("Entry")) }
    #expect(refusal?.code == .recoveryPending)

    for name in late { try federation.spy(name, in: container).heal() }
    #expect(try other.count(for: FetchRequest("Entry")) == 2)
    #expect(try federation.hiddenFiles() == [])
    try federation.change(context, number: 2)
    try context.save()
    #expect(try other.count(for: FetchRequest("Entry")) == 4)
  }

  @Test("that a store refuses leaves every file as it was, and all changes pending (PS-45, CX-29)")
  func refused() throws {
    let federation = try EntryFederation("a.xml", "b.sqlite")
    let container = try federation.open(spying: true)
    let context = container.makeContext()
    try federation.change(context, number: 1)
    try context.save()
    let xml = try Data(contentsOf: federation.url("a.xml"))
    for name in federation.names {
      let spy = try federation.spy(name, in: container)
      spy.fail(.prepare, with: StoreError(.diskFull, store: federation.url(name), "no room; make some"))
      try federation.change(context, number: 2)
      let error = #expect(throws: SaveError.self) { try context.save() }
      guard case .refused(let store, let underlying)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(store == name)
      #expect((underlying as? StoreError)?.code == .diskFull)
      #expect(context.insertedObjects.count == 4)
      #expect(try Data(contentsOf: federation.url("a.xml")) == xml)
      #expect(try federation.hiddenFiles() == [])
      spy.heal()
      // An object that was to be new and is deleted again is nothing that a store hears of.
      for object in context.insertedObjects { context.delete(object) }
      context.rollback()
    }
    try federation.change(context, number: 3)
    try context.save()
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
    for name in federation.names { #expect(try federation.numbers(name) == [1, 3]) }
  }

  @Test("waits for one of another process, and is refused if that takes too long")
  func locked() throws {
    let federation = try EntryFederation("a.xml", "b.sqlite")
    let container = try federation.open()
    let context = container.makeContext()
    try federation.change(context, number: 1)
    let lock = try StoreLock(SideFiles(of: federation.url("b.sqlite")))
    let error = #expect(throws: SaveError.self) { try context.save() }
    guard case .refused(let store, let underlying)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store == "b.sqlite")
    #expect((underlying as? StoreError)?.code == .locked)
    lock.release()
    try context.save()
    #expect(try federation.hiddenFiles() == [])
  }

  @Test("writes a journal that nobody may read who may not read every store")
  func rights() throws {
    let federation = try EntryFederation("a.xml", "b.sqlite")
    _ = try federation.open()
    chmod(federation.url("a.xml").path(percentEncoded: false), 0o640)
    try federation.breakOff(late: ["b.sqlite"], number: 1)
    let journal = try #require(try federation.hiddenFiles().first { $0.contains(".joint-") })
    var status = stat()
    #expect(stat(federation.url(journal).path(percentEncoded: false), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test("brings its metadata along")
  func metadata() throws {
    let federation = try EntryFederation("a.xml", "b.sqlite")
    let container = try federation.open(spying: true)
    for store in container.coordinator.stores {
      var metadata = store.metadata
      metadata.entries["colour"] = .string("blue")
      try container.coordinator.setMetadata(metadata, of: store.id)
    }
    let late = try federation.spy("b.sqlite", in: container)
    late.fail(.commit)
    late.fail(.recover)
    #expect(throws: SaveError.self) { try container.coordinator.save([:], save: SaveIdentifier()) }
    let next = try federation.open()
    for store in next.coordinator.stores { #expect(store.metadata.entries["colour"] == .string("blue")) }
    #expect(try federation.hiddenFiles() == [])
  }
}
