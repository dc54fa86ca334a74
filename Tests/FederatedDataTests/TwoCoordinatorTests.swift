import FederatedData
import Foundation
import TestSupport
import Testing

/// Two coordinators on one file, as two programs have it.
@Suite("Conflicts between coordinators")
struct TwoCoordinatorTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  enum Kind: String, CaseIterable, Sendable {
    case xml, sqlite
    var type: StoreType { self == .xml ? .xml : .sqlite }
  }

  private func container(_ kind: Kind) throws -> PersistentContainer {
    let model = try ManagedObjectModel {
      EntityDescription("Part") {
        AttributeDescription("code", .string, optional: true)
        AttributeDescription("size", .integer32, optional: true)
        AttributeDescription("price", .integer32, optional: true)
      }.unique(on: "code")
    }
    return try PersistentContainer(
      model: model,
      stores: [PersistentStoreDescription(kind.type, at: self.folder.file("parts.\(kind.rawValue)"))])
  }

  private struct Two {
    let containers: [PersistentContainer]
    let mine: ManagedObjectContext
    let theirs: ManagedObjectContext

    /// The second coordinator's object of that code.
    func their(_ code: String) throws -> ManagedObject {
      try self.reload()
      let request = FetchRequest("Part", where: try FetchPredicate(format: "code == %@", code))
      return try #require(try self.theirs.fetch(request).first)
    }

    /// Has the second coordinator take the file as it is.
    func reload() throws {
      let coordinator = self.containers[1].coordinator
      for store in coordinator.stores { try coordinator.reload(store) }
      self.theirs.refreshAll()
    }
  }

  private func two(_ kind: Kind, _ policy: MergePolicy) throws -> Two {
    let containers = [try self.container(kind), try self.container(kind)]
    let (mine, theirs) = (containers[0].makeContext(), containers[1].makeContext())
    mine.mergePolicy = policy
    return Two(containers: containers, mine: mine, theirs: theirs)
  }

  @Test(
    "a row that another coordinator changed is merged by the policy (MG-02 to MG-06)",
    arguments: Kind.allCases)
  func merged(_ kind: Kind) throws {
    let policies: [(policy: MergePolicy, size: Int64, price: Int64)] = [
      (.storeTrump, 3, 30), (.objectTrump, 2, 30), (.overwrite, 2, 1), (.rollback, 3, 30),
    ]
    for (number, (policy, size, price)) in policies.enumerated() {
      let two = try self.two(kind, .error)
      let part = try two.mine.insert("Part")
      try part.set("code", to: "\(number)")
      try part.set("price", to: 1)
      try two.mine.save()
      let other = try two.their("\(number)")
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
      #expect(conflicts.first?.fields.filter(\.isContested).map(\.name) == ["size"])
      two.mine.mergePolicy = policy
      try two.mine.save()
      #expect(try part.value("price") == .int(price) && part.value("size") == .int(size), "\(policy)")
      try two.reload()
      #expect(try other.value("size") == .int(size) && other.value("price") == .int(price), "\(policy)")
    }
  }

  @Test(
    "a row that another coordinator deleted, or changed while it was deleted here (MG-09, MG-10)",
    arguments: Kind.allCases)
  func deleted(_ kind: Kind) throws {
    for (number, (policy, storeWins)) in [(MergePolicy.storeTrump, true), (.objectTrump, false)].enumerated()
    {
      let two = try self.two(kind, policy)
      let parts = try ["changed", "deleted"].map { try two.mine.insert("Part").with(code: "\($0) \(number)") }
      try two.mine.save()
      two.theirs.delete(try two.their("changed \(number)"))
      try two.their("deleted \(number)").set("size", to: 3)
      try two.theirs.save()
      try parts[0].set("size", to: 2)
      two.mine.delete(parts[1])
      try two.mine.save()
      #expect(!two.mine.hasChanges && parts[0].isDeleted == storeWins)
      try two.reload()
      let left = try two.theirs.fetch(FetchRequest("Part", where: "code ENDSWITH '\(number)'")).map {
        try $0.value("code")
      }
      #expect(left == [.string(storeWins ? "deleted \(number)" : "changed \(number)")])
    }
  }

  @Test(
    "a new object becomes a row that another coordinator inserted meanwhile (MG-17)", arguments: Kind.allCases
  )
  func upserted(_ kind: Kind) throws {
    let two = try self.two(kind, .objectTrump)
    let part = try two.mine.insert("Part")
    try part.set("code", to: "a")
    try part.set("size", to: 2)
    let other = try two.theirs.insert("Part")
    try other.set("code", to: "a")
    try two.theirs.save()
    try two.mine.save()
    #expect(part.objectID.reference == other.objectID.reference)
    try two.reload()
    #expect(try other.value("size") == .int(2))
    #expect(try two.theirs.count(for: FetchRequest("Part")) == 1)
  }
}

extension ManagedObject {
  fileprivate func with(code: String) throws -> ManagedObject {
    try self.set("code", to: code)
    return self
  }
}
