import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// Questions as the statements they become, and as the rows these answer.
@Suite struct StatementTests {
  let folder: TemporaryFolder
  let shop: SQLiteFileUnderTest

  init() throws {
    self.folder = try TemporaryFolder()
    self.shop = try SQLiteFileUnderTest(self.folder.file("shop.sqlite"), ShopModel.model)
    var edit = SQLiteEditor(self.shop)
    let ann = try edit.insert("Person", ["name": .string("Ann"), "code": .string("a")])
    let bob = try edit.insert("Company", ["name": .string("Bob"), "code": .string("b")])
    try edit.insert("Person", ["code": .string("c")])
    for (count, party) in [(1, ann), (2, ann), (3, bob), (4, nil)] as [(Int64, RowIdentity?)] {
      try edit.insert(
        "Order",
        ["count": .int(count), "total": .decimal(Decimal(count) / 2), "weight": .double(Double(count))],
        party.map { ["party": $0] } ?? [:])
    }
    try edit.insert("Order")
    try edit.save()
  }

  /// The condition behind WHERE, without quotes, and the references it answers.
  func ask(_ entity: String, _ format: String) throws -> (
    condition: String, bindings: [Value], rows: [Int64]
  ) {
    let query = try self.shop.query(entity, where: format)
    let explanation = try self.shop.explanation(query)
    #expect(explanation.inMemory == [])
    let text = explanation.statement.replacing("\"", with: "")
    let start = text.range(of: "WHERE ")?.upperBound ?? text.endIndex
    let end = text.range(of: " ORDER BY", options: .backwards)?.lowerBound ?? text.endIndex
    return (
      start < end ? String(text[start..<end]) : "", explanation.bindings,
      try self.shop.rows(query).map(\.reference)
    )
  }

  @Test(
    "comparisons of a column with a constant; nil is an ordinary value (PR-64, PR-67, PR-70)",
    arguments: [
      ("count == 2", "t0.ZCOUNT = ?", [2]), ("count != 2", "t0.ZCOUNT IS NOT ?", [1, 3, 4, 5]),
      ("count == nil", "t0.ZCOUNT IS NULL", [5]), ("count != nil", "t0.ZCOUNT IS NOT NULL", [1, 2, 3, 4]),
      ("count < 3", "t0.ZCOUNT < ?", [1, 2]), ("NOT (count < 3)", "(t0.ZCOUNT < ?) IS NOT TRUE", [3, 4, 5]),
      ("3 >= count", "t0.ZCOUNT <= ?", [1, 2, 3]),
      ("count BETWEEN {2, 3}", "(t0.ZCOUNT >= ? AND t0.ZCOUNT <= ?)", [2, 3]),
      ("count IN {1, 4, 4}", "t0.ZCOUNT IN (?, ?)", [1, 4]),
      ("count IN {1, 2, 3}", "t0.ZCOUNT IN (?, ?, ?, ?)", [1, 2, 3]),
      ("count IN {1, nil}", "(t0.ZCOUNT = ? OR t0.ZCOUNT IS NULL)", [1, 5]),
      ("NOT (count IN {1, nil})", "((t0.ZCOUNT = ? OR t0.ZCOUNT IS NULL)) IS NOT TRUE", [2, 3, 4]),
      (
        "total > 1",
        "(t0.ZTOTAL > ? AND (t0.ZTOTAL < x'' OR fd_decimal_order(t0.ZTOTAL, ?) > 0))", [3, 4]
      ),
      (
        "total <= 1", "(t0.ZTOTAL <= ? OR (t0.ZTOTAL >= x'' AND fd_decimal_order(t0.ZTOTAL, ?) <= 0))",
        [1, 2]
      ),
      ("count == weight", "+t0.ZCOUNT IS +t0.ZWEIGHT", [1, 2, 3, 4, 5]),
      ("SELF == nil", "t0.Z_PK IS NULL", []),
    ] as [(String, String, [Int64])])
  func comparisons(format: String, condition: String, rows: [Int64]) throws {
    let answer = try self.ask("Order", format)
    #expect(answer.condition == condition)
    #expect(answer.rows == rows)
  }

