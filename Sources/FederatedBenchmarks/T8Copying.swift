import CSQLite
import Foundation

extension BenchmarkTask {
  /// The customers go from the XML file into a new SQLite file.
  static let copying = BenchmarkTask(
    name: "T8", title: "copy customers from XML to SQLite",
    ways: [
      Way(raw) { files in
        let output = try files.output("sqlite")
        defer { removeQuietly(output) }
        let watch = Stopwatch()
        try Self.copy(files, to: output)
        let seconds = watch.seconds
        return Outcome(check: try Self.copyCheck(output), seconds: seconds)
      }
    ])

  private static func copy(_ files: DataFiles, to output: URL) throws {
    let customers = try RawCustomersFile(files.customers)
    let database = try RawDatabase.fresh(output)
    try database.execute(
      "CREATE TABLE ZCUSTOMER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID INTEGER, ZNAME VARCHAR, "
        + "ZEMAIL VARCHAR, ZCOUNTRY VARCHAR, ZJOINED TIMESTAMP, ZCREDITLIMIT DECIMAL); BEGIN")
    let insert = try database.prepare("INSERT INTO ZCUSTOMER VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?)")
    let missing = RawText(start: UnsafePointer(UnsafeMutablePointer<CChar>.allocate(capacity: 1)), count: 0)
    defer { missing.start.deallocate() }
    for index in 0..<customers.count {
      let customer = customers.customers[index]
      try insert.run {
        $0.bind(1, Int64(index + 1))
        $0.bind(2, customer.id)
        $0.bind(3, customer.name ?? missing)
        $0.bind(4, customer.email ?? missing)
        $0.bind(5, customer.country ?? missing)
        $0.bind(6, customer.joined)
        $0.bind(7, customer.credit)
      }
    }
    try database.execute("COMMIT")
  }

  /// What stands in a written file.
  static func copyCheck(_ output: URL) throws -> Int64 {
    let database = try RawDatabase(output)
    return try database.number(
      "SELECT SUM(CAST(ROUND(ZCREDITLIMIT * 100) AS INTEGER) + ZID + LENGTH(ZNAME) + LENGTH(ZEMAIL) + ZJOINED) "
        + "FROM ZCUSTOMER")
  }
}
