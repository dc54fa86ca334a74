import FederatedData
import Foundation
import TestSupport
import Testing

/// Code of users runs while no lock is held: from any of it, another thread can read and save.
@Suite("No lock is held while code of users runs")
struct NoLockHeldTests {
  @Test("a hook, a block, a comparator and a computed value", arguments: BusyShop.Kinds.allCases)
  func insideUserCode(_ kinds: BusyShop.Kinds) async throws {
    let shop = try BusyShop(kinds, classes: [Buyer.self])
    let elsewhere = Elsewhere(shop.container)
    try await shop.container.withContext { context in
      for number in 1...3 { try context.addBuyer(number) }
      try context.save()
    }
    let visit: @Sendable (String) -> Void = { elsewhere.readsAndSaves(in: $0) }
    try await Visit.$now.withValue(visit) {
      try await shop.container.withContext { context in
        let block = FetchPredicate.block("visits", reading: "number") { _ in
          Visit.now?("a block")
          return true
        }
        let comparator = SortComparator("visits") { _, _ in
          Visit.now?("a comparator")
          return .orderedSame
        }
        let request = FetchRequest(
          "Buyer", where: block, order: [FetchSortDescriptor("number", by: comparator)])
        let buyers = try context.fetch(request)
        #expect(buyers.count == 3)
        for buyer in buyers { #expect(try buyer.value("twice") != .null) }
        try buyers[0].set("number", to: 4)
        try context.addBuyer(5)
        try context.save()
        context.delete(buyers[1])
        try context.save()
        context.refresh(buyers[2], mergeChanges: false)
      }
    }
    #expect(
      elsewhere.places == [
        "a block", "a comparator", "a computed value", "awakeFromFetch", "awakeFromInsert", "didSave",
        "didTurnIntoFault", "prepareForDeletion", "validate", "validate a value", "willSave",
        "willTurnIntoFault",
      ])
    #expect(elsewhere.failures == [])
  }

  @Test("a merge policy, and the validation of what it decides", arguments: BusyShop.Kinds.allCases)
  func insideAPolicy(_ kinds: BusyShop.Kinds) async throws {
    let shop = try BusyShop(kinds, classes: [Buyer.self])
    let elsewhere = Elsewhere(shop.container)
    try await shop.container.withContext { context in
      let buyer = try context.savedBuyer()
      let others = shop.container.makeContext()
      try others.existingObject(with: buyer.objectID).set("number", to: 2)
      try others.save()
      try buyer.set("number", to: 3)
      context.mergePolicy = .custom { conflict in
        elsewhere.readsAndSaves(in: "a policy")
        return try conflict.resolution(by: .objectTrump)
      }
      let visit: @Sendable (String) -> Void = { if $0 == "validate" { elsewhere.readsAndSaves(in: $0) } }
      try Visit.$now.withValue(visit) { try context.save() }
      #expect(try others.count(for: FetchRequest("Buyer", where: "number == 3")) == 1)
    }
    #expect(elsewhere.places == ["a policy", "validate"])
    #expect(elsewhere.failures == [])
  }

