import CSQLite
import Foundation

/// Makes the customers (XML) and ten times as many invoices (SQLite) of one size, the same in every run.
///
/// Invoices lie in date order and their customers are shuffled, so that a look-up by customer touches scattered
/// pages, as real data would.
struct DataGenerator {
  private static let firstNames = [
    "Ada", "Bo", "Chen", "Dana", "Émile", "Farid", "Grace", "Hana", "Ivo", "Jürgen", "Kai", "Lena", "Mara",
    "Noor",
    "Olga", "Pia",
  ]
  private static let lastNames = [
    "Abel &amp; Sons", "Brandt", "Castro", "Dvořák", "Eriksen", "Fischer", "García", "Haddad", "Ito",
    "Jansen",
    "Kovács", "Lindgren", "Moreau", "Novak", "O'Neil", "Petrov",
  ]
  private static let countries = [
    "AT", "BE", "BR", "CA", "CH", "CN", "CZ", "DE", "DK", "EG", "ES", "FI", "FR", "GB", "IE", "IN", "IT",
    "JP", "NL",
    "NO", "PL", "PT", "SE", "US",
  ]
  private static let statuses = ["open", "paid", "overdue", "void"]

  /// Makes the files unless they are there.
  static func make(_ files: DataFiles) throws {
    let done = files.folder.appending(path: "complete")
    if FileManager.default.fileExists(atPath: done.filePath) { return }
    try FileManager.default.createDirectory(at: files.folder, withIntermediateDirectories: true)
    var numbers = SeededNumbers(seed: 20_240_607 &+ UInt64(files.customerCount))
    try self.writeCustomers(files, &numbers)
    try self.writeInvoices(files, &numbers)
    try Data().write(to: done)
  }

  private static func writeCustomers(_ files: DataFiles, _ numbers: inout SeededNumbers) throws {
    guard let file = fopen(files.customers.filePath, "wb") else {
      throw BenchmarkError("no \(files.customers.filePath)")
    }
    defer { fclose(file) }
    var text = """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>7A1C0F52-3D6E-4B7A-9E55-0C1D2E3F4A5B</UUID>
              <nextObjectID>\(101 + files.customerCount)</nextObjectID>
              <metadata>
                  <plist version="1.0">
                      <dict>
                          <key>NSPersistenceFrameworkVersion</key>
                          <integer>1327</integer>
                      </dict>
                  </plist>
              </metadata>
          </databaseInfo>

      """
    for number in 1...files.customerCount {
      let name =
        "\(self.firstNames[numbers.number(in: 0..<16)]) \(self.lastNames[numbers.number(in: 0..<16)]) \(number)"
      let cents = numbers.number(in: 0..<5_000_000)
      text += """
            <object type="CUSTOMER" id="z\(101 + number)">
                <attribute name="creditlimit" type="decimal">\(self.money(cents))</attribute>
                <attribute name="joined" type="date">\(numbers.number(in: 315_532_800..<725_846_400)).00000000000000000000</attribute>
                <attribute name="country" type="string">\(self.countries[numbers.number(in: 0..<24)])</attribute>
                <attribute name="email" type="string">user\(number)@mail\(numbers.number(in: 0..<200)).example</attribute>
                <attribute name="name" type="string">\(name)</attribute>
                <attribute name="id" type="int64">\(number)</attribute>
            </object>

        """
      if text.utf8.count > 1 << 20 || number == files.customerCount {
        if number == files.customerCount { text += "</database>\n" }
        text.withUTF8 { _ = fwrite($0.baseAddress, 1, $0.count, file) }
        text = ""
      }
    }
  }

  private static func money(_ cents: Int) -> String {
    "\(cents / 100).\(cents % 100 / 10)\(cents % 10)"
  }

  private static func writeInvoices(_ files: DataFiles, _ numbers: inout SeededNumbers) throws {
    try DataFiles.remove(files.invoices)
    var owners: [Int32] = []
    owners.reserveCapacity(files.invoiceCount)
    for customer in 1...files.customerCount { for _ in 0..<10 { owners.append(Int32(customer)) } }
    owners.shuffle(using: &numbers)
    let database = try RawDatabase(files.invoices, creating: true)
    try database.execute(
      """
      PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF; PRAGMA cache_size=-262144;
      \(RawDatabase.invoiceSchema);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Invoice', 0, \(files.invoiceCount));
      BEGIN
      """)
    let metadata = try PropertyListSerialization.data(
      fromPropertyList: ["NSStoreType": "SQLite", "NSPersistenceFrameworkVersion": 1327], format: .binary,
      options: 0)
    try database.prepare("INSERT INTO Z_METADATA VALUES (1, '0F4E1B77-6A0B-4C36-8E57-2B1B6B7C9D10', ?)").run {
      $0.bind(1, metadata)
    }
    let insert = try database.prepare(RawDatabase.insertInvoice)
    let start = 662_688_000.0  // 2022-01-01, in seconds since 2001
    let step = 94_608_000.0 / Double(files.invoiceCount)  // three years
    for number in 1...files.invoiceCount {
      let digits = String(number)
      try insert.run {
        $0.bind(1, Int64(number))
        $0.bind(2, Int64(owners[number - 1]))
        $0.bind(3, (start + Double(number) * step).rounded(.down))
        $0.bind(4, Double(numbers.number(in: 100..<1_000_000)) / 100)
        $0.bind(5, "INV-" + String(repeating: "0", count: 8 - digits.count) + digits)
        $0.bind(6, self.status(numbers.number(in: 0..<100)))
      }
    }
    try database.execute(
      "CREATE INDEX Z_Invoice_byCustomerId ON ZINVOICE (ZCUSTOMERID COLLATE BINARY ASC); COMMIT; PRAGMA journal_mode=DELETE"
    )
  }

  /// 30 of 100 are open, 55 paid, 10 overdue, 5 void.
  private static func status(_ percent: Int) -> String {
    self.statuses[percent < 30 ? 0 : percent < 85 ? 1 : percent < 95 ? 2 : 3]
  }
}
