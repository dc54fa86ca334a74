import FederatedData
import Foundation
import TestSupport
import Testing

/// Many tasks, contexts and stores over one coordinator. Run under the thread sanitizer too: `.ci/thread-sanitizer`.
@Suite("Many tasks over one coordinator")
struct ManyTasksTests {
  @Test("a thousand pieces of work on four contexts add up (NO-22)", arguments: BusyShop.Kinds.allCases)
  func thousandPieces(_ kinds: BusyShop.Kinds) async throws {
    let shop = try BusyShop(kinds)
    let desks = (0..<4).map { _ in Desk(shop.container) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1000 {
        let desk = desks[number % desks.count]
        group.addTask {
          try await desk.perform { context in
            try context.addOrder(number, of: number % 7)
            if number % 50 < 4 { try context.save() }
          }
        }
      }
      try await group.waitForAll()
    }
    for desk in desks { try await desk.perform { try $0.save() } }
    let places = try await shop.container.withContext { context in
      try context.fetch(FetchRequest("Order", order: [.ascending("place")])).map { try $0.value("place") }
    }
    #expect(places == (0..<1000).map { .int($0) })
    // Every context sees what the others saved.
    for desk in desks {
      let count = try await desk.perform { try $0.count(for: FetchRequest("Order")) }
      #expect(count == 1000)
    }
  }

  @Test(
    "writers, readers, links, prefetches, groups, and stores that come and go, all at once (NO-22)",
    arguments: BusyShop.Kinds.allCases)
  func everythingAtOnce(_ kinds: BusyShop.Kinds) async throws {
    let shop = try BusyShop(kinds)
    let (buyers, writers, rounds, ordersEach) = (20, 3, 12, 5)
    try await shop.container.withContext { context in
      for number in 0..<buyers { try context.addBuyer(number) }
      try context.save()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask {
          for round in 0..<rounds {
            try await shop.container.withContext { context in
              try context.addBuyer(1000 + writer * rounds + round)
              for order in 0..<ordersEach { try context.addOrder(order, of: round) }
              try context.save()
            }
          }
        }
      }
      for reader in 0..<4 {
        group.addTask {
          for round in 0..<rounds {
            try await shop.container.withContext { try Self.read($0, round + reader, ordersEach, writers) }
          }
        }
      }
      group.addTask {
        for number in 0..<rounds {
          let guest = try shop.container.coordinator.add(BusyShop.guest(number))
          await Task.yield()
          try shop.container.coordinator.remove(guest)
        }
      }
      try await group.waitForAll()
    }
    let counts = try await shop.container.withContext { context in
      try ["Buyer", "Order"].map { try context.count(for: FetchRequest($0)) }
    }
    #expect(counts == [buyers + writers * rounds, writers * rounds * ordersEach])
    #expect(shop.container.coordinator.stores.count == 2)
  }

  /// What a reader sees is never half a save: the orders of a buyer come in whole sets.
  private static func read(
    _ context: ManagedObjectContext, _ round: Int, _ ordersEach: Int, _ writers: Int
  ) throws {
    let request = try FetchRequest(
      "Buyer", where: FetchPredicate(format: "number < 20"), order: [.ascending("number")])
    let buyers = try context.fetch(request)
    #expect(buyers.count == 20)
    let buyer = buyers[round % buyers.count]
    let one = try buyer.fetched("orders")
    #expect(one.count % ordersEach == 0 && one.count <= ordersEach * writers)
    try context.prefetch("orders", for: buyers)
    for other in buyers where other !== buyer {
      #expect(try other.fetched("orders").count % ordersEach == 0)
    }
    for order in one { #expect(try order.value("buyer") == .int(Int64(round % buyers.count))) }
    var groups = FetchRequest("Order")
    groups.resultType = .dictionaries
    groups.propertiesToGroupBy = ["buyer"]
    groups.propertiesToFetch = [
      .property("buyer"), .expression(try ExpressionDescription("orders", "count(SELF)")),
    ]
    for line in try context.dictionaries(for: groups) {
      guard case .int(let count)? = line["orders"] else {
        Issue.record("a group without a count: \(line)")
        continue
      }
      #expect(count % Int64(ordersEach) == 0)
    }
  }
}
