import CSQLite
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
      }
    ])

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
