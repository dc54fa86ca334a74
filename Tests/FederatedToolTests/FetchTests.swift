import Foundation
import TestSupport
import Testing

@testable import FederatedTool

@Suite("federate fetch")
struct FetchTests {
  private static let shop = TestFiles.fixtures.appending(path: "Shop")
  private static let federation = [
    "--federation", shop.appending(path: "shop.federation.json").path(percentEncoded: false),
  ]

  private func run(_ words: String...) -> ToolRun { ToolRun(["fetch"] + words + Self.federation) }

  private func objects(_ words: String...) throws -> [[String: Any]] {
    let run = ToolRun(["fetch"] + words + Self.federation)
    #expect(run.status == .done, "\(run.messages)")
    #expect(run.messages == "")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
  }

  @Test("customers come from XML with their invoices from SQLite and the lines of those")
  func mainJob() throws {
    let customers = try self.objects("Customer", "--with", "recentInvoices.lines,largeInvoices")
    #expect(customers.count == 40)
    for customer in customers {
      let number = try #require(customer["number"] as? Int)
      let recent = try #require(customer["recentInvoices"] as? [[String: Any]])
      let large = try #require(customer["largeInvoices"] as? [[String: Any]])
      #expect(recent.count <= 10)
      let dates = recent.compactMap { $0["date"] as? String }
      #expect(dates.count == recent.count)
      #expect(dates == dates.sorted(by: >))
      for invoice in recent + large {
        #expect(invoice["customerNumber"] as? Int == number)
        #expect(invoice["$entity"] as? String == "Invoice")
      }
      #expect(large.allSatisfy { ($0["total"] as? Double ?? 0) > 1000 })
      #expect(recent.allSatisfy { $0["lines"] is [[String: Any]] })
    }
    #expect((customers[0]["recentInvoices"] as? [Any])?.count == 10)
    #expect((customers[39]["recentInvoices"] as? [Any])?.isEmpty == true)
  }

  @Test("a fetched property leads back into the XML file, a to-one is an object or null")
  func wayBack() throws {
    let lines = try self.objects(
      "Line", "--with", "invoice.customer", "--limit", "3", "--sort", "text,-quantity")
    #expect(lines.count == 3)
    let invoice = try #require(lines[0]["invoice"] as? [String: Any])
    let customers = try #require(invoice["customer"] as? [[String: Any]])
    #expect(customers.first?["number"] as? Int == invoice["customerNumber"] as? Int)
    let orphan = try self.objects("Invoice", "--where", "code == 'X-1'", "--with", "customer")
    #expect((orphan[0]["customer"] as? [Any])?.isEmpty == true)
  }

