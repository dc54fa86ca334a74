import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

@Suite("A save over several files that broke off after its commit point")
struct JointSaveRecoveryTests {
  private static let late = [["a.xml"], ["b.sqlite"], ["a.xml", "b.sqlite"]]

  /// Two files with one entry each, and a second one that stores lack.
  private func brokenOff(late: [String]) throws -> EntryFederation {
    let federation = try EntryFederation("a.xml", "b.sqlite")
    let container = try federation.open()
    let context = container.makeContext()
    try federation.change(context, number: 1)
    try context.save()
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
    try federation.breakOff(late: late, number: 2)
    #expect(try federation.hiddenFiles().count == 3)
    return federation
  }

  private func pending(_ federation: EntryFederation, _ name: String) throws -> [PendingSave] {
    try PendingSave.all(ofStoreAt: federation.url(name), types: [.xml, .sqlite])
  }

  @Test("is finished when the stores are opened together", arguments: late)
  func together(late: [String]) throws {
    let federation = try self.brokenOff(late: late)
    let context = try federation.open().makeContext()
    #expect(try context.count(for: FetchRequest("Entry")) == 4)
    #expect(try federation.hiddenFiles() == [])
    let followed = try context.fetch(FetchRequest("Entry", where: "text BEGINSWITH 'followed'"))
    #expect(followed.count == 2)
    #expect(try followed.allSatisfy { try $0.objects("next").count == 1 })
    #expect(try context.count(for: FetchRequest("Entry", where: "ANY marks.name == 'mark 2'")) == 2)
  }

  @Test("is given to a store that is opened alone; the journal stays for the other", arguments: late)
  func alone(late: [String]) throws {
    let federation = try self.brokenOff(late: late)
    for (number, name) in federation.names.enumerated() {
      #expect(try federation.numbers(name) == [1, 2])
      // To be read again changes nothing.
      #expect(try federation.numbers(name) == [1, 2])
      let lacking = federation.names[(number + 1)...].filter(late.contains)
      #expect(try self.pending(federation, name).count == (lacking.isEmpty ? 0 : 1))
    }
    #expect(try federation.hiddenFiles() == [])
  }

  @Test("keeps later saves of a store that has its part already")
  func laterSaves() throws {
    let federation = try self.brokenOff(late: ["a.xml", "b.sqlite"])
    do {
      let alone = try federation.open("a.xml")
      let context = alone.makeContext()
      try federation.change(context, number: 3, in: ["a.xml"])
      for entry in try context.fetch(FetchRequest("Entry", where: "number < 3")) { context.delete(entry) }
      try context.save()
    }
    let context = try federation.open().makeContext()
    let numbers = try context.fetch(FetchRequest("Entry", order: [.ascending("number")])).map {
      try $0.value("number")
    }
    #expect(numbers == [.int(1), .int(2), .int(3)])
    #expect(try federation.hiddenFiles() == [])
  }

  @Test("is told of, and nothing of it is removed, while a participant is missing or another store")
  func missingPartner() throws {
    let federation = try self.brokenOff(late: ["a.xml", "b.sqlite"])
    let away = federation.folder.file("away")
    try FileManager.default.moveItem(at: federation.url("b.sqlite"), to: away)
    #expect(try federation.numbers("a.xml") == [1, 2])
    let missing = try #require(try self.pending(federation, "a.xml").first)
    #expect(missing.participants.first { $0.name == "b.sqlite" }?.state == .missing)
    #expect(missing.participants.first { $0.name == "a.xml" }?.state == .done)
    let told = try federation.open("a.xml").coordinator.pendingSaves
    #expect(told.map(\.save) == [missing.save])

    _ = try federation.open("b.sqlite")
    #expect(try federation.numbers("a.xml") == [1, 2])
    let foreign = try #require(try self.pending(federation, "a.xml").first)
    #expect(foreign.participants.first { $0.name == "b.sqlite" }?.state == .foreign)
    #expect("\(foreign)".contains("another store"))

    for suffix in ["", "-wal", "-shm"] where federation.url("b.sqlite" + suffix).isThere {
      try FileManager.default.removeItem(at: federation.url("b.sqlite" + suffix))
    }
    try FileManager.default.moveItem(at: away, to: federation.url("b.sqlite"))
    #expect(try federation.numbers("b.sqlite") == [1, 2])
    #expect(try federation.hiddenFiles() == [])
  }

