import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

@Suite struct SQLiteStoreTests {
  static let model = try! ManagedObjectModel(entities: [
    EntityDescription(
      "Invoice",
      properties: [
        AttributeDescription("number", .string), AttributeDescription("total", .decimal, optional: true),
        AttributeDescription("date", .date, optional: true),
      ])
  ])

  @Test("a new store keeps what a save writes, and answers it after it was opened again")
  func createSaveReopen() throws {
    let folder = try TemporaryFolder()
    let description = PersistentStoreDescription(.sqlite, at: folder.file("a.sqlite"))
    let invoice = Self.model.entity(named: "Invoice")!
    let store = try StoreType.sqlite.open(description, Self.model)
    let references = try store.reserveReferences(for: invoice.id, count: 2)
    #expect(references == 1..<3)
    var rows = RowBlockBuilder(layout: invoice.layout)
    for reference in references {
      rows.beginRow(reference: reference, version: 1)
      rows.set(string: "INV-\(reference)", at: 0)
      rows.set(decimal: Decimal(string: "12.10")! * Decimal(reference), at: 1)
    }
    var changes = ChangeSet()
    changes.inserted = [rows.finish()]
    try store.prepare(changes, save: SaveIdentifier()).commit()
    store.close()

    let again = try StoreType.sqlite.open(description, Self.model)
    let scope = try again.beginRead()
    guard case .rows(let found) = try scope.run(StoreQuery(entity: invoice.id)) else { return }
    #expect(found.map { $0.string(0) } == ["INV-1", "INV-2"])
    #expect(found.map { $0.decimal(1) } == [Decimal(string: "12.1"), Decimal(string: "24.2")])
    #expect(found.map(\.version) == [1, 1])
    #expect(try again.reserveReferences(for: invoice.id, count: 1) == 3..<4)
  }
}
