internal import CSQLite
internal import FederatedStore
internal import Foundation

extension StoreError {
  /// What a result code of the library means for a store, with the statement that failed.
  init(
    sqlite code: Int32, message: String, file: URL?, sql: String?, place: Place? = nil,
    rows: [RowIdentity] = []
  ) {
    let extended = code
    let code: (Code, String) =
      switch code & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED:
        (.locked, "another connection holds the file; try again when it is done")
      case SQLITE_FULL: (.diskFull, "the disk is full; make room and save again")
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
        (.readOnly, "the file cannot be written; check its permissions and those of its folder")
      case SQLITE_IOERR: (.inputOutput, "the disk or file system failed")
      case SQLITE_CORRUPT: (.malformed, "the file is damaged; restore it from a copy")
      case SQLITE_NOTADB: (.malformed, "the file is not a SQLite database")
      case SQLITE_CANTOPEN:
        (.cannotOpen, "the file cannot be opened; check that its folder exists and can be read")
      case SQLITE_CONSTRAINT:
        StoreError.isAboutUniqueness(extended)
          ? (.duplicateKey, "a row with the same unique values is there already")
          : (
            .violatedConstraint, "a constraint of the file does not allow it; change the values, or the file"
          )
      case SQLITE_TOOBIG: (.unstorableValue, "a value or statement is too long for SQLite")
      case SQLITE_NOMEM: (.inputOutput, "memory is exhausted")
      default: (.inputOutput, "SQLite refused the statement")
      }
    let statement = sql.map { "; in: \($0.count > 400 ? $0.prefix(400) + "…" : $0[...])" } ?? ""
    self.init(
      code.0, store: file, place: place, rows: rows, "\(code.1) (SQLite says: \(message))\(statement)")
  }

  /// Whether a broken constraint is UNIQUE or a key. The plain code says nothing of its kind.
  private static func isAboutUniqueness(_ code: Int32) -> Bool {
    switch code >> 8 {
    // PRIMARY KEY, UNIQUE and rowid.
    case 0, 6, 8, 10: true
    default: false
    }
  }

  /// The same error with a place, or with the rows it is about.
  func at(_ place: Place, rows: [RowIdentity] = []) -> StoreError {
    StoreError(
      self.code, store: self.store, place: self.place ?? place, rows: rows.isEmpty ? self.rows : rows,
      duplicates: self.duplicates, underlying: self.underlying, self.detail)
  }
}