  @Test("hooks that a reload of a store leads to", arguments: BusyShop.Kinds.allCases)
  func afterAReload(_ kinds: BusyShop.Kinds) async throws {
    let shop = try BusyShop(kinds, classes: [Buyer.self])
    let elsewhere = Elsewhere(shop.container)
    try await shop.container.withContext { context in
      let buyer = try context.savedBuyer()
      let visit: @Sendable (String) -> Void = { elsewhere.readsAndSaves(in: $0) }
      try Visit.$now.withValue(visit) {
        try shop.container.coordinator.reload(
          try #require(shop.container.coordinator.store(named: "Contacts")))
        _ = try context.fetch(FetchRequest("Buyer"))
        #expect(try buyer.value("number") == .int(1))
      }
    }
    #expect(elsewhere.places == ["awakeFromFetch", "didTurnIntoFault", "willTurnIntoFault"])
    #expect(elsewhere.failures == [])
  }

  @Test("an observer of the stores")
  func insideAnObserver() throws {
    let shop = try BusyShop(.memory)
    let elsewhere = Elsewhere(shop.container)
    let observation = shop.container.coordinator.observeStores { change in
      elsewhere.readsAndSaves(in: change.added.isEmpty ? "removed" : "added")
    }
    let guest = try shop.container.coordinator.add(BusyShop.guest(0))
    let moved = try shop.container.coordinator.migrate(guest, to: BusyShop.guest(1))
    try shop.container.coordinator.remove(moved)
    #expect(elsewhere.places == ["added", "removed"])
    #expect(elsewhere.failures == [])
    withExtendedLifetime(observation) {}
  }

  @Test("a reader that takes its time keeps no other reader waiting", arguments: BusyShop.Kinds.allCases)
  func slowReader(_ kinds: BusyShop.Kinds) async throws {
    let shop = try BusyShop(kinds)
    let elsewhere = Elsewhere(shop.container)
    try await shop.container.withContext { context in
      try context.addOrder(1, of: 1)
      try context.save()
      let counts = try context.withReadScope {
        let before = try context.fetch(FetchRequest("Order")).count
        elsewhere.readsAndSaves(in: "a read scope")
        return [before, try context.count(for: FetchRequest("Order"))]
      }
      // The scope keeps the state that it began with.
      #expect(counts == [1, 1])
      #expect(try context.count(for: FetchRequest("Order")) == 2)
    }
    #expect(elsewhere.failures == [])
  }
}

/// What the code under test calls from wherever it runs.
enum Visit {
  @TaskLocal static var now: (@Sendable (String) -> Void)?
}

/// Another thread with a context of its own.
private final class Elsewhere: Sendable {
  private let container: PersistentContainer
  private let seen = Guarded((places: Set<String>(), failures: [String]()))

  init(_ container: PersistentContainer) { self.container = container }

  var places: [String] { self.seen.value.places.sorted() }
  var failures: [String] { self.seen.value.failures }

  /// Waits until another thread has read and saved; the first time for each place.
  func readsAndSaves(in place: String) {
    guard self.seen.change({ $0.places.insert(place).inserted }) else { return }
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do {
        let context = self.container.makeContext()
        _ = try context.count(for: FetchRequest("Buyer"))
        try context.addOrder(2, of: 2)
        try context.save()
        for store in self.container.coordinator.stores { try self.container.coordinator.reload(store) }
      } catch {
        self.seen.change { $0.failures.append("\(place): \(error)") }
      }
      isDone.signal()
    }
    if isDone.wait(timeout: .now() + 30) == .timedOut {
      self.seen.change { $0.failures.append("\(place): the other thread waits for a lock") }
    }
  }
}

/// A value that threads share.
private final class Guarded<State>: @unchecked Sendable {
  // Sendable because the state is reached with the lock held only.
  private let lock = NSLock()
  private var state: State

  init(_ state: sending State) { self.state = state }

  var value: State { self.lock.withLock { self.state } }
  @discardableResult func change<Result>(_ change: (inout State) -> Result) -> Result {
    self.lock.withLock { change(&self.state) }
  }
}

/// A class whose every hook makes a visit.
final class Buyer: ManagedObject, TypedObject, PropertyValidating {
  struct Keys: Sendable { let number = AttributeKey<Int>("number") }
  static let keys = Keys()

  override func awakeFromInsert() { Visit.now?("awakeFromInsert") }
  override func willTurnIntoFault() { Visit.now?("willTurnIntoFault") }
  override func didTurnIntoFault() { Visit.now?("didTurnIntoFault") }
  func validate(_ value: Value, forKey key: String) throws { Visit.now?("validate a value") }
  override func awakeFromFetch() { Visit.now?("awakeFromFetch") }
  override func willSave() { Visit.now?("willSave") }
  override func didSave() { Visit.now?("didSave") }
  override func prepareForDeletion() { Visit.now?("prepareForDeletion") }
  override func validate(for change: ObjectChange) throws { Visit.now?("validate") }
  override func customValue(forKey key: String) throws -> Value? {
    guard key == "twice" else { return nil }
    Visit.now?("a computed value")
    return .int(Int64(self.number * 2))
  }
}
