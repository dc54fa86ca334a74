import FederatedData
import FederatedStore
import Foundation
import TestSupport

/// Several files of both types that hold one entity, so that a save can span any of them.
struct EntryFederation {
  let folder: TemporaryFolder
  /// The names of the stores; those that end in `.xml` are XML.
  let names: [String]

  init(_ names: String..., in folder: TemporaryFolder? = nil) throws {
    self.folder = try folder ?? TemporaryFolder()
    self.names = names
  }

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Entry") {
        AttributeDescription("number", .integer64, default: 0)
        AttributeDescription("text", .string, optional: true)
        AttributeDescription("amount", .decimal, optional: true)
        AttributeDescription("when", .date, optional: true)
        AttributeDescription("ratio", .double, optional: true)
        RelationshipDescription("previous", to: "Entry", inverse: "next")
        RelationshipDescription("next", to: "Entry", .many, inverse: "previous")
        RelationshipDescription("marks", to: "Mark", .many, inverse: "entries")
      }
      EntityDescription("Mark") {
        AttributeDescription("name", .string, optional: true)
        RelationshipDescription("entries", to: "Entry", .many, inverse: "marks")
      }
    }
  }

  func url(_ name: String) -> URL { self.folder.file(name) }

  func description(_ name: String, spying: Bool = false, readOnly: Bool = false) -> PersistentStoreDescription
  {
    let type: StoreType = name.hasSuffix(".xml") ? .xml : .sqlite
    return PersistentStoreDescription(
      spying ? .spying(on: type) : type, at: self.url(name), name: name, readOnly: readOnly)
  }

  /// Opens some of the stores; all of them when none is named.
  func open(_ names: String..., spying: Bool = false, readOnly: Bool = false) throws -> PersistentContainer {
    try PersistentContainer(
      model: Self.model(),
      stores: (names.isEmpty ? self.names : names).map {
        self.description($0, spying: spying, readOnly: readOnly)
      })
  }

  func spy(_ name: String, in container: PersistentContainer) throws -> SpyStore {
    guard let spy = container.coordinator.store(named: name) as? SpyStore else {
      throw StoreError(.unsupported, store: nil, "\(name) is not open as a spy")
    }
    return spy
  }

  /// One more entry in every store, and the number of the last one moved on; not yet saved.
  func change(_ context: ManagedObjectContext, number: Int, in names: [String]? = nil) throws {
    for name in names ?? self.names {
      guard let store = context.coordinator.store(named: name) else { continue }
      var last = FetchRequest("Entry", order: [.descending("number")])
      last.affectedStores = [name]
      last.fetchLimit = 1
      let previous = try context.fetch(last).first
      try previous?.set("text", to: "followed by \(number)")
      let entry = try context.insert("Entry")
      try context.assign(entry, to: store)
      try entry.set("number", to: number)
      try entry.set("text", to: "number \(number) <&> ☃")
      try entry.set("amount", to: Decimal(number) / 8)
      try entry.set("when", to: Date(timeIntervalSinceReferenceDate: Double(number) + 0.1))
      try entry.set("ratio", to: 1 / Double(number + 3))
      try entry.set("previous", to: previous)
      let mark = try context.insert("Mark")
      try context.assign(mark, to: store)
      try mark.set("name", to: "mark \(number)")
      try entry.set("marks", to: [mark])
    }
  }

  /// The numbers of the entries of a store, which is opened by itself.
  func numbers(_ name: String) throws -> [Int] {
    let context = try self.open(name).makeContext()
    return try context.fetch(FetchRequest("Entry", order: [.ascending("number")])).map {
      guard case .int(let number) = try $0.value("number") else { return -1 }
      return Int(number)
    }
  }

  /// The names of hidden files in the folder.
  func hiddenFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: self.folder.url.path(percentEncoded: false))
      .filter { $0.hasPrefix(".") }.sorted()
  }

  /// Makes a save that is sealed and that the stores `late` have not got, as a process leaves it that dies between
  /// two commits.
  func breakOff(late: [String], number: Int) throws {
    let container = try self.open(spying: true)
    let context = container.makeContext()
    try self.change(context, number: number)
    for name in late {
      try self.spy(name, in: container).fail(.commit)
      try self.spy(name, in: container).fail(.recover)
    }
    do {
      try context.save()
    } catch SaveError.recoveryPending {
      return
    }
    throw StoreError(.unsupported, store: nil, "the save was to break off")
  }
}
