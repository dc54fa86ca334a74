import FederatedData
import Foundation
import TestSupport
import Testing

/// Two coordinators on one SQLite file, as two programs have it.
@Suite("Conflicts between coordinators")
struct TwoCoordinatorTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private func container() throws -> PersistentContainer {
    let model = try ManagedObjectModel {
      EntityDescription("Part") {
        AttributeDescription("code", .string, optional: true)
        AttributeDescription("size", .integer32, optional: true)
        AttributeDescription("price", .integer32, optional: true)
      }.unique(on: "code")
    }
    return try PersistentContainer(
      model: model, stores: [PersistentStoreDescription(.sqlite, at: self.folder.file("parts.sqlite"))])
  }

  private struct Two {
    let containers: [PersistentContainer]
    let mine: ManagedObjectContext
    let theirs: ManagedObjectContext
  }

  private func two(_ policy: MergePolicy) throws -> Two {
    let containers = [try self.container(), try self.container()]
    let (mine, theirs) = (containers[0].makeContext(), containers[1].makeContext())
    mine.mergePolicy = policy
    return Two(containers: containers, mine: mine, theirs: theirs)
  }

  @Test("a row that another coordinator changed is merged by the policy (MG-02, MG-03, MG-04)")
  func merged() throws {
    for (number, (policy, expected)) in [(MergePolicy.storeTrump, 3), (.objectTrump, 2)].enumerated() {
      let two = try self.two(.error)
      let part = try two.mine.insert("Part")
      try part.set("code", to: "\(number)")
      try two.mine.save()
      let request = FetchRequest("Part", where: try FetchPredicate(format: "code == %@", "\(number)"))
      let other = try #require(try two.theirs.fetch(request).first)
      try other.set("size", to: 3)
      try other.set("price", to: 30)
      try two.theirs.save()
      try part.set("size", to: 2)
      let error = #expect(throws: SaveError.self) { try two.mine.save() }
      guard case .conflicts(let conflicts)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(conflicts.first?.storedSnapshot?["size"] == .int(3))
      two.mine.mergePolicy = policy
      try two.mine.save()
      #expect(try part.value("price") == .int(30) && part.value("size") == .int(Int64(expected)))
      two.theirs.refreshAll()
      #expect(try other.value("size") == .int(Int64(expected)))
    }
  }

  @Test("a new object becomes a row that another coordinator inserted meanwhile (MG-17)")
  func upserted() throws {
    let two = try self.two(.objectTrump)
    let part = try two.mine.insert("Part")
    try part.set("code", to: "a")
    try part.set("size", to: 2)
    let other = try two.theirs.insert("Part")
    try other.set("code", to: "a")
    try two.theirs.save()
    try two.mine.save()
    #expect(part.objectID.reference == other.objectID.reference)
    two.theirs.refreshAll()
    #expect(try other.value("size") == .int(2))
    #expect(try two.theirs.count(for: FetchRequest("Part")) == 1)
  }
}
