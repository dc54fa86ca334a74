import Foundation
import TestSupport
import Testing

@testable import FederatedTool

@Suite("federate fetch through links")
struct LinkedFetchTests {
  private static let shop = TestFiles.fixtures.appending(path: "Shop")
  private static let federation = [
    "--federation", shop.appending(path: "shop.federation.json").path(percentEncoded: false),
  ]

  private func objects(_ words: String...) throws -> [[String: Any]] {
    let run = ToolRun(["fetch"] + words + Self.federation)
    #expect(run.status == .done, "\(run.messages)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
  }

  private func numbers(_ words: String...) throws -> [Int] {
    let run = ToolRun(["fetch", "Customer", "--select", "number"] + words + Self.federation)
    #expect(run.status == .done, "\(run.messages)")
    let found = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]]
    return try #require(found).compactMap { $0["number"] as? Int }
  }

  @Test("--linked keeps customers of the XML file by their invoices in SQLite")
  func filter() throws {
    let customers = try self.objects("Customer", "--with", "recentInvoices,largeInvoices")
    func expected(_ property: String, _ test: ([[String: Any]]) -> Bool) -> [Int] {
      customers.filter { test($0[property] as? [[String: Any]] ?? []) }.compactMap { $0["number"] as? Int }
    }
    let isUnpaid = { (invoice: [String: Any]) in invoice["isPaid"] as? Bool == false }
    let open = expected("largeInvoices") { $0.contains(where: isUnpaid) }
    #expect(open.count > 5 && open.count < 39)
    #expect(try self.numbers("--linked", "largeInvoices: isPaid == NO") == open)
    #expect(try self.numbers("--linked", "any recentInvoices") == Array(1...39))
    #expect(try self.numbers("--linked", "none recentInvoices") == [40])
    #expect(
      try self.numbers("--linked", "all recentInvoices: isPaid == YES")
        == expected("recentInvoices") { !$0.contains(where: isUnpaid) })
    let many = expected("largeInvoices") { $0.filter(isUnpaid).count >= 3 }
    #expect(!many.isEmpty)
    #expect(try self.numbers("--linked", "count >= 3 largeInvoices: isPaid == NO") == many)
    let some = try self.numbers(
      "--where", "number > 20", "--linked", "largeInvoices: isPaid == NO", "--linked",
      "count>1 recentInvoices",
      "--limit", "4")
    let both = Set(expected("recentInvoices") { $0.count > 1 })
    #expect(some == Array(open.filter { $0 > 20 && both.contains($0) }.prefix(4)))
    let count = ToolRun(
      ["fetch", "Customer", "--count", "--linked", "none recentInvoices"] + Self.federation)
    #expect(count.output == "1\n")
  }

  @Test("--sort-linked orders invoices of SQLite by customers of the XML file, and --sort orders ties")
  func order() throws {
    let invoices = try self.objects(
      "Invoice", "--sort-linked", "-customer.number", "--sort", "code", "--limit", "30", "--with", "customer")
    let keys = invoices.map { invoice in
      (
        number: (invoice["customer"] as? [[String: Any]])?.first?["number"] as? Int ?? -1,
        code: invoice["code"] as? String ?? ""
      )
    }
    #expect(keys.count == 30 && keys[0].number == 39)
    for (one, next) in zip(keys, keys.dropFirst()) {
      #expect(one.number > next.number || (one.number == next.number && one.code < next.code))
    }
    let first = try self.objects(
      "Invoice", "--sort-linked", "customer.number", "--sort", "code", "--limit", "3")
    #expect(first.compactMap { $0["code"] as? String } == ["X-1", "X-2", "R-1003"])
  }

  @Test("--sort-linked takes the comparisons of --sort")
  func comparison() throws {
    func names(_ key: String) throws -> [String] {
      try self.objects("Invoice", "--sort-linked", key, "--with", "customer").compactMap {
        ($0["customer"] as? [[String: Any]])?.first?["name"] as? String
      }
    }
    let scalar = try names("customer.name")
    let localized = try names("customer.name:localizedStandard")
    let backwards = try names("-customer.name:localizedStandard")
    #expect(scalar.count == localized.count && scalar != localized)
    for (one, next) in zip(localized, localized.dropFirst()) {
      #expect(one.localizedStandardCompare(next) != .orderedDescending, "\(one), \(next)")
    }
    for (one, next) in zip(backwards, backwards.dropFirst()) {
      #expect(one.localizedStandardCompare(next) != .orderedAscending, "\(one), \(next)")
    }
  }

  @Test("--explain says what was moved through a link, and which side came first")
  func explained() {
    for (words, lines) in [
      (
        ["--linked", "largeInvoices: isPaid == NO"],
        ["through Customer.largeInvoices (any where isPaid == 0): linked rows first, 36 keys in 1 question"]
      ),
      (
        ["--linked", "none recentInvoices", "--count"],
        [
          "through Customer.recentInvoices (none): sources first, 40 keys in 1 question; the property has a limit"
        ]
      ),
      (
        ["--sort-linked", "-recentInvoices.code", "--limit", "2"],
        ["through Customer.recentInvoices (order by code descending): sources first", "it is a sort key"]
      ),
    ] {
      let run = ToolRun(["fetch", "Customer", "--explain"] + words + Self.federation)
      #expect(run.status == .done && run.messages == "")
      for line in lines { #expect(run.output.contains(line), "\(run.output)") }
    }
  }

  @Test("a property that no store can answer for is refused, not found empty")
  func missingStore() {
    let model = Self.shop.appending(path: "Shop.xcdatamodeld").path(percentEncoded: false)
    let ledger = Self.shop.appending(path: "ledger.sqlite").path(percentEncoded: false)
    let words = [
      "fetch", "Invoice", "--model", model, "--store", "auto=\(ledger),configuration=Ledger,readonly",
    ]
    for (option, value) in [("--linked", "none customer"), ("--sort-linked", "customer.name")] {
      let run = ToolRun(words + [option, value])
      #expect(run.status == .failed && run.output == "")
      #expect(
        run.messages
          == "error: \(option) customer: no store that is given holds Customer; add one that does\n")
    }
  }

  @Test(
    "wrong words are told",
    arguments: [
      ("--linked", ": total > 5", "names no property in ': total > 5'; write PROPERTY: FORMAT"),
      (
        "--linked", "some x invoices",
        "begins with 'somex' in 'some x invoices'; write any, all, none or count > 3 before the property"
      ),
      (
        "--linked", "count > invoices",
        "has no number to compare with in 'count > invoices'; write count > 3"
      ),
      ("--sort-linked", "customer", "needs a property and a key of what it finds, and not 'customer'"),
      (
        "--sort-linked", "customer.name:upward",
        "'upward' is no comparison; use one of scalar, caseInsensitive"
      ),
    ])
  func usage(option: String, value: String, message: String) {
    let run = ToolRun(["fetch", "Invoice", option, value] + Self.federation)
    #expect(run.status == .wrongUsage && run.output == "")
    #expect(
      run.messages == "error: \(option): \(message)\n" || run.messages.contains(message), "\(run.messages)")
  }

  @Test("a predicate that is none, and a name that is no link")
  func refused() {
    let none = ToolRun(["fetch", "Customer", "--linked", "largeInvoices: total >"] + Self.federation)
    #expect(none.status == .wrongUsage && none.messages.contains("--linked"))
    let name = ToolRun(["fetch", "Customer", "--linked", "largeInvoice"] + Self.federation)
    #expect(
      name.status == .failed && name.messages.contains("did you mean largeInvoices?"), "\(name.messages)")
  }
}
