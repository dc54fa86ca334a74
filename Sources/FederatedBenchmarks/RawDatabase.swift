import CSQLite
import Foundation

/// libsqlite3 with nothing in between but the closing of handles.
final class RawDatabase {
  private(set) var handle: OpaquePointer?

  static let invoiceSchema =
    "CREATE TABLE ZINVOICE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCUSTOMERID INTEGER, "
    + "ZDATE TIMESTAMP, ZTOTAL DECIMAL, ZNUMBER VARCHAR, ZSTATUS VARCHAR)"
  static let invoiceIndex = "CREATE INDEX Z_Invoice_byCustomerId ON ZINVOICE (ZCUSTOMERID COLLATE BINARY ASC)"
  static let insertInvoice =
    "INSERT INTO ZINVOICE (Z_PK, Z_ENT, Z_OPT, ZCUSTOMERID, ZDATE, ZTOTAL, ZNUMBER, ZSTATUS) "
    + "VALUES (?, 1, 1, ?, ?, ?, ?, ?)"
  static let selectInvoices = "SELECT Z_PK, ZCUSTOMERID, ZDATE, ZTOTAL, ZNUMBER, ZSTATUS FROM ZINVOICE "

  init(_ url: URL, creating: Bool = false) throws {
    let flags = creating ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    guard sqlite3_open_v2(url.filePath, &self.handle, flags | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
      throw BenchmarkError("\(url.filePath) does not open")
    }
  }

  deinit { sqlite3_close(self.handle) }

  /// A new file in WAL mode, as the library makes them.
  static func fresh(_ url: URL) throws -> RawDatabase {
    let database = try RawDatabase(url, creating: true)
    try database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
    return database
  }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(self.handle, sql, nil, nil, nil) == SQLITE_OK else { throw self.error(sql) }
  }

  func prepare(_ sql: String) throws -> RawStatement {
    var statement: OpaquePointer?
    guard
      sqlite3_prepare_v3(self.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        == SQLITE_OK,
      let statement
    else { throw self.error(sql) }
    return RawStatement(statement, of: self)
  }

  func number(_ sql: String) throws -> Int64 {
    let statement = try self.prepare(sql)
    guard statement.step() else { throw BenchmarkError("no row: \(sql)") }
    return sqlite3_column_int64(statement.handle, 0)
  }

  private func error(_ sql: String) -> BenchmarkError {
    BenchmarkError("\(String(cString: sqlite3_errmsg(self.handle))): \(sql)")
  }
}

/// One prepared statement.
final class RawStatement {
  let handle: OpaquePointer
  /// A statement is finalized before its database closes.
  private let database: RawDatabase

  init(_ handle: OpaquePointer, of database: RawDatabase) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(self.handle) }

  @inline(__always) func step() -> Bool { sqlite3_step(self.handle) == SQLITE_ROW }
  @inline(__always) func reset() { sqlite3_reset(self.handle) }
  @inline(__always) func bind(_ place: Int32, _ value: Int64) {
    sqlite3_bind_int64(self.handle, place, value)
  }
  @inline(__always) func bind(_ place: Int32, _ value: Double) {
    sqlite3_bind_double(self.handle, place, value)
  }

  /// Text that outlives the step.
  @inline(__always) func bind(_ place: Int32, _ value: RawText) {
    sqlite3_bind_text(self.handle, place, value.start, Int32(value.count), fd_sqlite_static())
  }

  func bind(_ place: Int32, _ value: String) {
    sqlite3_bind_text(self.handle, place, value, -1, fd_sqlite_transient())
  }

  func bind(_ place: Int32, _ value: Data) {
    _ = value.withUnsafeBytes {
      sqlite3_bind_blob(self.handle, place, $0.baseAddress, Int32($0.count), fd_sqlite_transient())
    }
  }

  /// Binds, steps to the end and resets.
  @inline(__always) func run(_ bind: (RawStatement) -> Void) throws {
    bind(self)
    guard sqlite3_step(self.handle) == SQLITE_DONE else {
      throw BenchmarkError(String(cString: sqlite3_errmsg(self.database.handle)))
    }
    sqlite3_reset(self.handle)
  }
}
