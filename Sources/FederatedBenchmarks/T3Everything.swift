import CSQLite
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
      }
    ])
}
