import FederatedData
import Foundation
import TestSupport
import Testing

/// Cases that need a model of their own: rules in two stores, and two delete rules on one object.
@Suite("Cases over two stores")
struct TwoStoreCasesTests {
  enum Direction: String, CaseIterable, CustomTestStringConvertible {
    case xmlFirst = "owners in XML, notes in SQLite"
    case sqliteFirst = "owners in SQLite, notes in XML"

    var testDescription: String { self.rawValue }
    var types: (owners: StoreType, notes: StoreType) {
      self == .xmlFirst ? (.xml, .sqlite) : (.sqlite, .xml)
    }
  }

  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private func container(_ direction: Direction) throws -> PersistentContainer {
    let model = try ManagedObjectModel {
      EntityDescription("Owner") {
        AttributeDescription("name", .string)
        RelationshipDescription("parts", to: "Part", .many, inverse: "owner", deleteRule: .cascade)
        RelationshipDescription("bills", to: "Bill", .many, inverse: "owner", deleteRule: .deny)
      }
      EntityDescription("Part") { RelationshipDescription("owner", to: "Owner", inverse: "parts") }
      EntityDescription("Bill") { RelationshipDescription("owner", to: "Owner", inverse: "bills") }
      EntityDescription("Note") { AttributeDescription("text", .string) }
      ModelConfiguration("Owners", entities: ["Owner", "Part", "Bill"])
      ModelConfiguration("Notes", entities: ["Note"])
    }
    let types = direction.types
    return try PersistentContainer(
      model: model,
      stores: [
        PersistentStoreDescription(types.owners, at: self.folder.file("owners"), configuration: "Owners"),
        PersistentStoreDescription(types.notes, at: self.folder.file("notes"), configuration: "Notes"),
      ])
  }

  /// What the files hold; who reads a SQLite file leaves a mark in its shared memory.
  private func files() throws -> [String: Data] {
    try FolderState(self.folder.url).files.filter { !$0.key.hasSuffix("-shm") }
  }

  private func counts(_ container: PersistentContainer) throws -> [Int] {
    let context = container.makeContext()
    return try ["Owner", "Part", "Bill", "Note"].map { try context.count(for: FetchRequest($0)) }
  }

  @Test(
    "RE-14 a denied deletion with a cascade beside it writes nothing, and everything stays pending",
    arguments: Direction.allCases)
  func denied(_ direction: Direction) throws {
    let container = try self.container(direction)
    let context = container.makeContext()
    let owner = try context.insert("Owner")
    try owner.set("name", to: "Ada")
    let (part, bill) = (try context.insert("Part"), try context.insert("Bill"))
    try part.set("owner", to: owner)
    try bill.set("owner", to: owner)
    try context.save()
    let before = try self.files()
    context.delete(owner)
    try context.insert("Note").set("text", to: "new")
    let error = #expect(throws: SaveError.self) { try context.save() }
    guard case .invalid(let breaches)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.legacyCode == 1600)
    #expect(breaches.map(\.property) == ["bills"] && breaches.map(\.object) == [owner.objectID])
    #expect(Set(context.deletedObjects) == [owner, part] && context.insertedObjects.count == 1)
    #expect(try self.files() == before)
    #expect(try self.counts(container) == [1, 1, 1, 0])
    context.delete(bill)
    try context.save()
    #expect(try self.counts(container) == [0, 0, 0, 1])
  }

  @Test(
    "VA-19 invalid objects of two stores are told in one error, and neither store is touched",
    arguments: Direction.allCases)
  func invalid(_ direction: Direction) throws {
    let container = try self.container(direction)
    let context = container.makeContext()
    let (owner, note) = (try context.insert("Owner"), try context.insert("Note"))
    let before = try self.files()
    let error = #expect(throws: SaveError.self) { try context.save() }
    guard case .invalid(let breaches)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.legacyCode == 1560)
    #expect(breaches.map(\.object) == [note.objectID, owner.objectID])
    #expect(breaches.map(\.property) == ["text", "name"])
    #expect(try self.files() == before && context.insertedObjects.count == 2)
    try owner.set("name", to: "Ada")
    try note.set("text", to: "fine")
    try context.save()
    #expect(try self.counts(container) == [1, 0, 0, 1])
  }

  @Test(
    "PS-34 the URI of a deleted row still names it, and its object is an error", arguments: Direction.allCases
  )
  func deletedRow(_ direction: Direction) throws {
    var uri: URL?
    do {
      let context = try self.container(direction).makeContext()
      let owner = try context.insert("Owner")
      try owner.set("name", to: "Ada")
      try context.save()
      uri = context.uri(for: owner.objectID)
      context.delete(owner)
      try context.save()
    }
    let context = try self.container(direction).makeContext()
    let id = try context.coordinator.objectID(for: #require(uri))
    #expect(id != nil)
    let error = #expect(throws: ManagedObjectError.self) {
      try context.existingObject(with: try #require(id))
    }
    #expect(error?.code == .inaccessibleFault && error?.code.legacyCode == 133000)
  }
}
