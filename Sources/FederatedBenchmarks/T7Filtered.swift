import CSQLite
import FederatedData
import Foundation

extension BenchmarkTask {
  /// The 50 oldest open invoices over 5,000.
  static let filtered = BenchmarkTask(
    name: "T7", title: "filtered, sorted, 50 rows",
    ways: [
      Way(raw) { files in
        let database = try RawDatabase(files.invoices)
        let select = try database.prepare(
          RawDatabase.selectInvoices + "WHERE ZSTATUS = 'open' AND ZTOTAL > ? ORDER BY ZDATE LIMIT 50")
        select.bind(1, 5000.0)
        var arena = RawArena()
        defer { arena.free() }
        var check: Int64 = 0
        while select.step() { check += cents(RawInvoice(select.handle, &arena).total) }
        return Outcome(check: check)
      },
      Way("objects") { files in
        let shop = try Shop(ShopModel.invoices(files))
        let oldest = Fetch(Invoice.self).where { $0.status == "open" && $0.total > 5000 }
          .sorted(by: \.date.ascending).limit(50)
        var check: Int64 = 0
        for invoice in try shop.context.fetch(oldest) { check += cents(invoice.total) }
        return Outcome(check: check)
      },
    ])
}
