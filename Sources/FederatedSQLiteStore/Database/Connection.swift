internal import CSQLite
internal import FederatedStore
internal import Foundation
internal import Synchronization

/// One open handle on a database file, with the statements it has prepared.
///
/// Sendable without a lock, because it has one user at a time: a pool hands a connection to one read scope or
/// one prepared save, which gives it back when it ends. SQLite's own per-handle mutex is therefore off.
@safe final class Connection: @unchecked Sendable {
  /// The store's file, for messages; the handle may be open on a private copy.
  let file: URL
  /// Tells connections of one process apart.
  let number: UInt64
  let rewritten = RewrittenRows()
  let handle: OpaquePointer
  /// Kept as long as the handle: a private copy is removed with the value that made it.
  private let source: DatabaseFile?
  private let openFile: OpenDatabases.FileNumber?
  private var statements: [String: Statement] = [:]
  /// Statements of links, the last one made first.
  private var keyedSelects: [KeyedSelect] = []
  private var questions = 0
  private var hasSmallCache = false
  /// Where SQLite counts the rows that it visits; nil until somebody wants to know.
  private var visits: UnsafeMutablePointer<Int>?
  private var synchronous = Synchronous.full
  /// What the functions for a file of others work with.
  private var calls: MappedFunctions.Calls?
  /// The most bytes of a row that this connection reads; nil is the library's own limit.
  private var rowLimit: Int?
  /// Statements kept before the cache starts anew; a store sees a few dozen texts.
  private static let cacheLimit = 512

