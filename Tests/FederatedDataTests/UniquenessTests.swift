import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("Uniqueness constraints")
struct UniquenessTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  enum Kind: String, CaseIterable, Sendable {
    case memory, xml, sqlite
  }

  private func container(_ kind: Kind) throws -> PersistentContainer {
    let model = try ManagedObjectModel {
      EntityDescription("Part") {
        AttributeDescription("code", .string, optional: true)
        AttributeDescription("size", .integer32, optional: true)
      }.unique(on: "code", "size")
      EntityDescription("Screw", parent: "Part") { AttributeDescription("pitch", .double, optional: true) }
    }
    let type: StoreType =
      switch kind {
      case .memory: .inMemory
      case .xml: .xml
      case .sqlite: .sqlite
      }
    let url = kind == .memory ? nil : self.folder.file("parts.\(kind)")
    return try PersistentContainer(model: model, stores: [PersistentStoreDescription(type, at: url)])
  }

  private func insert(_ entity: String, _ code: String?, _ size: Int?, in context: ManagedObjectContext)
    throws
    -> ManagedObject
  {
    let object = try context.insert(entity)
    if let code { try object.set("code", to: code) }
    if let size { try object.set("size", to: size) }
    return object
  }

  private func expectDuplicate(_ context: ManagedObjectContext, _ comment: Comment) throws {
    let error = try #require(throws: SaveError.self, comment) { try context.save() }
    guard case .constraintConflicts(let conflicts) = error else {
      Issue.record("\(comment): \(error)")
      return
    }
    #expect(conflicts.map(\.attributes) == [["code", "size"]] && error.legacyCode == 133021, comment)
    #expect(context.hasChanges, comment)
  }

  @Test(
    "a second row with the same unique values is refused, and the save is whole again without it",
    arguments: Kind.allCases)
  func refused(kind: Kind) throws {
    let container = try self.container(kind)
    let context = container.makeContext()
    _ = try self.insert("Part", "a", 1, in: context)
    let second = try self.insert("Screw", "a", 1, in: context)
    try self.expectDuplicate(context, "two new rows, one of a subentity")
    try second.set("size", to: 2)
    try context.save()
    #expect(try context.count(for: FetchRequest("Part")) == 2)

    let third = try self.insert("Part", "a", 2, in: context)
    try self.expectDuplicate(context, "a new row against a saved one")
    context.delete(third)
    try second.set("size", to: 1)
    try self.expectDuplicate(context, "a changed row against a saved one")
    context.rollback()
    try context.save()
    #expect(try container.makeContext().count(for: FetchRequest("Part")) == 2)
  }

  @Test(
    "nil collides with nothing, composed and decomposed texts differ, and rows may exchange values",
    arguments: Kind.allCases)
  func accepted(kind: Kind) throws {
    let context = try self.container(kind).makeContext()
    for _ in 0..<2 {
      _ = try self.insert("Part", nil, 1, in: context)
      _ = try self.insert("Part", "a", nil, in: context)
    }
    let one = try self.insert("Part", "\u{e9}", 1, in: context)
    let two = try self.insert("Part", "e\u{301}", 1, in: context)
    try context.save()
    try one.set("code", to: "e\u{301}")
    try two.set("code", to: "\u{e9}")
    try context.save()
    #expect(try context.count(for: FetchRequest("Part")) == 6)
  }
}

@Suite("Shapes of requests")
struct RequestShapeTests {
  @Test("a request for another shape, or for groups, is refused instead of answered with objects")
  func refused() throws {
    let model = try ManagedObjectModel { EntityDescription("Part") { AttributeDescription("code", .string) } }
    let container = try PersistentContainer(
      model: model, stores: [PersistentStoreDescription(.inMemory, at: nil)])
    let context = container.makeContext()
    var request = FetchRequest("Part")
    for shape in [FetchRequest.ResultType.count, .identifiers, .dictionaries] {
      request.resultType = shape
      let error = try #require(throws: ManagedObjectError.self) { try context.fetch(request) }
      #expect("\(error)".contains("use "), "\(error)")
    }
    request.resultType = .count
    #expect(try context.count(for: request) == 0)
    request.resultType = .objects
    request.propertiesToGroupBy = ["code"]
    #expect(throws: ManagedObjectError.self) { try context.fetch(request) }
    #expect(throws: ManagedObjectError.self) { try context.count(for: request) }
  }
}
