import Foundation
import TestSupport
import Testing

@testable import FederatedTool

@Suite("federate why and federate check links")
struct WhyTests {
  private static let shop = TestFiles.fixtures.appending(path: "Shop")
  private static let federation = [
    "--federation", Self.shop.appending(path: "shop.federation.json").path(percentEncoded: false),
  ]

  private func why(_ words: String...) -> ToolRun { ToolRun(["why"] + words + Self.federation) }
  private func check(_ words: String...) -> ToolRun { ToolRun(["check", "links"] + words + Self.federation) }

  @Test("why tells the reasons first, then the question, the key and each store's rows")
  func why() {
    let run = self.why("Customer", "recentInvoices", "--key", "number=40")
    #expect(run.status == .done, "\(run.messages)")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      Array(lines.dropFirst()) == [
        "  because none of the 400 rows of Invoice has customerNumber 40",
        "  condition: customerNumber == $FETCH_SOURCE.number",
        "  asked: customerNumber == 40",
        "  key: customerNumber == 40, the object's number",
        "  ledger (SQLite): 400 rows, 0 with the key, 0 matching",
        "  not asked: crm, since CRM has no Invoice",
      ])
    #expect(lines.first?.hasPrefix("Customer.recentInvoices of x-coredata://") == true)
    #expect(lines.first?.hasSuffix(": 0 objects") == true)
    let term = self.why("Customer", "largeInvoices", "--where", "number == 1")
    #expect(term.output.contains("because 28 rows have the key; total > 1000 leaves 21"), "\(term.output)")
  }

  @Test(
    "the object is named by its URI too, and several are told one after another; JSON is the same as data")
  func choices() throws {
    let keyed = self.why("Invoice", "customer", "--where", "customerNumber == nil")
    #expect(keyed.output.contains("because NIL KEY: customerNumber of the object is nil"), "\(keyed.output)")
    let uri = try #require(
      keyed.output.split(separator: " ").dropFirst(2).first.map { String($0.dropLast()) })
    #expect(self.why("Invoice", "customer", "--id", uri).output == keyed.output)
    let several = self.why("Invoice", "customer", "--where", "total > 0", "--limit", "3", "--json")
    let list = try #require(
      try JSONSerialization.jsonObject(with: Data(several.output.utf8)) as? [[String: Any]])
    #expect(
      list.map { $0["property"] as? String } == ["Invoice.customer", "Invoice.customer", "Invoice.customer"])
    #expect((list.first?["reasons"] as? [[String: Any]])?.first?["code"] is String)
  }

  @Test("check links counts, names examples, and says by its exit status that it found something")
  func links() throws {
    let run = self.check("Customer.recentInvoices")
    #expect(run.status == .found)
    #expect(run.status.rawValue == 3)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      lines.first == "Customer.recentInvoices: 40 sources, 400 rows of Invoice, 304 links, 2 rows unlinked")
    #expect(lines[1] == "  dangling keys: 1, of 1 source, are customerNumber of no Invoice")
    #expect(lines.last == "1 fetched property checked, 1 finding")
    #expect(self.check("Line.invoice").status == .done)
    let all = self.check("--json", "--examples", "0")
    #expect(all.status == .found)
    let top = try #require(try JSONSerialization.jsonObject(with: Data(all.output.utf8)) as? [String: Any])
    let properties = try #require(top["properties"] as? [[String: Any]])
    #expect(properties.map { $0["property"] as? String } == ["largeInvoices", "recentInvoices", "customer"])
    let finding = (properties.last?["findings"] as? [[String: Any]])?.first
    #expect(finding?["kind"] as? String == "nilKeys")
    #expect((finding?["examples"] as? [Any])?.isEmpty == true)
  }

  @Test("a destination that no given store holds is a reason and a finding, and no error")
  func missing() {
    let words = [
      "--model", Self.shop.appending(path: "Shop.xcdatamodeld").path(percentEncoded: false), "--store",
      "xml=\(Self.shop.appending(path: "customers.xml").path(percentEncoded: false)),configuration=CRM",
    ]
    let why = ToolRun(["why", "Customer", "recentInvoices", "--key", "number=7"] + words)
    #expect(why.status == .done)
    #expect(why.output.contains("because no attached store holds Invoice"), "\(why.output)")
    let check = ToolRun(["check", "links", "Customer.recentInvoices"] + words)
    #expect(check.status == .found)
    #expect(check.output.contains("no attached store holds Invoice"), "\(check.output)")
  }

  @Test(
    "what cannot be asked says what to do",
    arguments: [
      (["why", "Customer"], 2, "ENTITY PROPERTY: name one entity and one fetched property of it"),
      (
        ["why", "Customer", "recentInvoices"], 2,
        "--id: is missing; name the object by --id, --key or --where"
      ),
      (
        ["why", "Customer", "recentInvoices", "--id", "a", "--key", "b=c"], 2,
        "--key: names the object a second time; leave it out"
      ),
      (["why", "Customer", "recentInvoices", "--key", "number"], 2, "--key number: is not NAME=VALUE"),
      (
        ["why", "Customer", "recentInvoices", "--key", "number=x"], 1,
        "--key number=x: the value is none of the type integer64"
      ),
      (
        ["why", "Customer", "recentInvoices", "--key", "nubmer=1"], 1,
        "--key nubmer: Customer has no attribute of that name (did you mean number?)"
      ),
      (
        ["why", "Customer", "recentInvoices", "--key", "number=12345"], 1,
        "--key number=12345: no Customer is so; it is about the object that is asked"
      ),
      (
        ["why", "Customer", "name", "--key", "number=1"], 1,
        "Customer.name: the entity has no fetched property of that name"
      ),
      (["why", "Cutsomer", "x", "--id", "a"], 1, "Cutsomer: the model has no entity of that name"),
      (
        ["why", "Customer", "recentInvoices", "--id", "nothing"], 1,
        "--id nothing: names no row of a store that is given"
      ),
      (["check", "links", "Nobody"], 1, "Nobody"),
    ] as [([String], Int32, String)])
  func refused(_ words: [String], _ status: Int32, _ message: String) {
    let run = ToolRun(words + Self.federation)
    #expect(run.status.rawValue == status)
    #expect(run.output == "")
    #expect(run.messages.contains(message), "\(run.messages)")
  }
}
