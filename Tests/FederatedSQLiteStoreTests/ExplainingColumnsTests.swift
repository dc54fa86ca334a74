import FederatedModel
import FederatedStore
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// What a SQLite store tells of columns and groups: the statement that runs, and what memory makes of its rows.
@Suite struct ExplainingColumnsTests {
  let folder: TemporaryFolder
  let shop: SQLiteFileUnderTest

  init() throws {
    self.folder = try TemporaryFolder()
    let model = try ManagedObjectModel {
      EntityDescription("Invoice") {
        AttributeDescription("customer", .integer64)
        AttributeDescription("total", .double)
        AttributeDescription("code", .string)
      }
    }
    self.shop = try SQLiteFileUnderTest(self.folder.file("ledger.sqlite"), model)
    var edit = SQLiteEditor(self.shop)
    for number in 0..<20 {
      try edit.insert(
        "Invoice",
        [
          "customer": .int(Int64(number % 4)), "total": .double(Double(number)),
          "code": .string("c\(number)"),
        ])
    }
    try edit.save()
  }

  private func expression(_ format: String) throws -> BoundExpression {
    try FetchExpression(format: format).bound(to: self.shop.entity("Invoice"), in: self.shop.model)
  }

  private func run(_ query: StoreQuery) throws -> (answer: StoreAnswer, explanation: StoreExplanation) {
    let scope = try self.shop.store.beginRead()
    defer { scope.end() }
    let (answer, explanation) = try scope.run(explaining: query)
    #expect(try scope.explain(query).statement == explanation.statement)
    return (answer, explanation)
  }

  private func grouped(_ function: FetchFunction, _ operand: String, where format: String? = nil) throws
    -> StoreQuery
  {
    var query = try self.shop.query("Invoice", where: format)
    query.shape = .groups(
      BoundGrouping(
        keys: [try self.expression("customer")],
        aggregates: [BoundAggregate(function, of: try self.expression(operand))]))
    return query
  }

  @Test("groups: the statement that groups is shown, and it reads one row for each group")
  func groups() throws {
    let (answer, explanation) = try self.run(try self.grouped(.max, "total", where: "total > 3"))
    #expect(
      explanation.statement == #"SELECT t0."ZCUSTOMER", MAX(t0."ZTOTAL"), "#
        + #"MAX(typeof(t0."ZTOTAL") NOT IN ('integer', 'real', 'null')) FROM "ZINVOICE" AS t0 "#
        + #"WHERE t0."ZTOTAL" > ? GROUP BY t0."ZCUSTOMER""#)
    #expect(explanation.bindings == [.double(3)])
    #expect(explanation.pushed == ["total > 3"])
    #expect(explanation.inMemory == [])
    #expect(answer.rowCount == 4)
    #expect(explanation.work?.statements == 1)
    #expect(explanation.work?.rowsRead == 4)
    #expect(explanation.work?.rowsReturned == 4)
  }

  @Test("what SQL does not gather is gathered in memory, of the cells that the statement shows")
  func median() throws {
    let (_, explanation) = try self.run(try self.grouped(.median, "total"))
    #expect(explanation.statement == #"SELECT t0."ZCUSTOMER", t0."ZTOTAL" FROM "ZINVOICE" AS t0"#)
    #expect(explanation.inMemory == ["groups"])
    #expect(explanation.work?.rowsRead == 20)
  }

  @Test("columns: cells, what is computed of them, and who cuts the window of distinct lines")
  func columns() throws {
    var query = try self.shop.query("Invoice", where: "customer == 1", sort: .descending("total"))
    query.limit = 2
    query.shape = .values(ValueColumns([try self.expression("code"), try self.expression("total * 2")]))
    let (answer, explanation) = try self.run(query)
    #expect(
      explanation.statement == #"SELECT t0."ZCODE", t0."ZTOTAL" FROM "ZINVOICE" AS t0 "#
        + #"WHERE t0."ZCUSTOMER" = ? ORDER BY t0."ZTOTAL" DESC, t0."Z_PK" LIMIT ? OFFSET ?"#)
    #expect(explanation.inMemory == ["total * 2"])
    #expect(explanation.order == .statement && explanation.window == .statement)
    #expect(answer.rowCount == 2)
    query.shape = .values(ValueColumns([try self.expression("customer")], isDistinct: true))
    let distinct = try self.run(query).explanation
    #expect(distinct.inMemory == ["distinct lines"])
    #expect(distinct.order == .statement && distinct.window == .memory)
    #expect(!distinct.statement.contains("LIMIT"))
  }

  @Test("where memory judges rows, the statement of the chosen rows' cells is shown behind it")
  func chosen() throws {
    let block = FetchPredicate.block("isOdd", reading: "customer") { row in
      if case .int(let number) = row[0] { number % 2 == 1 } else { false }
    }
    var query = try self.shop.query("Invoice")
    query.predicate = try block.bound(to: self.shop.entity("Invoice"), in: self.shop.model)
    query.shape = .values(ValueColumns([try self.expression("code")]))
    let (answer, explanation) = try self.run(query)
    #expect(answer.rowCount == 10)
    #expect(explanation.statement.hasPrefix("SELECT t0.\"Z_PK\""))
    #expect(
      explanation.following
        == #"SELECT t0."ZCODE" FROM "ZINVOICE" AS t0 WHERE t0."Z_PK" = ? ORDER BY t0."Z_PK""#)
    #expect(explanation.inMemory.count == 1)
    #expect(explanation.work?.statements == 2)
  }
}