  /// - Parameters:
  ///   - path: a path, or a `file:` URI.
  ///   - flags: `SQLITE_OPEN_…`; URI and NOMUTEX are added.
  ///   - source: what must live as long as the connection.
  init(path: String, flags: Int32, file: URL, busyMilliseconds: Int32, source: DatabaseFile? = nil)
    throws(StoreError)
  {
    var opened: OpaquePointer? = nil
    let code = unsafe sqlite3_open_v2(
      path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nil)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      unsafe sqlite3_close_v2(opened)
      throw StoreError(sqlite: code, message: message, file: file, sql: nil)
    }
    unsafe self.handle = handle
    // Before the first statement, since no lock is held until then.
    self.openFile = OpenDatabases.add(path.hasPrefix("file:") ? file.path(percentEncoded: false) : path)
    self.file = file
    self.source = source
    self.number = ConnectionNumber.next()
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe sqlite3_busy_timeout(handle, busyMilliseconds)
    // A quoted name that does not exist must be an error, not a text.
    _ = unsafe fd_sqlite_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    _ = unsafe fd_sqlite_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    _ = unsafe fd_sqlite_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = unsafe fd_sqlite_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    unsafe SQLFunctions.register(on: handle)
    unsafe self.rewritten.register(on: handle)
    try self.execute("PRAGMA temp_store = MEMORY")
  }

  deinit {
    self.statements = [:]
    self.keyedSelects = []
    unsafe sqlite3_close_v2(self.handle)
    if let file = self.openFile { OpenDatabases.remove(file) }
    unsafe self.visits?.deallocate()
  }

  /// Registers the functions that statements over mapped columns call.
  func serve(_ columns: MappedColumns) {
    let calls = MappedFunctions.Calls(columns)
    self.calls = calls
    unsafe MappedFunctions.register(on: self.handle, calls)
  }

  /// A statement for the text: prepared once, then handed out again.
  func statement(_ sql: String) throws(StoreError) -> Statement {
    if let known = self.statements[sql], !known.isInUse {
      known.begin()
      return known
    }
    let statement = try self.prepare(sql)
    if self.statements.count >= Connection.cacheLimit {
      self.statements = self.statements.filter { $0.value.isInUse }
    }
    if self.statements[sql] == nil { self.statements[sql] = statement }
    statement.begin()
    return statement
  }

  /// A statement that no other text look-up hands out.
  func ownStatement(_ sql: String) throws(StoreError) -> Statement { try self.prepare(sql) }

  func keyedSelect(where isWanted: (KeyedSelect) -> Bool) -> KeyedSelect? {
    self.keyedSelects.first(where: isWanted)
  }

  /// Keeps the statement of a link for the keys to come; the oldest of too many goes.
  func keep(_ select: KeyedSelect) {
    if self.keyedSelects.count >= Connection.mostKeyedSelects { self.keyedSelects.removeLast() }
    self.keyedSelects.insert(select, at: 0)
  }

  private static let mostKeyedSelects = 16

  /// Counts a question, and lets the page cache grow when they become many.
  ///
  /// Look-ups come back to pages that they have seen, and a cache of 64 MB spares most reads. One scan does not:
  /// it would pay for the memory of pages that nobody asks for again, half as long as the scan itself. A connection
  /// that was just opened may never see more than one, so it begins with a small cache.
  func countQuestion(scans: @autoclosure () -> Bool) throws(StoreError) {
    self.questions += 1
    if self.hasSmallCache, self.questions > 1 || !scans() {
      self.hasSmallCache = false
      try self.execute("PRAGMA cache_size = -2000")
    }
    if self.questions == Connection.manyQuestions { try self.execute("PRAGMA cache_size = -65536") }
  }

  private static let manyQuestions = 16

  /// Makes the page cache small until ``countQuestion(scans:)`` lets it grow.
  func beginSmall() throws(StoreError) {
    try self.execute("PRAGMA cache_size = -256")
    self.hasSmallCache = true
  }

  /// The rows that statements with ``SQLFunctions/visit`` visited since this was last asked.
  func takeVisits() -> Int {
    guard let visits = unsafe self.visits else {
      let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
      unsafe count.initialize(to: 0)
      unsafe self.visits = count
      unsafe SQLFunctions.registerVisits(on: self.handle, counting: count)
      return 0
    }
    defer { unsafe visits.pointee = 0 }
    return unsafe visits.pointee
  }

  /// Refuses rows with more bytes than this.
  func limitRows(to bytes: Int) {
    self.rowLimit = bytes
    _ = unsafe sqlite3_limit(self.handle, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes))
  }

  /// How much of a commit is on disk when it returns.
  enum Synchronous: String {
    /// The transaction. The library's default, and what a connection begins with.
    case full = "FULL"
    /// With a rollback journal also that the journal is gone from its folder.
    case extra = "EXTRA"
  }

  /// Outside a transaction only.
  func setSynchronous(_ level: Synchronous) throws(StoreError) {
    if level == self.synchronous { return }
    try self.execute("PRAGMA synchronous = \(level.rawValue)")
    self.synchronous = level
  }

  /// How many statements the connection keeps prepared.
  var preparedCount: Int { self.statements.count + self.keyedSelects.count { $0.runner != nil } }

  private func prepare(_ sql: String) throws(StoreError) -> Statement {
    var prepared: OpaquePointer? = nil
    var text = sql
    let code = text.withUTF8 { bytes in
      unsafe sqlite3_prepare_v3(
        self.handle, UnsafeRawPointer(bytes.baseAddress!).assumingMemoryBound(to: CChar.self),
        Int32(bytes.count),
        UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    }
    guard code == SQLITE_OK, let statement = unsafe prepared else { throw self.error(code, sql: sql) }
    return unsafe Statement(statement, sql: sql, connection: self)
  }

  /// Runs statements that answer no rows and bind nothing.
  func execute(_ sql: String) throws(StoreError) {
    let code = unsafe sqlite3_exec(self.handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw self.error(code, sql: sql) }
  }

  /// Runs one statement with bindings; its rows go to `row`.
  func query(_ sql: String, _ bindings: [SQLValue] = [], row: (Statement) throws(StoreError) -> Void)
    throws(StoreError)
  {
    let statement = try self.statement(sql)
    defer { statement.reset() }
    try statement.bind(bindings)
    while try statement.step() { try row(statement) }
  }

  /// Runs one statement with bindings that answers no rows.
  /// - Returns: the rows that it changed.
  @discardableResult
  func run(_ sql: String, _ bindings: [SQLValue] = []) throws(StoreError) -> Int {
    try self.query(sql, bindings) { _ throws(StoreError) in }
    return self.changes
  }

  /// The first column of the first row as a number; nil when there is no row or it is null.
  func number(_ sql: String, _ bindings: [SQLValue] = []) throws(StoreError) -> Int64? {
    var answer: Int64?
    try self.query(sql, bindings) { (row) throws(StoreError) in
      if answer == nil, !row.isNull(0) { answer = row.int(0) }
    }
    return answer
  }

  /// The first column of each row as text.
  func texts(_ sql: String, _ bindings: [SQLValue] = []) throws(StoreError) -> [String] {
    var answer: [String] = []
    try self.query(sql, bindings) { (row) throws(StoreError) in answer.append(row.string(0) ?? "") }
    return answer
  }

  /// Rows that the last statement changed.
  var changes: Int { Int(unsafe sqlite3_changes64(self.handle)) }
  /// Whether the last failure was about a table's own key.
  var violatesPrimaryKey: Bool {
    let code = unsafe sqlite3_extended_errcode(self.handle)
    return code == SQLITE_CONSTRAINT | (6 << 8) || code == SQLITE_CONSTRAINT | (10 << 8)
  }
  /// Whether the transaction has broken foreign keys that it has not mended.
  var hasBrokenForeignKeys: Bool {
    var (current, highest): (Int32, Int32) = (0, 0)
    let code = unsafe sqlite3_db_status(self.handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return code == SQLITE_OK && current != 0
  }
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(self.handle) == 0 }
  /// How many `?` one statement may have.
  var variableLimit: Int { Int(unsafe sqlite3_limit(self.handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) }

  /// Leaves a transaction. SQLite may have left it already, after an error.
  func rollBack() {
    if self.isInTransaction { _ = unsafe sqlite3_exec(self.handle, "ROLLBACK", nil, nil, nil) }
  }

  /// Ends what a user of the connection left open: a read transaction, since whoever writes ends his own.
  func leaveTransaction() {
    guard self.isInTransaction else { return }
    do { try self.run("COMMIT") } catch { self.rollBack() }
  }

  func error(_ code: Int32, sql: String?) -> StoreError {
    if let failure = self.calls?.takeFailure() { return failure }
    if code & 0xFF == SQLITE_TOOBIG, let limit = self.rowLimit {
      return StoreError(
        .refusedContent, store: self.file,
        "a row or value has more than the \(limit) bytes that the limits allow; raise limits.textBytes if the file is to "
          + "be trusted")
    }
    return unsafe StoreError(
      sqlite: code, message: String(cString: sqlite3_errmsg(self.handle)), file: self.file, sql: sql)
  }
}

private enum ConnectionNumber {
  private static let last = Atomic<UInt64>(0)
  static func next() -> UInt64 { self.last.add(1, ordering: .relaxed).newValue }
}

extension String {
  /// The name as an SQL identifier.
  var quotedName: String {
    guard self.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + self + "\"" }
    return "\"" + self.replacing("\"", with: "\"\"") + "\""
  }
}
