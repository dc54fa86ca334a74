internal import FederatedModel
internal import FederatedStore

extension SQLiteStore {
  /// Writes with all uniqueness constraints of the model kept, whatever indexes the file has.
  ///
  /// An index stops a save at the first row. What is reported is all rows that stand in the way, those that others
  /// changed before those that share values.
  func keepingUniqueness(
    of changes: ChangeSet, _ connection: Connection, _ write: () throws(StoreError) -> Void
  ) throws(StoreError) {
    let check = UniquenessCheck(of: changes, in: self.model, store: self.id)
    if check.isEmpty { return try write() }
    try connection.execute("SAVEPOINT fd_rows")
    do throws(StoreError) {
      try write()
    } catch {
      guard error.code == .duplicateKey else { throw error }
      try connection.execute("ROLLBACK TO fd_rows")
      let rows = RowWriter(self, connection)
      var stale: [RowIdentity] = []
      for block in changes.updated.map(\.before) + changes.deleted { stale += try rows.staleRows(block) }
      stale += try rows.missing(changes.expected)
      if !stale.isEmpty { throw self.conflict(stale) }
      try self.run(check, connection)
      throw error
    }
    try self.run(check, connection)
    try connection.execute("RELEASE fd_rows")
  }

  private func run(_ check: UniquenessCheck, _ connection: Connection) throws(StoreError) {
    let scope = SQLiteReadScope(self, inside: connection)
    let refusal = try check.refusal { (query) throws(StoreError) in
      guard case .rows(let rows) = try scope.answer(query) else { return RowSet([]) }
      return rows
    }
    guard let refusal else { return }
    throw StoreError(
      .duplicateKey, store: self.url, place: refusal.place, rows: refusal.rows,
      duplicates: refusal.duplicates,
      refusal.detail)
  }
}
