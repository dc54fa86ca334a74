import CSQLite
import FederatedData
import Foundation

extension BenchmarkTask {
  /// A whole process: both files opened, the invoices of one customer read.
  static let coldStart = BenchmarkTask(
    name: "T6", title: "cold process, one customer", isWholeProcess: true,
    ways: [
      Way(raw) { files in
        let customers = try RawCustomersFile(files.customers)
        let database = try RawDatabase(files.invoices)
        let select = try database.prepare(
          RawDatabase.selectInvoices + "WHERE ZCUSTOMERID = ? ORDER BY ZDATE DESC")
        var arena = RawArena()
        defer { arena.free() }
        var check: Int64 = 0
        select.bind(1, customers.customers[customers.count / 2].id)
        while select.step() { check += cents(RawInvoice(select.handle, &arena).total) }
        return Outcome(check: check)
      },
      Way("objects") { files in
        let shop = try Shop(ShopModel.customers(files), ShopModel.invoices(files))
        let place = files.customerCount / 2
        let customers = try shop.context.fetch(Fetch(Customer.self).offset(place).limit(1))
        var check: Int64 = 0
        for customer in customers {
          for invoice in try customer.invoices { check += cents(invoice.total) }
        }
        return Outcome(check: check)
      },
    ])
}
