import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// What a SQLite store tells of its statements, and how many rows it counts on the way to its answers.
@Suite struct ExplainingTests {
  let folder: TemporaryFolder
  let shop: SQLiteFileUnderTest

  /// 50 invoices for each; the benchmarks' `--indexed-reads` does the same over a million.
  private static let customers = 60

  init() throws {
    self.folder = try TemporaryFolder()
    self.shop = try SQLiteFileUnderTest(self.folder.file("ledger.sqlite"), try Self.model())
    var edit = SQLiteEditor(self.shop)
    for customer in 0..<Self.customers {
      for number in 0..<50 {
        try edit.insert(
          "Invoice",
          [
            "customer": .int(Int64(customer)), "date": .int(Int64(number * 7 % 50)),
            "total": .double(Double(number * 100)),
            "code": .string(number % 2 == 0 ? "A\(number)" : "b\(number)"),
          ])
      }
    }
    try edit.save()
  }

  private static func model() throws -> ManagedObjectModel {
    var invoice = EntityDescription("Invoice") {
      AttributeDescription("customer", .integer64)
      AttributeDescription("date", .integer64)
      AttributeDescription("total", .double)
      AttributeDescription("code", .string)
    }
    invoice.indexes = [
      FetchIndexDescription("byCustomer", [.init("customer"), .init("date")]),
      FetchIndexDescription("byDate", [.init("date")]),
    ]
    return try ManagedObjectModel(entities: [invoice])
  }

  private func explain(_ query: StoreQuery) throws -> (rows: [Int64], explanation: StoreExplanation) {
    let scope = try self.shop.store.beginRead()
    defer { scope.end() }
    let (answer, explanation) = try scope.run(explaining: query)
    guard case .rows(let rows) = answer else { return ([], explanation) }
    return (rows.map(\.reference), explanation)
  }

  @Test(
    "with a fitting index, a question reads and visits no row that it does not return",
    arguments: [
      ("customer == 7", 50), ("customer == 7 AND date == 3", 1), ("customer IN {3, 5, 8}", 150),
      ("customer == 7 AND date > 39", 10), ("customer BETWEEN {10, 12}", 150), ("customer == -1", 0),
      ("customer == 7 AND date IN {1, 2}", 2), ("customer > 57", 100), ("3 > customer", 150),
    ])
  func noRowTooMany(format: String, count: Int) throws {
    let query = try self.shop.query("Invoice", where: format)
    let (rows, explanation) = try self.explain(query)
    #expect(rows.count == count)
    #expect(rows == (try self.shop.rows(query)).map(\.reference))
    #expect(explanation.inMemory == [])
    let work = try #require(explanation.work)
    #expect(work.statements == 1)
    #expect(work.rowsReturned == count)
    #expect(work.rowsRead == count)
    #expect(work.rowsVisited == count)
    #expect(work.fullScanSteps == 0)
    #expect(explanation.index?.hasPrefix("INDEX ") == true, "\(explanation.plan)")
  }

  @Test("a window along an index visits the rows of the window alone")
  func window() throws {
    var query = try self.shop.query("Invoice", where: "customer == 7", sort: .ascending("date"))
    query.limit = 5
    query.offset = 2
    let (rows, explanation) = try self.explain(query)
    #expect(rows.count == 5)
    #expect(explanation.order == .statement)
    #expect(explanation.window == .statement)
    #expect(explanation.work?.rowsVisited == 7)
    #expect(explanation.work?.sorts == 0)
  }

  @Test("without a fitting index every row is visited, and the explanation says so")
  func scanned() throws {
    let all = Self.customers * 50
    let query = try self.shop.query("Invoice", where: "total == 300", sort: .descending("code"))
    let (rows, explanation) = try self.explain(query)
    #expect(rows.count == Self.customers)
    let work = try #require(explanation.work)
    #expect(work.rowsReturned == Self.customers)
    #expect(work.rowsRead == Self.customers)
    #expect(work.rowsVisited == all)
    #expect(work.fullScanSteps == all - 1)
    #expect(work.sorts == 1)
    #expect(explanation.index == nil)
    #expect(explanation.plan.first == "SCAN t0")
  }

  @Test("what is judged in memory is read though it is not returned; the statement shown is the plain one")
  func judged() throws {
    // A sum of columns has no SQL here.
    let query = try self.shop.query("Invoice", where: "customer == 7 AND date + customer > 50")
    let (rows, explanation) = try self.explain(query)
    #expect(rows.count == 6)
    if !explanation.inMemory.isEmpty {
      #expect(explanation.pushed == ["customer == 7"])
      #expect(explanation.inMemory == ["date + customer > 50"])
      #expect(explanation.work?.rowsRead == 50)
    }
    #expect(explanation.work?.rowsReturned == 6)
    #expect(explanation.work?.rowsVisited == 50)
    #expect(!explanation.statement.contains(SQLFunctions.visit))
  }

  @Test("counts, and questions that no row can answer")
  func counts() throws {
    var query = try self.shop.query("Invoice", where: "customer == 7")
    query.shape = .count
    let counted = try self.explain(query).explanation
    #expect(counted.work?.rowsReturned == 0)
    #expect(counted.work?.rowsVisited == 50)
    #expect(counted.index?.hasPrefix("COVERING INDEX ") == true)
    let never = try self.explain(try self.shop.query("Invoice", where: "customer IN {}")).explanation
    #expect(never.statement == "nothing: no row can match")
    #expect(never.work?.statements == 0)
  }

  @Test("a store's statistics count the rows read beside those handed over")
  func statistics() throws {
    let before = self.shop.store.statistics
    _ = try self.shop.rows("Invoice", where: "customer == 7 AND code MATCHES 'A.*' AND date + customer > 50")
    let after = self.shop.store.statistics
    #expect(after.rows - before.rows <= after.rowsRead - before.rowsRead)
    #expect(after.rowsRead - before.rowsRead <= 50)
    #expect(after.statements - before.statements == 1)
  }

  @Test("the rows are the same whether a question is explained or not, and explaining leaves nothing behind")
  func same() throws {
    let scope = try self.shop.store.beginRead()
    defer { scope.end() }
    let query = try self.shop.query("Invoice", where: "code BEGINSWITH 'A' AND customer < 3")
    guard case .rows(let plain) = try scope.run(query),
      case .rows(let explained) = try scope.run(explaining: query).answer,
      case .rows(let again) = try scope.run(query)
    else { return #expect(Bool(false), "rows were asked for") }
    #expect(plain.map(\.reference) == explained.map(\.reference))
    #expect(plain.map(\.reference) == again.map(\.reference))
    #expect(plain.count == 75)
  }
}
