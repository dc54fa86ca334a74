import Foundation
import TestSupport
import Testing

@testable import FederatedTool

@Suite("federate fetch --explain")
struct FetchExplainingTests {
  private static let federation = [
    "--federation",
    TestFiles.fixtures.appending(path: "Shop/shop.federation.json").path(percentEncoded: false),
  ]

  private func run(_ words: String...) -> ToolRun { ToolRun(["fetch"] + words + Self.federation) }

  @Test("a question to two stores: what each was asked, what ran where, how much was read")
  func text() {
    let run = self.run(
      "Customer", "--where", "number > 3", "--sort", "-name", "--limit", "5", "--with", "recentInvoices",
      "--explain")
    #expect(run.status == .done)
    #expect(run.messages == "")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      Array(lines.prefix(9)) == [
        "Customer where number > 3 by name descending at most 5: 5 objects",
        "  crm (XML): 5 rows returned, 40 read",
        "    scan of 40 rows of Customer",
        "    in memory: number > 3; order; window",
        "  not asked: ledger, since Ledger has no Customer",
        "with recentInvoices",
        "  Customer.recentInvoices of 5 objects: 1 question, 5 keys",
        "    Invoice where customerNumber among 5 keys by date descending: 51 rows",
        "      ledger (SQLite): 51 rows returned, 51 read, 400 visited, 1 sort",
      ])
    #expect(lines.contains { $0.hasPrefix("        SELECT ") })
    #expect(lines.contains("        by the statement: customerNumber among 5 keys; order"))
    #expect(lines.last == "      not asked: crm, since CRM has no Invoice")
  }

  @Test("as JSON it is the same as data")
  func json() throws {
    let run = self.run("Invoice", "--where", "total > 1000", "--explain", "--format", "json")
    #expect(run.messages == "")
    let top = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let fetch = try #require(top["fetch"] as? [String: Any])
    #expect(fetch["predicate"] as? String == "total > 1000")
    #expect(fetch["resultType"] as? String == "objects")
    let question = try #require(fetch["question"] as? [String: Any])
    let stores = try #require(question["stores"] as? [[String: Any]])
    #expect(stores.map { $0["name"] as? String } == ["ledger"])
    let explanation = try #require(stores[0]["explanation"] as? [String: Any])
    #expect(explanation["pushed"] as? [String] == ["total > 1000"])
    let work = try #require(explanation["work"] as? [String: Any])
    #expect(work["rowsReturned"] as? Int == fetch["results"] as? Int)
    #expect(work["rowsVisited"] as? Int == 400)
    let line = self.run("Invoice", "--explain", "--format", "jsonl").output
    #expect(line.split(separator: "\n").count == 1)
  }

  @Test("a count is explained as a count; the form that rows would have had does not matter")
  func counted() {
    let count = self.run("Invoice", "--where", "total > 1000", "--count", "--explain").output
    #expect(count.hasPrefix("Invoice where total > 1000: "))
    #expect(count.contains("SELECT COUNT(*)"))
    #expect(self.run("Invoice", "--explain", "--format", "table").output.contains("ledger (SQLite)"))
  }

  @Test("columns and groups: the statement that groups, and what is done with the groups of all stores")
  func groups() {
    let run = self.run(
      "Invoice", "--columns", "customerNumber,n=count(SELF)", "--group-by", "customerNumber", "--having",
      "n > 3",
      "--sort", "-n,customerNumber", "--limit", "2", "--explain")
    #expect(run.status == .done, "\(run.messages)")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "Invoice by n descending, customerNumber ascending at most 2: 2 dictionary rows")
    #expect(
      lines.contains {
        $0.hasPrefix("    SELECT ") && $0.contains("COUNT(")
          && $0.contains(" GROUP BY t0.\"ZCUSTOMERNUMBER\"")
      }, "\(run.output)")
    #expect(!lines.contains { $0.hasPrefix("    in memory") })
    #expect(lines.contains("  by the context: having n > 3; order; window"), "\(run.output)")
    let counted = self.run("Invoice", "--columns", "customerNumber", "--distinct", "--count", "--explain")
      .output
    #expect(counted.contains("    in memory: distinct lines"), "\(counted)")
    let json = self.run("Invoice", "--columns", "n=count(SELF)", "--explain", "--format", "jsonl").output
    #expect(json.contains("\"purpose\":\"groups\""), "\(json)")
  }

  @Test("what cannot be explained is wrong usage")
  func refused() {
    let csv = self.run("Invoice", "--explain", "--format", "csv")
    #expect(csv.status == .wrongUsage)
    #expect(
      csv.messages
        == "error: --format: an explanation has no CSV form; use --format json, or leave it out for text\n")
    let none = self.run("Invoice", "--explain", "--limit", "0")
    #expect(none.status == .wrongUsage)
    #expect(none.output == "")
  }
}