  @Test(
    "text: prefixes as ranges, substrings by SQLite, flags and patterns by the evaluator's own code",
    arguments: [
      ("name BEGINSWITH 'A'", "(t0.ZNAME >= ? AND t0.ZNAME < ?)", [1]),
      ("name CONTAINS 'o'", "instr(t0.ZNAME, ?) > 0", [2]),
      ("name CONTAINS ''", "t0.ZNAME IS NOT NULL", [1, 2]),
      ("name ==[c] 'ANN'", "fd_text(t0.ZNAME, ?, 1)", [1]),
      ("name !=[c] 'ANN'", "(fd_text(t0.ZNAME, ?, 1)) IS NOT TRUE", [2, 3]),
      ("name LIKE 'B*'", "fd_text(t0.ZNAME, ?, 1024)", [2]),
      ("name MATCHES '.n+'", "fd_text(t0.ZNAME, ?, 1280)", [1]),
      ("name ENDSWITH[c] 'NN'", "fd_text(t0.ZNAME, ?, 769)", [1]),
      ("name <[c] 'B'", "fd_text_order(t0.ZNAME, ?, 1) < 0", [1]),
      ("name == 'Ann' AND code == 'a'", "(t0.ZNAME = ? AND t0.ZCODE = ?)", [1]),
    ] as [(String, String, [Int64])])
  func text(format: String, condition: String, rows: [Int64]) throws {
    let answer = try self.ask("Party", format)
    #expect(answer.condition == condition)
    #expect(answer.rows == rows)
  }

  @Test(
    "paths: to-one joins keep rows without destination, to-many are subqueries (PR-35, PR-72)",
    arguments: [
      ("Order", "party.name == 'Ann'", "t1.ZNAME = ?", [1, 2]),
      ("Order", "party.name != 'Ann'", "t1.ZNAME IS NOT ?", [3, 4, 5]),
      ("Order", "party == nil", "t0.ZPARTY IS NULL", [4, 5]),
      (
        "Party", "ANY orders.count == 2",
        "EXISTS (SELECT 1 FROM ZORDER AS t1 WHERE t1.ZPARTY = t0.Z_PK AND t1.ZCOUNT = ?)", [1]
      ),
      (
        "Party", "ALL orders.count < 3",
        "(EXISTS (SELECT 1 FROM ZORDER AS t1 WHERE t1.ZPARTY = t0.Z_PK AND (t1.ZCOUNT < ?) IS NOT TRUE)) IS NOT TRUE",
        [1, 3]
      ),
      (
        "Party", "NONE orders.count == 1",
        "(EXISTS (SELECT 1 FROM ZORDER AS t1 WHERE t1.ZPARTY = t0.Z_PK AND t1.ZCOUNT = ?)) IS NOT TRUE",
        [2, 3]
      ),
      (
        "Party", "orders.@count == 2", "(SELECT COUNT(*) FROM ZORDER AS t1 WHERE t1.ZPARTY = t0.Z_PK) = ?",
        [1]
      ),
      (
        "Party", "3 IN orders.count",
        "EXISTS (SELECT 1 FROM ZORDER AS t1 WHERE t1.ZPARTY = t0.Z_PK AND t1.ZCOUNT = ?)", [2]
      ),
      (
        "Party", "ANY groups.label == 'x'",
        "EXISTS (SELECT 1 FROM ZGROUP AS t1 WHERE t1.Z_PK IN (SELECT t2.Z_1GROUPS FROM Z_1MEMBERS AS t2 WHERE "
          + "t2.Z_3MEMBERS = t0.Z_PK) AND t1.ZLABEL = ?)", []
      ),
    ] as [(String, String, String, [Int64])])
  func paths(entity: String, format: String, condition: String, rows: [Int64]) throws {
    let answer = try self.ask(entity, format)
    #expect(answer.condition == condition)
    #expect(answer.rows == rows)
  }

