import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// SQL against memory: the same rows, the same order, for random predicates over random rows.
@Suite struct GeneratedTests {
  private func shop(_ folder: TemporaryFolder, _ random: inout PredicateGenerator) throws
    -> SQLiteFileUnderTest
  {
    let shop = try SQLiteFileUnderTest(folder.file("shop.sqlite"), ShopModel.model)
    var edit = SQLiteEditor(shop)
    var parties: [RowIdentity] = []
    for _ in 0..<14 {
      let entity = random.pick(["Person", "Company"])
      parties.append(try edit.insert(entity, random.row(["name", "since"])))
    }
    var orders: [RowIdentity] = []
    for _ in 0..<40 {
      let party = random.chance(80) ? random.pick(parties) : nil
      orders.append(
        try edit.insert(
          "Order", random.row(["count", "weight", "total", "isOpen", "page"]),
          party.map { ["party": $0] } ?? [:]))
    }
    for _ in 0..<5 {
      let group = try edit.insert("Group", random.row(["label"]))
      let members = parties.filter { _ in random.chance(40) }
      try edit.link("Group", "members", of: group, add: members, order: members)
    }
    for party in parties {
      try edit.link("Party", "knows", of: party, add: parties.filter { _ in random.chance(15) })
      try edit.link("Party", "friends", of: party, add: parties.filter { _ in random.chance(10) })
    }
    try edit.save()
    return shop
  }

  private func references(_ answer: StoreAnswer) -> [Int64] {
    switch answer {
    case .rows(let rows): rows.map(\.reference)
    case .identities(let identities): identities.map(\.reference)
    case .count(let count): [Int64(count)]
    case .values(let lines): [Int64(lines.count)]
    case .groups(let table): [Int64(table.groups.count)]
    }
  }

  @Test(
    "a few thousand generated questions have the same answers in SQL and in memory",
    arguments: [1, 2, 3, 4] as [UInt64])
  func agree(seed: UInt64) throws {
    var random = PredicateGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let shop = try self.shop(folder, &random)
    let scope = try #require(try shop.store.beginRead() as? SQLiteReadScope)
    var pushed = 0
    for _ in 0..<500 {
      let name = random.pick(["Order", "Party", "Person"])
      let entity = try shop.entity(name)
      let format = random.predicate(name == "Order" ? "Order" : "Party")
      var query = StoreQuery(entity: entity.id)
      query.predicate = try FetchPredicate(format: format).bound(to: entity, in: shop.model)
      let sorts = random.sorts(name == "Order" ? "Order" : "Party")
      query.order = try sorts.map { try $0.bound(to: entity, in: shop.model) }
      if random.chance(20) { query.limit = random.pick([0, 1, 5, 100]) }
      if random.chance(20) { query.offset = random.pick([1, 3]) }
      query.shape = random.pick([.rows, .rows, .identities, .count])
      guard case .rows(let all) = try scope.run(StoreQuery(entity: entity.id)) else { return }
      let expected = self.references(try InMemoryQuery(query, source: scope).run(over: all))
      let answer = self.references(try scope.run(query))
      #expect(
        answer == expected,
        "seed \(seed): \(name) where \(format) sorted \(sorts.map(\.key)) as \(query.shape)")
      if try scope.explain(query).inMemory.isEmpty { pushed += 1 }
    }
    // Nearly everything of the first floor is answered by SQL alone.
    #expect(pushed > 450, "seed \(seed): \(pushed) of 500 by SQL alone")
  }
}