  @Test("moves with its stores when the whole folder does")
  func movedFolder() throws {
    let federation = try self.brokenOff(late: ["b.sqlite"])
    let folder = try TemporaryFolder()
    for file in try FileManager.default.contentsOfDirectory(
      atPath: federation.folder.url.path(percentEncoded: false))
    {
      try FileManager.default.moveItem(at: federation.folder.file(file), to: folder.file(file))
    }
    let moved = try EntryFederation("a.xml", "b.sqlite", in: folder)
    for name in moved.names { #expect(try moved.numbers(name) == [1, 2]) }
    #expect(try moved.hiddenFiles() == [])
  }

  @Test("is not forgotten by a store that was moved away from the journal")
  func movedAway() throws {
    let federation = try self.brokenOff(late: ["b.sqlite"])
    let elsewhere = try EntryFederation("b.sqlite")
    for file in ["b.sqlite", ".b.sqlite.joint"] {
      try FileManager.default.moveItem(at: federation.url(file), to: elsewhere.url(file))
    }
    // Where the journal still stands where it was, it is found.
    let hidden = try federation.hiddenFiles()
    let journal = try #require(hidden.first { $0.contains(".joint-") })
    let away = federation.folder.file("away")
    try FileManager.default.moveItem(at: federation.url(journal), to: away)
    let error = #expect(throws: StoreError.self) { try elsewhere.open() }
    #expect(error?.code == .recoveryPending)
    try FileManager.default.moveItem(at: away, to: federation.url(journal))
    #expect(try elsewhere.numbers("b.sqlite") == [1, 2])
  }

  @Test("is not forgotten by a store whose partner was moved away with the journal")
  func partnerMovedAway() throws {
    let federation = try self.brokenOff(late: ["a.xml", "b.sqlite"])
    let journal = try #require(try federation.hiddenFiles().first { $0.contains(".joint-") })
    let (partner, stays) = journal.hasPrefix(".a.xml") ? ("a.xml", "b.sqlite") : ("b.sqlite", "a.xml")
    let away = try TemporaryFolder()
    let moved = [partner, ".\(partner).joint", journal]
    for file in moved { try FileManager.default.moveItem(at: federation.url(file), to: away.file(file)) }
    for readOnly in [false, true] {
      let error = #expect(throws: StoreError.self) { try federation.open(stays, readOnly: readOnly) }
      #expect(error?.code == .recoveryPending)
    }
    for file in moved { try FileManager.default.moveItem(at: away.file(file), to: federation.url(file)) }
    for name in federation.names { #expect(try federation.numbers(name) == [1, 2]) }
    #expect(try federation.hiddenFiles() == [])
  }

  @Test("refuses a read-only opening of a store that lacks it, and touches nothing", arguments: late)
  func readOnly(late: [String]) throws {
    let federation = try self.brokenOff(late: late)
    let before = try FolderState(federation.folder.url)
    for name in federation.names {
      if late.contains(name) {
        let error = #expect(throws: StoreError.self) { try federation.open(name, readOnly: true) }
        #expect(error?.code == .recoveryPending)
        #expect("\(String(describing: error))".contains("federate recover"))
      } else {
        let context = try federation.open(name, readOnly: true).makeContext()
        #expect(try context.count(for: FetchRequest("Entry")) == 2)
      }
    }
    #expect(try FolderState(federation.folder.url) == before)
  }

  @Test("never happened when it was not sealed: its pointers mean nothing and go")
  func neverSealed() throws {
    let federation = try self.brokenOff(late: ["b.sqlite"])
    let journal = try #require(try federation.hiddenFiles().first { $0.contains(".joint-") })
    try FileManager.default.removeItem(at: federation.url(journal))
    #expect(try federation.numbers("b.sqlite") == [1])
    #expect(try federation.numbers("a.xml") == [1, 2])
    #expect(try federation.hiddenFiles() == [])
  }

  @Test("never happened when its journal was taken back")
  func takenBack() throws {
    let federation = try self.brokenOff(late: ["a.xml", "b.sqlite"])
    let journal = try #require(try federation.hiddenFiles().first { $0.contains(".joint-") })
    try Data().write(to: federation.url(journal))
    for name in federation.names { #expect(try federation.numbers(name) == [1]) }
  }

  @Test("is not guessed at when its journal is damaged", arguments: [0, 30, 40, 200])
  func damaged(place: Int) throws {
    let federation = try self.brokenOff(late: ["b.sqlite"])
    let journal = try #require(try federation.hiddenFiles().first { $0.contains(".joint-") })
    var bytes = try Data(contentsOf: federation.url(journal))
    bytes[place] ^= 1
    try bytes.write(to: federation.url(journal))
    let error = #expect(throws: StoreError.self) { try federation.open("b.sqlite") }
    #expect(error?.code == .malformed)
    bytes[place] ^= 1
    try bytes.write(to: federation.url(journal))
    #expect(try federation.numbers("b.sqlite") == [1, 2])
  }

  @Test("keeps rows that another program changed since, and says so")
  func changedByOthers() throws {
    let federation = try self.brokenOff(late: ["a.xml"])
    let text = String(decoding: try Data(contentsOf: federation.url("a.xml")), as: UTF8.self)
    let edited = text.replacing("number 1 &lt;&amp;&gt; ☃", with: "number one")
    #expect(edited != text)
    try Data(edited.utf8).write(to: federation.url("a.xml"))
    let error = #expect(throws: StoreError.self) { try federation.open("a.xml") }
    #expect(error?.code == .recoveryPending)
    #expect((error?.underlying as? StoreError)?.code == .conflict)
    #expect(try Data(contentsOf: federation.url("a.xml")) == Data(edited.utf8))
    try Data(text.utf8).write(to: federation.url("a.xml"))
    #expect(try federation.numbers("a.xml") == [1, 2])
  }

  @Test("keeps its stores from being destroyed")
  func destroy() throws {
    let federation = try self.brokenOff(late: ["a.xml"])
    let destroy = try #require(StoreType.xml.destroy)
    let error = #expect(throws: StoreError.self) { try destroy(federation.url("a.xml")) }
    #expect(error?.code == .recoveryPending)
    #expect(try federation.numbers("a.xml") == [1, 2])
    try destroy(federation.url("a.xml"))
  }

  @Test("is noticed by a process that has the stores open, before it saves", arguments: late)
  func openElsewhere(late: [String]) throws {
    let federation = try EntryFederation("a.xml", "b.sqlite")
    let container = try federation.open()
    let context = container.makeContext()
    try federation.change(context, number: 1)
    try context.save()
    try federation.breakOff(late: late, number: 2)
    // One store alone is enough to be given what it lacks; numbers for new rows are then taken anew.
    for name in late {
      let mark = try context.insert("Mark")
      try context.assign(mark, toStoreNamed: name)
      try self.saveTwice(context)
      #expect(try federation.numbers(name) == [1, 2])
    }
    // What the other process did to the rest is taken in, too.
    for store in container.coordinator.stores { try container.coordinator.reload(store) }
    try federation.change(context, number: 3)
    try self.saveTwice(context)
    for name in federation.names { #expect(try federation.numbers(name) == [1, 2, 3]) }
    #expect(try federation.hiddenFiles() == [])
  }

  private func saveTwice(_ context: ManagedObjectContext) throws {
    do { try context.save() } catch SaveError.refused(_, let error as StoreError) {
      #expect(error.code == .changedUnderneath)
      try context.save()
    }
  }
}