  @Test("a whole question is one statement: entity, condition, order, window")
  func wholeStatement() throws {
    var query = try self.shop.query(
      "Person", where: "name != nil", sort: .descending("since"), .ascending("code"))
    query.limit = 5
    query.shape = .identities
    let explanation = try self.shop.explanation(query)
    #expect(
      explanation.statement.replacing("\"", with: "")
        == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPARTY AS t0 WHERE (t0.Z_ENT = 5 AND t0.ZNAME IS NOT NULL) "
        + "ORDER BY t0.ZSINCE DESC, t0.ZCODE, t0.Z_PK LIMIT ? OFFSET ?")
    #expect(explanation.bindings == [.int(5), .int(0)])
    #expect(explanation.pushed.count == 1)
    #expect(explanation.index != nil)
  }

  @Test("what SQL cannot say is finished in memory, behind the terms that it can; the limit comes last")
  func residue() throws {
    var query = try self.shop.query(
      "Order", where: "weight > 1 AND stddev({count, 0}) > 1", sort: .descending("count"))
    query.limit = 1
    let explanation = try self.shop.explanation(query)
    #expect(explanation.inMemory.count == 1)
    #expect(explanation.statement.contains("WHERE t0.\"ZWEIGHT\" > ?"))
    #expect(!explanation.statement.contains("LIMIT"))
    #expect(try self.shop.rows(query).map(\.reference) == [4])
    query.limit = nil
    #expect(try self.shop.count(query) == 2)
    #expect(try self.shop.rows(query).map(\.reference) == [4, 3])
  }

  @Test("a question that no row can answer runs no statement")
  func never() throws {
    let before = self.shop.store.statistics.statements
    #expect(try self.shop.rows("Order", where: "count IN {}").count == 0)
    #expect(try self.shop.rows("Order", where: "FALSEPREDICATE").count == 0)
    var query = try self.shop.query("Order")
    query.references = []
    #expect(try self.shop.rows(query).count == 0)
    #expect(self.shop.store.statistics.statements == before)
  }

  @Test("identity across hierarchies and stores: equal numbers are not equal rows (FR-57, FR-62)")
  func identity() throws {
    func rows(_ entity: String, _ object: ManagedObjectID) throws -> [Int64] {
      let bound = try FetchPredicate(format: "SELF == %@", arguments: [object]).bound(
        to: self.shop.entity(entity), in: self.shop.model)
      var query = StoreQuery(entity: try self.shop.entity(entity).id)
      query.predicate = bound
      return try self.shop.rows(query).map(\.reference)
    }
    let person = ManagedObjectID(
      store: self.shop.store.id, entity: try self.shop.entity("Person").id, reference: 1)
    #expect(try rows("Party", person) == [1])
    #expect(try rows("Order", person) == [])
    #expect(try rows("Party", ManagedObjectID(store: .none, entity: person.entity, reference: 1)) == [])
  }

  @Test("BR-59: lists of any length", arguments: [0, 1, 64, 65, 999, 1000, 32_767, 250_001])
  func lists(length: Int) throws {
    let values = (0..<length).map { Value.int(Int64($0) * 2) }
    let bound = try FetchPredicate(format: "count IN %@", arguments: [Value.list(values)])
      .bound(to: self.shop.entity("Order"), in: self.shop.model)
    var query = StoreQuery(entity: try self.shop.entity("Order").id)
    query.predicate = bound
    let expected: [Int64] = length > 2 ? [2, 4] : length > 1 ? [2] : []
    #expect(try self.shop.rows(query).map(\.reference) == expected)
    #expect(try self.shop.count(query) == expected.count)
  }

  @Test("PR-84: a chain of 1,500 terms runs, by AND and by OR", arguments: ["AND", "OR"])
  func longChain(connective: String) throws {
    let terms = (0..<1500).map { connective == "AND" ? "count != \($0 + 10)" : "count == \($0 + 3)" }
    let rows = try self.shop.rows("Order", where: terms.joined(separator: " \(connective) "))
    #expect(rows.map(\.reference) == (connective == "AND" ? [1, 2, 3, 4, 5] : [3, 4]))
  }

  @Test("a condition that nests deeper than SQLite's parser goes is judged in memory")
  func deepCondition() throws {
    let negated = String(repeating: "NOT (", count: 100) + "count == 1" + String(repeating: ")", count: 100)
    #expect(try self.shop.rows("Order", where: negated).map(\.reference) == [1])
    let mixed = (0..<60).reduce("count == 1") {
      "(\($0)) \($1 % 2 == 0 ? "AND" : "OR") count == \($1 % 2 + 1)"
    }
    #expect(try self.shop.rows("Order", where: mixed).map(\.reference) == [1, 2])
  }

  @Test("paths with more joins than SQLite makes are judged and sorted by in memory", arguments: [20, 40])
  func longPaths(pairs: Int) throws {
    let path = String(repeating: "holder.passport.", count: pairs) + "holder.name"
    let query = try self.shop.query("Passport", where: "\(path) == nil", sort: .ascending(path))
    #expect(try self.shop.rows(query).isEmpty)
    #expect(try self.shop.explanation(query).inMemory.isEmpty == (pairs == 20))
    #expect(try self.shop.rows("Person", where: "passport.\(path) == nil").map(\.reference) == [1, 3])
  }

  @Test("more constants than a statement may have are judged in memory")
  func manyConstants() throws {
    let equal = { (value: Int64) in
      BoundPredicate.comparison(
        .init(
          .path(
            .evaluatedObject,
            [
              .attribute(
                BoundAttribute(
                  name: "count", entity: try! self.shop.entity("Order").id,
                  slot: self.shop.model.entity(named: "Order")!.attribute(named: "count")!.slot!,
                  type: .integer64))
            ]),
          .equal, .constant(.int(value)), modifier: .direct, options: []))
    }
    var query = StoreQuery(entity: try self.shop.entity("Order").id)
    query.predicate = .or((0..<40_000).map { equal(Int64($0) + 3) })
    #expect(try self.shop.rows(query).map(\.reference) == [3, 4])
  }

  // MARK: Links

  private func attribute(_ entity: String, _ name: String) throws -> BoundAttribute {
    let entity = try self.shop.entity(entity)
    let attribute = try #require(entity.attribute(named: name))
    return BoundAttribute(
      name: name, entity: entity.id, slot: try #require(attribute.slot), type: attribute.type)
  }

  @Test("keys of one column: one statement, by the column's index; nil equals nil")
  func singleKey() throws {
    var query = try self.shop.query("Party")
    query.keys = LinkKeys(
      attributes: [try self.attribute("Party", "code")],
      keys: [[.string("a")], [.string("c")], [.string("zz")], [.int(1)]])
    let explanation = try self.shop.explanation(query)
    #expect(explanation.statement.contains("t0.\"ZCODE\" IN (?, ?, ?, ?)"))
    #expect(explanation.index?.contains("ZCODE=?") == true)
    #expect(try self.shop.rows(query).map(\.reference) == [1, 3])
    query.keys = LinkKeys(
      attributes: [try self.attribute("Party", "name")], keys: [[.null], [.string("Bob")]])
    #expect(try self.shop.rows(query).map(\.reference) == [2, 3])
  }

  @Test("BR-61: 1,500 keys of two columns, nil among them, in one statement")
  func compositeKeys() throws {
    let attributes = [try self.attribute("Order", "count"), try self.attribute("Order", "weight")]
    var keys: [[Value]] = (0..<1500).map { [.int(Int64($0)), .int(Int64($0))] }
    keys.append([.null, .null])
    keys.append([.int(1), .null])
    var query = try self.shop.query("Order", sort: .descending("count"))
    query.keys = LinkKeys(attributes: attributes, keys: keys)
    let before = self.shop.store.statistics.statements
    #expect(try self.shop.rows(query).map(\.reference) == [4, 3, 2, 1, 5])
    #expect(self.shop.store.statistics.statements == before + 1)
  }

  @Test("destinations of many owners come from one statement, in the order of the owners")
  func related() throws {
    let before = self.shop.store.statistics.statements
    let owners: [Int64] = [2, 99, 1, 3, 1] + (100..<1200)
    #expect(try self.shop.related("Party", "orders", owners).prefix(5) == [[3], [], [1, 2], [], [1, 2]])
    #expect(self.shop.store.statistics.statements == before + 1)
  }

  @Test("a stream hands over batches in order, and questions may be asked while it runs")
  func stream() throws {
    let scope = try self.shop.store.beginRead()
    var batches: [[Int64]] = []
    var query = try self.shop.query("Order", sort: .descending("count"))
    query.references = Array(1...200)
    try scope.stream(query, batch: 2) { rows in
      batches.append(rows.map(\.reference))
      var inner = StoreQuery(entity: query.entity, shape: .count)
      inner.references = Array(1...300)
      guard case .count(5) = try scope.run(inner) else { throw SQLiteFileUnderTest.Mismatch() }
    }
    #expect(batches == [[4, 3], [2, 1], [5]])
  }
}