  @Test("columns and groups are printed in every format")
  func groups() throws {
    let all = try self.objects("Invoice")
    let totals = Dictionary(grouping: all) { $0["customerNumber"] as? Int ?? -1 }.filter {
      $0.value.count > 3 && $0.key >= 0
    }
    let lines = try self.objects(
      "Invoice", "--columns", "customerNumber,n=count(SELF),most=max(total, 0),top=max(total)", "--group-by",
      "customerNumber,most", "--limit", "0")
    #expect(lines.isEmpty)
    let groups = try self.objects(
      "Invoice", "--columns", "customerNumber,n=count(SELF),first=min(date)", "--group-by", "customerNumber",
      "--having", "n > 3 AND customerNumber != nil", "--sort", "-n,customerNumber")
    #expect(groups.count == totals.count && !groups.isEmpty)
    for group in groups {
      let invoices = try #require(totals[group["customerNumber"] as? Int ?? -2])
      #expect(group["n"] as? Int == invoices.count)
      #expect(group["first"] as? String == invoices.compactMap { $0["date"] as? String }.min())
      #expect(group.keys.sorted() == ["customerNumber", "first", "n"])
    }
    let arguments = ["--columns", "count(SELF),sum=sum(customerNumber)"]
    let sum = all.reduce(0) { $0 + ($1["customerNumber"] as? Int ?? 0) }
    for (format, expected) in [
      ("csv", "count(SELF),sum\n\(all.count),\(sum)\n"),
      ("jsonl", "{\"count(SELF)\": \(all.count), \"sum\": \(sum)}\n"),
      ("json", "[\n{\"count(SELF)\": \(all.count), \"sum\": \(sum)}\n]\n"),
    ] {
      let run = ToolRun(["fetch", "Invoice", "--format", format] + arguments + Self.federation)
      #expect(run.output == expected, "\(run.messages)")
    }
    let table = self.run("Invoice", "--columns", "customerNumber", "--distinct", "--format", "table")
    // The line of the invoices without a customer is empty; the last one is behind the last line's end.
    #expect(
      table.output.split(separator: "\n", omittingEmptySubsequences: false).count
        == 3 + Set(all.map { $0["customerNumber"] as? Int }).count)
    let count = self.run("Invoice", "--columns", "customerNumber", "--distinct", "--count")
    #expect(count.output == "\(Set(all.map { $0["customerNumber"] as? Int }).count)\n")
    #expect(try self.objects("Invoice", "--group-by", "customerNumber").count > 1)
  }

  @Test(
    "what columns cannot be is said",
    arguments: [
      (["--columns", "sum(", "--distinct"], "--columns", 2), (["--columns", "total,"], "--columns", 2),
      (["--columns", "code", "--select", "code"], "--select", 2), (["--distinct"], "--distinct", 2),
      (["--columns", "total,n=count(SELF)"], "total", 1), (["--columns", "nn"], "nn", 1),
      (["--columns", "n=count(SELF)", "--having", "n >"], "--having", 2),
      (["--columns", "total,total"], "total", 1), (["--columns", "lines"], "lines", 1),
    ] as [([String], String, Int32)])
  func wrongColumns(_ words: [String], _ place: String, _ status: Int32) {
    let run = ToolRun(["fetch", "Invoice"] + words + Self.federation)
    #expect(run.status.rawValue == status, "\(run.messages)")
    #expect(run.messages.contains(place), "\(run.messages)")
    #expect(run.output == "")
  }

  @Test("exact decimals, fractions, days before 1970 and nil keep every digit")
  func values() throws {
    let exact = self.run(
      "Line", "--where", "text IN {'Exact', 'Tiny'}", "--select", "price", "--format", "csv")
    #expect(exact.output.contains(",12345678901234567.89\n"), "\(exact.output)")
    #expect(exact.output.contains(",0.00000000000000000001\n"), "\(exact.output)")
    let odd = self.run(
      "Invoice", "--where", "code BEGINSWITH 'X'", "--sort", "code", "--select",
      "code,date,note,customerNumber",
      "--format", "csv")
    let rows = odd.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(
      rows.map { $0.dropFirst(2).joined(separator: "|") } == [
        "code|customerNumber|date|note",
        "X-1|9999|1969-12-31T23:59:59.75Z|for a customer who is not there",
        "X-2||1968-01-01T23:59:59.75Z|",
        "X-3|2|2001-01-01T00:00:00.1Z|\"\"",
      ])
  }

  @Test(
    "counting prints one integer",
    arguments: [
      (["Customer"], 40), (["Invoice"], 400), (["Customer", "--where", "name == nil"], 1),
      (["Customer", "--where", "number > 10", "--limit", "5"], 5), (["Customer", "--offset", "38"], 2),
      (["Customer", "--limit", "0"], 0), (["Customer", "--where", "name BEGINSWITH[cd] 'michele'"], 2),
      (["Customer", "--where", "name BEGINSWITH 'Mich\u{E8}le'"], 1),
      (["Invoice", "--where", "ANY lines.text == 'Orphan'"], 1),
      (["Invoice", "--where", "lines.@count == 0"], 1),
    ] as [([String], Int)])
  func counts(words: [String], count: Int) {
    let run = ToolRun(["fetch"] + words + ["--count"] + Self.federation)
    #expect(run.messages == "")
    #expect(run.output == "\(count)\n")
  }

  @Test("--select keeps the order of the model, --sort and the window the order asked for")
  func shape() throws {
    let run = self.run(
      "Customer", "--select", "number,name", "--sort", "-number", "--offset", "1", "--limit", "2", "--format",
      "jsonl")
    let id = "x-coredata://5A0F0D5E-0C0B-4B2E-9D3C-2D8C5E0A1C01/Customer"
    #expect(
      run.output == """
        {"$entity": "Customer", "$id": "\(id)/p140", "name": "Mary", "number": 39}
        {"$entity": "Customer", "$id": "\(id)/p139", "name": "Peter Paul", "number": 38}

        """)
  }

  @Test("model and stores may be named one by one, their types told from content")
  func stores() throws {
    let model = Self.shop.appending(path: "Shop.xcdatamodeld").path(percentEncoded: false)
    let ledger = Self.shop.appending(path: "ledger.sqlite").path(percentEncoded: false)
    let customers = Self.shop.appending(path: "customers.xml").path(percentEncoded: false)
    let words = ["--model", model, "--store", "auto=\(ledger),configuration=Ledger,readonly"]
    #expect(ToolRun(["fetch", "Invoice", "--count"] + words).output == "400\n")
    let missing = ToolRun(["fetch", "Invoice", "--with", "customer"] + words)
    #expect(missing.status == .failed)
    #expect(
      missing.messages == "error: --with customer: no store that is given holds Customer; add one that does\n"
    )
    for count in [[], ["--count"]] {
      let absent = ToolRun(["fetch", "Customer"] + count + words)
      #expect(absent.status == .failed)
      #expect(absent.output == "")
      #expect(
        absent.messages == "error: Customer: no store that is given holds Customer; add one that does\n")
    }
    let both = words + ["--store", "xml=\(customers),configuration=CRM"]
    #expect(ToolRun(["fetch", "Invoice", "--with", "customer", "--limit", "1"] + both).status == .done)
  }

  @Test("fetching leaves every file as it was, and none beside them")
  func untouched() throws {
    let before = try Self.listing()
    _ = self.run("Customer", "--with", "recentInvoices.lines")
    #expect(try Self.listing() == before)
  }

  private static func listing() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: shop.path(percentEncoded: false)) {
      let isFolder = name.hasSuffix(".xcdatamodeld")
      files[name] = isFolder ? Data() : try Data(contentsOf: shop.appending(path: name))
    }
    return files
  }

  @Test(
    "what the model does not have gives exit status 1 and the name that may be meant",
    arguments: [
      (["Custmer"], "Custmer: the model has no entity of that name (did you mean Customer?)"),
      (
        ["Customer", "--select", "nmae"],
        "--select nmae: Customer has no attribute of that name (did you mean name?)"
      ),
      (
        ["Customer", "--select", "recentInvoices"],
        "--select recentInvoices: leads to other objects; follow it by --with recentInvoices"
      ),
      (
        ["Customer", "--with", "recentInvoice"],
        "--with recentInvoice: Customer has no relationship or fetched property of that name "
          + "(did you mean recentInvoices?)"
      ),
      (
        ["Customer", "--with", "recentInvoices.code"],
        "--with code: is an attribute of Invoice; attributes are printed anyway"
      ),
    ] as [([String], String)])
  func unknown(words: [String], message: String) {
    let run = ToolRun(["fetch"] + words + Self.federation)
    #expect(run.status == .failed)
    #expect(run.output == "")
    #expect(run.messages == "error: \(message)\n")
  }

  @Test(
    "a key that no store knows is refused in --where and --sort, and nothing is printed",
    arguments: [
      ["--where", "nmae == 'x'"], ["--sort", "nmae"], ["--where", "ANY recentInvoices.total > 5"],
    ])
  func unknownKeys(words: [String]) {
    let run = ToolRun(["fetch", "Customer"] + words + Self.federation)
    #expect(run.status == .failed)
    #expect(run.output == "")
    #expect(run.messages.contains(words[1].contains("nmae") ? "nmae" : "recentInvoices"), "\(run.messages)")
  }
}
