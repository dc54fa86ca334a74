import CSQLite
import FederatedData
import FederatedModel
import FederatedRuntime
import FederatedStore
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
      },
      Way("rows") { files in
        let output = try files.output("sqlite")
        defer { removeQuietly(output) }
        let watch = Stopwatch()
        try Self.copyRows(files, to: output)
        let seconds = watch.seconds
        return Outcome(check: try Self.copyCheck(output), seconds: seconds)
      },
    ])

  /// Blocks of rows pass from one store to the other under new references.
  private static func copyRows(_ files: DataFiles, to output: URL) throws {
    let model = try ShopModel.make()
    let coordinator = PersistentStoreCoordinator(model: model)
    let source = try coordinator.add(ShopModel.customers(files))
    let target = try coordinator.add(
      PersistentStoreDescription(.sqlite, at: output, name: "copy", configuration: "CRM"))
    guard let customer = model.entity(named: "Customer") else {
      throw BenchmarkError("the model lacks Customer")
    }
    var changes = ChangeSet()
    let read = coordinator.beginRead()
    var request = BoundRequest(customer.id)
    request.stores = [source.id]
    for part in try read.fetch(request).parts {
      for block in part.rows.blocks {
        let references = try coordinator.reserveIdentifiers(
          in: target.id, for: customer.id, count: block.count)
        changes.inserted.append(block.renumbered(from: references.lowerBound, version: 1))
      }
    }
    read.end()
    try coordinator.save([target.id: changes], save: SaveIdentifier())
    for store in coordinator.stores { try coordinator.remove(store) }
  }

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
