import FederatedData
import Foundation

/// Makes the shop: model, federation file, customers in XML, invoices and lines in SQLite.
///
/// Model and XML come out the same byte for byte, the SQLite file row for row.
enum ShopFixture {
  private static let customerStore = UUID(uuidString: "5A0F0D5E-0C0B-4B2E-9D3C-2D8C5E0A1C01")
  private static let ledgerStore = UUID(uuidString: "5A0F0D5E-0C0B-4B2E-9D3C-2D8C5E0A1C02")

  /// Writes into a folder, in place of what was there.
  static func write(to folder: URL) throws {
    let model = folder.appending(path: "Shop.xcdatamodeld")
    for name in ["Shop.xcdatamodeld", "customers.xml", "ledger.sqlite", "shop.federation.json"] {
      let url = folder.appending(path: name)
      if FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) {
        try FileManager.default.removeItem(at: url)
      }
    }
    try self.write(ShopModel.contents, to: model.appending(path: "Shop.xcdatamodel/contents"))
    try self.write(ShopModel.current, to: model.appending(path: ".xccurrentversion"))
    try self.write(ShopModel.federation, to: folder.appending(path: "shop.federation.json"))
    try self.fill(folder, ModelFile.load(at: model))
  }

  private static func write(_ text: String, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private static func fill(_ folder: URL, _ model: ManagedObjectModel) throws {
    var customers = PersistentStoreDescription(
      .xml, at: folder.appending(path: "customers.xml"), configuration: "CRM")
    var ledger = PersistentStoreDescription(
      .sqlite, at: folder.appending(path: "ledger.sqlite"), configuration: "Ledger")
    customers.newStoreIdentifier = self.customerStore
    ledger.newStoreIdentifier = self.ledgerStore
    let container = try PersistentContainer(model: model, stores: [customers, ledger])
    let context = container.makeContext()
    let rows = ShopRows()
    // Store by store: a save over both would write its identifier into them, another one each time.
    for row in rows.customers { try self.insert(row, into: context) }
    try context.save()
    for row in rows.invoices { try self.insert(row, into: context) }
    try context.save()
    // Closing folds what SQLite keeps beside the file into it.
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
  }

  private static func insert(_ row: ShopRows.Customer, into context: ManagedObjectContext) throws {
    let customer = try context.insert("Customer")
    try customer.set("number", to: row.number)
    try customer.set("code", to: row.code)
    try customer.set("name", to: row.name)
    try customer.set("city", to: row.city)
    try customer.set("since", to: row.since)
    try customer.set("creditLimit", to: row.creditLimit)
    try customer.set("rating", to: row.rating)
    try customer.set("isActive", to: row.isActive)
    try customer.set("homepage", to: row.homepage.map(Value.uri) ?? .null)
    try customer.set("logo", to: row.logo)
  }

  private static func insert(_ row: ShopRows.Invoice, into context: ManagedObjectContext) throws {
    let invoice = try context.insert("Invoice")
    try invoice.set("code", to: row.code)
    try invoice.set("customerNumber", to: row.customerNumber)
    try invoice.set("date", to: row.date)
    try invoice.set("isPaid", to: row.isPaid)
    try invoice.set("note", to: row.note)
    try invoice.set("total", to: row.total)
    for row in row.lines {
      let line = try context.insert("Line")
      try line.set("text", to: row.text)
      try line.set("quantity", to: row.quantity)
      try line.set("price", to: row.price)
      try line.set("invoice", to: invoice)
    }
  }
}
