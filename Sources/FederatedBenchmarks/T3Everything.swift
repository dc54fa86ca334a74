import CSQLite
import FederatedData
import FederatedModel
import FederatedRuntime
import FederatedStore
import Foundation

extension BenchmarkTask {
  /// All invoices; three attributes of each are read.
  static let everything = BenchmarkTask(
    name: "T3", title: "all invoices, three attributes read",
    ways: [
      Way(raw) { files in
        let database = try RawDatabase(files.invoices)
        let select = try database.prepare(RawDatabase.selectInvoices)
        var arena = RawArena()
        defer { arena.free() }
        var invoices: [RawInvoice] = []
        while select.step() { invoices.append(RawInvoice(select.handle, &arena)) }
        var check: Int64 = 0
        for invoice in invoices {
          check +=
            cents(invoice.total) + Int64(strlen(invoice.number.start)) + Int64(strlen(invoice.status.start))
        }
        return Outcome(check: check)
      },
      Way("objects, typed keys") { files in
        let shop = try Shop(ShopModel.invoices(files))
        var check: Int64 = 0
        for invoice in try shop.context.fetch(Fetch(Invoice.self)) {
          check += cents(invoice.total) + Int64(invoice.number.utf8.count) + Int64(invoice.status.utf8.count)
        }
        return Outcome(check: check)
      },
      Way("objects, by key") { files in
        let shop = try Shop(ShopModel.invoices(files))
        var check: Int64 = 0
        for invoice in try shop.context.fetch(FetchRequest("Invoice")) {
          if case .decimal(let total) = try invoice.value("total") { check += cents(total) }
          if case .string(let number) = try invoice.value("number") { check += Int64(number.utf8.count) }
          if case .string(let status) = try invoice.value("status") { check += Int64(status.utf8.count) }
        }
        return Outcome(check: check)
      },
      Way("rows") { files in
        let shop = try Shop(ShopModel.invoices(files))
        let slots = try InvoiceSlots(shop.coordinator.model)
        var check: Int64 = 0
        let read = shop.coordinator.beginRead()
        defer { read.end() }
        try read.stream(BoundRequest(slots.entity), batch: 4096) { rows in
          for row in rows {
            check += cents(row.snapshot.decimalAsDouble(slots.total))
            check += row.snapshot.withBytes(slots.number) { Int64($0.count) }
            check += row.snapshot.withBytes(slots.status) { Int64($0.count) }
          }
        }
        return Outcome(check: check)
      },
    ])
}

/// Where the attributes stand in an invoice's row.
struct InvoiceSlots {
  let entity: EntityID
  let total: Int
  let number: Int
  let status: Int

  init(_ model: ManagedObjectModel) throws {
    guard let invoice = model.entity(named: "Invoice"), let total = invoice.attribute(named: "total")?.slot,
      let number = invoice.attribute(named: "number")?.slot,
      let status = invoice.attribute(named: "status")?.slot
    else { throw BenchmarkError("the model lacks Invoice") }
    self.entity = invoice.id
    self.total = total
    self.number = number
    self.status = status
  }
}
