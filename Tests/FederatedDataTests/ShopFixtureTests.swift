import FederatedData
import Foundation
import TestSupport
import Testing

@testable import ShopFixture

@Suite("The shop")
struct ShopFixtureTests {
  private static let committed = TestFiles.fixtures.appending(path: "Shop")
  private static let made = "made again by: swift run ShopFixture Fixtures/Shop"

  @Test("the committed files are what the fixture's command makes")
  func current() throws {
    let folder = try TemporaryFolder()
    try ShopFixture.write(to: folder.url)
    let texts = [
      "customers.xml", "shop.federation.json", "Shop.xcdatamodeld/.xccurrentversion",
      "Shop.xcdatamodeld/Shop.xcdatamodel/contents",
    ]
    for name in texts {
      let (fresh, old) = try (
        Data(contentsOf: folder.file(name)), Data(contentsOf: Self.committed.appending(path: name))
      )
      #expect(fresh == old, "\(name) is out of date; \(Self.made)")
    }
    for name in ["Customer", "Invoice", "Line"] {
      #expect(
        try Self.rows(name, in: folder.url) == Self.rows(name, in: Self.committed), "\(name): \(Self.made)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path(percentEncoded: false))
    #expect(Set(names) == ["Shop.xcdatamodeld", "customers.xml", "ledger.sqlite", "shop.federation.json"])
  }

  /// Every row of an entity with all that is stored of it, in text.
  private static func rows(_ entity: String, in folder: URL) throws -> [String] {
    let container = try PersistentContainer(
      federation: folder.appending(path: "shop.federation.json"), readOnly: true)
    let context = container.makeContext()
    return try context.fetch(FetchRequest(entity)).map { object in
      let values = try object.entity.layout.columns.map { column in
        let value = try object.storedValue(column.name)
        // The number of an open store is not the file's.
        if case .object(let destination) = value { return "\(column.name)=\(context.uri(for: destination))" }
        return "\(column.name)=\(value)"
      }
      return "\(context.uri(for: object.objectID)) \(values)"
    }
  }

  @Test("the shop holds what files, encodings and links stumble over")
  func content() throws {
    let rows = ShopRows()
    #expect(rows.customers.count == 40)
    #expect(rows.invoices.count == 400)
    let numbers = Set(rows.customers.map(\.number))
    #expect(rows.invoices.contains { $0.customerNumber.map { !numbers.contains($0) } ?? false })
    #expect(rows.invoices.contains { $0.customerNumber == nil })
    #expect(
      rows.customers.contains { customer in !rows.invoices.contains { $0.customerNumber == customer.number } }
    )
    let names = rows.customers.compactMap(\.name)
    #expect(names.contains { $0.utf8.elementsEqual("Mich\u{E8}le Dubois".utf8) })
    #expect(names.contains { $0.utf8.elementsEqual("Miche\u{300}le Dubois".utf8) })
    #expect(rows.customers.contains { ($0.since?.timeIntervalSince1970 ?? 0) < 0 })
    #expect(
      rows.invoices.contains {
        $0.date.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 1) != 0
      })
  }
}
