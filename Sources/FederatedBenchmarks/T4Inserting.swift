import CSQLite
import FederatedData
import Foundation

extension BenchmarkTask {
  /// Ten invoices for each customer are inserted into a new store and saved.
  static let inserting = BenchmarkTask(
    name: "T4", title: "insert the invoices and save",
    ways: [
      Way(raw) { files in
        var source = try RawInvoices(files)
        defer { source.free() }
        let output = try files.output("sqlite")
        defer { removeQuietly(output) }
        let watch = Stopwatch()
        try Self.insert(source.invoices, into: output)
        let seconds = watch.seconds
        return Outcome(check: try Self.check(output), seconds: seconds)
      },
      Way("objects") { files in
        var source = try RawInvoices(files)
        defer { source.free() }
        let fresh = try source.invoices.map(FreshInvoice.init)
        let output = try files.output("sqlite")
        defer { removeQuietly(output) }
        let watch = Stopwatch()
        try Self.insert(fresh, into: output)
        let seconds = watch.seconds
        return Outcome(check: try Self.check(output), seconds: seconds)
      },
    ])

  private static func insert(_ invoices: [FreshInvoice], into output: URL) throws {
    let shop = try Shop(PersistentStoreDescription(.sqlite, at: output, configuration: "Ledger"))
    for fresh in invoices {
      let invoice = shop.context.insert(Invoice.self)
      invoice.customerId = fresh.customer
      invoice.date = fresh.date
      invoice.total = fresh.total
      invoice.number = fresh.number
      invoice.status = fresh.status
    }
    try shop.context.save()
    for store in shop.coordinator.stores { try shop.coordinator.remove(store) }
  }

  private static func insert(_ invoices: [RawInvoice], into output: URL) throws {
    let database = try RawDatabase.fresh(output)
    try database.execute(RawDatabase.invoiceSchema + ";" + RawDatabase.invoiceIndex + "; BEGIN")
    let insert = try database.prepare(RawDatabase.insertInvoice)
    for invoice in invoices {
      try insert.run {
        $0.bind(1, invoice.key)
        $0.bind(2, invoice.customer)
        $0.bind(3, invoice.date)
        $0.bind(4, invoice.total)
        $0.bind(5, invoice.number)
        $0.bind(6, invoice.status)
      }
    }
    try database.execute("COMMIT")
  }

  /// What stands in a written file.
  static func check(_ output: URL) throws -> Int64 {
    let database = try RawDatabase(output)
    return try database.number(
      "SELECT SUM(CAST(ROUND(ZTOTAL * 100) AS INTEGER) + ZCUSTOMERID + LENGTH(ZNUMBER) + LENGTH(ZSTATUS)) FROM ZINVOICE"
    )
  }
}

/// The values of one new invoice, as a program would have them.
private struct FreshInvoice {
  let customer: Int
  let date: Date
  let total: Decimal
  let number: String
  let status: String

  init(_ invoice: RawInvoice) throws {
    self.customer = Int(invoice.customer)
    self.date = Date(timeIntervalSinceReferenceDate: invoice.date)
    self.total = Decimal(sign: .plus, exponent: -2, significand: Decimal(cents(invoice.total)))
    self.number = String(cString: invoice.number.start)
    self.status = String(cString: invoice.status.start)
  }
}

/// All invoices in memory, to insert from.
struct RawInvoices {
  private(set) var invoices: [RawInvoice] = []
  private var arena = RawArena()

  init(_ files: DataFiles) throws {
    let database = try RawDatabase(files.invoices)
    let select = try database.prepare(RawDatabase.selectInvoices)
    self.invoices.reserveCapacity(files.invoiceCount)
    while select.step() { self.invoices.append(RawInvoice(select.handle, &self.arena)) }
  }

  mutating func free() {
    self.invoices = []
    self.arena.free()
  }
}

/// A file that stays behind is no reason to lose a measurement, but is said.
func removeQuietly(_ url: URL) {
  do { try DataFiles.remove(url) } catch {
    FileHandle.standardError.write(Data("\(url.filePath) stays: \(error)\n".utf8))
  }
}
