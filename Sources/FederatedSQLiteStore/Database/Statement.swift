internal import CSQLite
internal import FederatedStore
internal import Foundation

/// One prepared statement of one connection: bound, stepped, reset and used again.
///
/// Used by one thread at a time, as its connection is.
@safe final class Statement {
  let sql: String
  /// Whether somebody is between the first bind and ``reset()``.
  fileprivate(set) var isInUse = false
  private unowned let connection: Connection
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer, sql: String, connection: Connection) {
    unsafe self.handle = handle
    self.sql = sql
    self.connection = connection
  }

  deinit { unsafe sqlite3_finalize(self.handle) }

  /// Marks the statement as taken; the connection hands another one to whoever asks for the same text.
  func begin() { self.isInUse = true }

  /// Ends the run and forgets the bindings. A failure of the last step was thrown by that step.
  func reset() {
    _ = unsafe sqlite3_reset(self.handle)
    _ = unsafe sqlite3_clear_bindings(self.handle)
    self.isInUse = false
  }

  /// Ends a run whose bindings the next run overwrites.
  func rewind() { _ = unsafe sqlite3_reset(self.handle) }

  /// - Returns: whether there is a row to read.
  func step() throws(StoreError) -> Bool {
    let code = unsafe sqlite3_step(self.handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw self.connection.error(code, sql: self.sql)
  }

  /// Steps a statement that answers no rows, and rewinds it.
  func run() throws(StoreError) {
    defer { self.rewind() }
    while try self.step() {}
  }

  /// One of SQLite's counters of this statement, which starts anew.
  func take(_ counter: Counter) -> Int { Int(unsafe sqlite3_stmt_status(self.handle, counter.rawValue, 1)) }

  /// What SQLite counts while a statement runs.
  enum Counter: Int32 {
    case fullScanSteps = 1
    case sorts = 2
    case automaticIndexRows = 3
  }

  var parameterCount: Int { Int(unsafe sqlite3_bind_parameter_count(self.handle)) }
  var columnCount: Int { Int(unsafe sqlite3_column_count(self.handle)) }

  // MARK: Binding. Positions count from 1.

  func bind(_ values: [SQLValue]) throws(StoreError) {
    for (index, value) in values.enumerated() { try self.bind(value, at: index + 1) }
  }

  func bind(_ value: SQLValue, at index: Int) throws(StoreError) {
    switch value {
    case .null: try self.bindNull(at: index)
    case .int(let value): try self.bind(int: value, at: index)
    case .double(let value): try self.bind(double: value, at: index)
    case .text(let value):
      try self.check(
        unsafe sqlite3_bind_text64(
          self.handle, Int32(index), value, UInt64(value.utf8.count), fd_sqlite_transient(),
          UInt8(SQLITE_UTF8)))
    case .blob(let value):
      let code = unsafe value.withUnsafeBytes { bytes in
        unsafe bytes.isEmpty
          ? sqlite3_bind_zeroblob(self.handle, Int32(index), 0)
          : sqlite3_bind_blob64(
            self.handle, Int32(index), bytes.baseAddress, UInt64(bytes.count), fd_sqlite_transient())
      }
      try self.check(code)
    }
  }

  func bindNull(at index: Int) throws(StoreError) {
    try self.check(unsafe sqlite3_bind_null(self.handle, Int32(index)))
  }
  func bind(int value: Int64, at index: Int) throws(StoreError) {
    try self.check(unsafe sqlite3_bind_int64(self.handle, Int32(index), value))
  }
  func bind(double value: Double, at index: Int) throws(StoreError) {
    try self.check(unsafe sqlite3_bind_double(self.handle, Int32(index), value))
  }

  /// Binds bytes that stay where they are until the statement was stepped and rewound.
  func bind(staticText bytes: UnsafeRawBufferPointer, at index: Int) throws(StoreError) {
    let code =
      unsafe bytes.isEmpty
      ? sqlite3_bind_text64(self.handle, Int32(index), "", 0, fd_sqlite_transient(), UInt8(SQLITE_UTF8))
      : sqlite3_bind_text64(
        self.handle, Int32(index), bytes.baseAddress!.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
    try self.check(code)
  }
  func bind(staticBlob bytes: UnsafeRawBufferPointer, at index: Int) throws(StoreError) {
    let code =
      unsafe bytes.isEmpty
      ? sqlite3_bind_zeroblob(self.handle, Int32(index), 0)
      : sqlite3_bind_blob64(self.handle, Int32(index), bytes.baseAddress, UInt64(bytes.count), nil)
    try self.check(code)
  }

  private func check(_ code: Int32) throws(StoreError) {
    if code != SQLITE_OK { throw self.connection.error(code, sql: self.sql) }
  }

  // MARK: Columns of the current row. Positions count from 0.

  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(self.handle, column) == SQLITE_NULL }
  func storage(_ column: Int32) -> Int32 { unsafe sqlite3_column_type(self.handle, column) }
  func int(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(self.handle, column) }
  func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(self.handle, column) }

  /// The cell of a column, good until the next step: several looks at one cell are cheaper so.
  func cell(_ column: Int32) -> ResultCell {
    unsafe ResultCell(unsafe sqlite3_column_value(self.handle, column))
  }

  /// The text of a column, valid inside `body` only.
  func withText<R>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    let start = unsafe sqlite3_column_text(self.handle, column)
    let count = Int(unsafe sqlite3_column_bytes(self.handle, column))
    return unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// The bytes of a column, valid inside `body` only.
  func withBlob<R>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    let start = unsafe sqlite3_column_blob(self.handle, column)
    let count = Int(unsafe sqlite3_column_bytes(self.handle, column))
    return unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  func value(_ column: Int32) -> SQLValue {
    switch self.storage(column) {
    case SQLITE_INTEGER: .int(self.int(column))
    case SQLITE_FLOAT: .double(self.double(column))
    case SQLITE_TEXT: .text(self.string(column) ?? "")
    case SQLITE_BLOB: .blob(self.data(column) ?? Data())
    default: .null
    }
  }

  func string(_ column: Int32) -> String? {
    if self.isNull(column) { return nil }
    return unsafe self.withText(column) { unsafe String(decoding: $0, as: UTF8.self) }
  }
  func data(_ column: Int32) -> Data? {
    if self.isNull(column) { return nil }
    return unsafe self.withBlob(column) { unsafe Data($0) }
  }
}

/// One cell of the current row of a statement.
///
/// SQLite calls such a value unprotected: it may be read because a connection has one user at a time.
@safe struct ResultCell {
  private let value: OpaquePointer?

  fileprivate init(_ value: OpaquePointer?) { unsafe self.value = value }

  var storage: Int32 { unsafe sqlite3_value_type(self.value) }
  var int: Int64 { unsafe sqlite3_value_int64(self.value) }
  var double: Double { unsafe sqlite3_value_double(self.value) }

  /// The cell's text, good as long as the cell.
  var text: UnsafeRawBufferPointer {
    let start = unsafe sqlite3_value_text(self.value)
    return unsafe UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(self.value)))
  }

  /// The cell's bytes, good as long as the cell.
  var blob: UnsafeRawBufferPointer {
    let start = unsafe sqlite3_value_blob(self.value)
    return unsafe UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(self.value)))
  }
}
