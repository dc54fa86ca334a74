import FederatedModel
import FederatedStore
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// Indexes of the model are in new files, and questions use them, as SQLite's own plan says.
@Suite struct IndexTests {
  let folder: TemporaryFolder
  let shop: SQLiteFileUnderTest

  init() throws {
    self.folder = try TemporaryFolder()
    self.shop = try SQLiteFileUnderTest(self.folder.file("shop.sqlite"), ShopModel.model)
  }

  private func plan(_ query: StoreQuery) throws -> [String] {
    let explanation = try self.shop.explanation(query)
    #expect(explanation.inMemory == [])
    return explanation.plan
  }

  @Test(
    "equality, ranges, lists, links and to-one joins are looked up in an index",
    arguments: [
      ("Party", "code == 'a'", "(ZCODE=?)"), ("Party", "code != nil AND code == 'a'", "(ZCODE=?)"),
      ("Party", "code IN {'a', 'b', 'c'}", "(ZCODE=?)"),
      ("Party", "code BETWEEN {'a', 'b'}", "(ZCODE>? AND ZCODE<?)"),
      ("Party", "code BEGINSWITH 'a'", "(ZCODE>? AND ZCODE<?)"),
      ("Party", "code == lowercase('A')", "(ZCODE=?)"),
      ("Party", "name == 'Ann' AND since > CAST(0, 'NSDate')", "Z_Party_byNameSince (ZNAME=? AND ZSINCE>?)"),
      ("Order", "party.code == 'a'", "t0 USING INDEX ZORDER_ZPARTY_INDEX (ZPARTY=?)"),
      ("Order", "party.name != 'a'", "t1 USING INTEGER PRIMARY KEY"),
      ("Party", "ANY orders.count == 2", "t1 USING INDEX ZORDER_ZPARTY_INDEX (ZPARTY=?)"),
      ("Party", "orders.@count > 1", "t1 USING COVERING INDEX ZORDER_ZPARTY_INDEX (ZPARTY=?)"),
      (
        "Party", "SUBQUERY(orders, $o, $o.count > 1).@count > 1",
        "t1 USING INDEX ZORDER_ZPARTY_INDEX (ZPARTY=?)"
      ),
      ("Party", "orders.@sum.count > 1", "t1 USING INDEX ZORDER_ZPARTY_INDEX (ZPARTY=?)"),
      ("Party", "ANY groups.label == 'x'", "t1 USING INTEGER PRIMARY KEY"),
      ("Party", "ANY groups.label == 'x'", "INDEX Z_1MEMBERS_Z_3MEMBERS_INDEX (Z_3MEMBERS=?)"),
      ("Party", "ANY knows.orders.count == 1", "INDEX ZORDER_ZPARTY_INDEX (ZPARTY=?)"),
    ] as [(String, String, String)])
  func lookedUp(entity: String, format: String, step: String) throws {
    let steps = try self.plan(self.shop.query(entity, where: format))
    #expect(steps.contains { $0.contains(step) }, "\(steps)")
  }

  @Test("an order with a limit is read off an index, without sorting")
  func ordered() throws {
    var query = try self.shop.query("Party", sort: .ascending("code"))
    query.limit = 3
    let steps = try self.plan(query)
    let scan = try #require(steps.first)
    #expect(scan.contains("SCAN t0 USING INDEX") && scan.lowercased().contains("code"), "\(steps)")
    #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
  }

  @Test("a range open at one end is looked up, of rows as of counts; a window is cut from a scan")
  func openRange() throws {
    var query = try self.shop.query("Party", where: "code > 'a'")
    let isLookedUp = { (steps: [String]) in
      steps.contains { $0.contains("(ZCODE>?)") || $0.contains("(code>?)") }
    }
    #expect(isLookedUp(try self.plan(query)))
    query.shape = .count
    #expect(isLookedUp(try self.plan(query)))
    query.shape = .rows
    query.limit = 2
    #expect(try self.plan(query) == ["SCAN t0"])
  }

  @Test("an order by what no index holds is sorted")
  func unordered() throws {
    let steps = try self.plan(self.shop.query("Order", sort: .ascending("weight")))
    #expect(steps.contains { $0.contains("TEMP B-TREE FOR ORDER BY") }, "\(steps)")
  }
}
