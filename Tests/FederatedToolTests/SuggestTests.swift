import FederatedData
import Foundation
import TestSupport
import Testing

@testable import FederatedTool

@Suite("federate inspect --suggest")
struct SuggestTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private static let fixture = TestFiles.fixtures.appending(path: "Foreign/Orders")
  private static let files = ["customers.xml", "orders.sqlite"].map {
    Self.fixture.appending(path: $0).path(percentEncoded: false)
  }

  private func suggested(_ files: [String], into name: String = "shop") -> (run: ToolRun, federation: String)
  {
    let output = self.folder.file(name).path(percentEncoded: false)
    return (
      ToolRun(["inspect", "--suggest"] + files + ["--output", output]), output + "/federation.json"
    )
  }

  private func rows(_ words: [String], _ federation: String) throws -> [[String: Any]] {
    let run = ToolRun(["fetch"] + words + ["--federation", federation])
    #expect(run.messages == "")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
  }

  @Test("what is proposed for an XML file and a database is opened and answers as it stands, across the link")
  func works() throws {
    let (run, federation) = self.suggested(Self.files)
    #expect(run.status == .done, "\(run.messages)")
    let lines = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(
      lines.contains(
        "91 % of Orders.customerId occur in Customer.id, 91 % the other way round: Orders.customer, Customer.orders"
      ), "\(run.output)")
    let customers = try self.rows(
      ["Customer", "--where", "id == 1040", "--with", "orders.orderLines.product,tags"], federation)
    let customer = try #require(customers.first)
    #expect(customer["name"] as? String == "Ada Obi")
    #expect(customer["country"] as? String == "DE" && customer["active"] as? Bool == false)
    #expect(customer["since"] as? String == "2010-01-02T06:30:00Z")
    #expect((customer["tags"] as? [[String: Any]])?.map { $0["text"] as? String } == ["new"])
    let orders = try #require(customer["orders"] as? [[String: Any]])
    #expect(orders.count == 2)
    let order = try #require(orders.first)
    #expect((order["placedAt"] as? String)?.hasPrefix("2023-") == true)
    #expect(order["isPaid"] is Bool)
    #expect(
      ((order["orderLines"] as? [[String: Any]])?.first?["product"] as? [String: Any])?["sku"] is String)
    let back = try self.rows(["Orders", "--where", "orderId == 1", "--with", "customer,labels"], federation)
    #expect((back.first?["customer"] as? [[String: Any]])?.count == 1)
    #expect((back.first?["labels"] as? [[String: Any]])?.map { $0["name"] as? String } == ["express"])
    let check = ToolRun(["check", "links", "Orders.customer", "--federation", federation])
    #expect(check.status == .found)
    #expect(check.output.contains("dangling keys: 1, of 1 source"), "\(check.output)")
  }

  @Test(
    "the same files give the same proposal, and the federation file is all that is printed without a folder")
  func printed() throws {
    let (_, federation) = self.suggested(Self.files)
    let (_, again) = self.suggested(Self.files, into: "again")
    #expect(
      try Data(contentsOf: URL(filePath: federation)) == Data(contentsOf: URL(filePath: again)))
    let run = ToolRun(["inspect", "--suggest"] + Self.files)
    #expect(run.status == .done)
    let file = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect((file["stores"] as? [[String: Any]])?.map { $0["name"] as? String } == ["customers", "orders"])
    #expect(run.messages.contains("orders.sqlite (sqlite), as orders"), "\(run.messages)")
    #expect(run.messages.contains("shippedOn: shipped_on, date? as iso8601 in UTC\n"), "\(run.messages)")
    #expect(run.messages.contains("orders.sqlite: paid is a view, whose key has to be named"))
  }

  @Test("what is there already is left alone, and files without rows are refused")
  func refused() throws {
    let (_, federation) = self.suggested(Self.files)
    let before = try Data(contentsOf: URL(filePath: federation))
    let twice = self.suggested(Self.files).run
    #expect(twice.status == .failed)
    #expect(twice.messages.contains("is there already; name another folder"), "\(twice.messages)")
    #expect(try Data(contentsOf: URL(filePath: federation)) == before)
    let text = self.folder.file("notes.txt")
    try Data("nothing".utf8).write(to: text)
    let none = ToolRun(["inspect", "--suggest", text.path(percentEncoded: false)])
    #expect(none.messages.contains("is no file with rows; name SQLite and XML files"), "\(none.messages)")
    let plain = self.folder.file("plain.xml")
    try Data("<plain><one/></plain>".utf8).write(to: plain)
    let single = ToolRun(["inspect", "--suggest", plain.path(percentEncoded: false)])
    #expect(single.status == .failed)
    #expect(single.messages.contains("no element is repeated, so there are no records"), "\(single.messages)")
    #expect(ToolRun("inspect", "--output", "x", "a").status == .wrongUsage)
    #expect(ToolRun("inspect", "--suggest", "--json", "a").status == .wrongUsage)
  }

  @Test(
    "the databases and documents of the corpus get proposals that open",
    .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"),
    arguments: [
      ("Chinook_Sqlite.sqlite", "Track", 3503, "album,playlists"),
      ("zeitgeist_activity.sqlite", "Event", 44, nil),
      ("trek.gpx", "Rtept", nil, nil), ("rss2sample.xml", "Item", 4, nil),
      ("cyclonedx-valid-bom-1.5.xml", "Component", nil, nil),
      ("junit-report-20090516.xml", "Testcase", nil, nil),
      ("simpledata.kml", "Placemark", nil, nil),
    ] as [(String, String, Int?, String?)])
  func corpus(_ file: String, _ entity: String, _ count: Int?, _ followed: String?) throws {
    let corpus = try #require(TestFiles.corpus)
    let path = corpus.appending(path: "foreign/\(file)").path(percentEncoded: false)
    let (run, federation) = self.suggested([path])
    #expect(run.status == .done, "\(run.messages)")
    let found = try self.rows([entity] + (followed.map { ["--limit", "3", "--with", $0] } ?? []), federation)
    #expect(!found.isEmpty)
    if let count, followed == nil { #expect(found.count == count) }
  }
}
