internal import FederatedModel
internal import FederatedStore

extension SQLiteStore {
  func prepare(_ changes: ChangeSet, save: SaveIdentifier) throws(StoreError) -> any PreparedSave {
    try self.requireOpen()
    var staged = try self.metadataToWrite(changes)
    if changes.isEmpty, staged == nil {
      try self.checkExpectations(of: changes)
      return EmptyPreparedSave()
    }
    if self.description.isReadOnly {
      throw StoreError(.readOnly, store: self.url, "the store was opened read-only; open it writable to save")
    }
    let connection = try self.takeWriter()
    connection.rewritten.removeAll()
    do throws(StoreError) {
      try self.setCache(of: connection, for: changes)
      try self.begin(connection, isJoint: save.isJoint)
      try self.write(changes, connection)
      try self.checkForeignKeys(connection)
      if save.isJoint, self.bookkeeping.keepsMetadata {
        if staged == nil { staged = try self.bookkeeping.readMetadata(connection) }
        staged?.lastJointSave = save
      }
      if let staged { try self.bookkeeping.write(staged, connection) }
    } catch {
      connection.rollBack()
      self.giveBack(writer: connection)
      throw error
    }
    return SQLitePreparedSave(
      self, connection, metadata: staged, rewrittenRows: connection.rewritten.take(self.layout))
  }

  /// Opens the transaction of a save.
  ///
  /// Beside a rollback journal a reader could hold up the commit, which must not fail: readers are kept out. The
  /// commit of a joint save must be on disk when it returns, the folder included.
  func begin(_ connection: Connection, isJoint: Bool) throws(StoreError) {
    try connection.setSynchronous(isJoint ? .extra : .full)
    try connection.execute(self.hasWriteAheadLog ? "BEGIN IMMEDIATE" : "BEGIN EXCLUSIVE")
    // Rows of one save may come in any order. What is broken in the end is found before the commit, which must not fail.
    if self.columns != nil { try connection.execute("PRAGMA defer_foreign_keys = ON") }
  }

  /// Nil when the save leaves the metadata alone.
  private func metadataToWrite(_ changes: ChangeSet) throws(StoreError) -> StoreMetadata? {
    let state = self.state.withLock { $0 }
    guard state.isOfOtherVersion, !changes.isEmpty else { return state.staged }
    var metadata = state.staged ?? state.metadata
    try ModelCompatibility(self.model, self.description).stamp(&metadata)
    return metadata
  }

  func write(_ changes: ChangeSet, _ connection: Connection) throws(StoreError) {
    try self.keepingUniqueness(of: changes, connection) { () throws(StoreError) in
      try self.writeRows(changes, connection)
    }
  }

  private func writeRows(_ changes: ChangeSet, _ connection: Connection) throws(StoreError) {
    var rows = RowWriter(self, connection)
    let links = LinkWriter(store: self, connection: connection)
    // Rows that go make room for unique values of rows that come.
    for block in changes.deleted {
      try rows.delete(block)
      try links.removeAll(of: block)
    }
    try self.update(changes.updated, &rows, connection)
    rows.conflicts += try rows.missing(changes.expected)
    if !rows.conflicts.isEmpty { throw self.conflict(rows.conflicts) }
    for block in changes.inserted { try rows.insert(block) }
    for change in changes.links { try links.write(change) }
    let left = try self.ownersLeft(by: changes, connection)
    if !left.isEmpty { throw self.conflict(left) }
    try self.raiseHighestReferences(changes, connection)
  }

  /// Rows of one save may exchange unique values, which SQLite checks row by row: they let go of theirs first,
  /// when it comes to that.
  private func update(_ updates: [UpdatedRows], _ rows: inout RowWriter, _ connection: Connection)
    throws(StoreError)
  {
    if updates.isEmpty { return }
    let conflicts = rows.conflicts
    try connection.execute("SAVEPOINT fd_updates")
    do throws(StoreError) {
      for updated in updates { try rows.update(updated) }
    } catch {
      guard error.code == .duplicateKey else { throw error }
      try connection.execute("ROLLBACK TO fd_updates")
      rows.conflicts = conflicts
      for updated in updates { try rows.releaseUniqueValues(updated) }
      for updated in updates { try rows.update(updated) }
    }
    try connection.execute("RELEASE fd_updates")
  }

  /// Rows that the save removed and that others lead to.
  private func ownersLeft(by changes: ChangeSet, _ connection: Connection) throws(StoreError) -> [RowIdentity]
  {
    let scope = SQLiteReadScope(self, inside: connection)
    var left: [RowIdentity] = []
    for list in changes.leftLists(in: self.model) {
      let owners = (0..<list.owners.count).map { RowIdentity(list.owners[$0]) }
      let members = try scope.destinations(list.relationship.id, of: owners.map(\.reference))
      for (number, owner) in owners.enumerated() where !members[number].isEmpty && !left.contains(owner) {
        left.append(owner)
      }
    }
    return left
  }

  /// For a save that writes nothing here.
  private func checkExpectations(of changes: ChangeSet) throws(StoreError) {
    if changes.expected.isEmpty { return }
    let reader = try self.takeReader()
    defer { self.giveBack(reader: reader) }
    let missing = try RowWriter(self, reader).missing(changes.expected)
    if !missing.isEmpty { throw self.conflict(missing) }
  }

  func conflict(_ rows: [RowIdentity]) -> StoreError {
    let names = rows.prefix(5).map { "\(self.model[$0.entity].name) \($0.reference)" }
    return StoreError(
      .conflict, store: self.url, rows: rows,
      "\(rows.count) row\(rows.count == 1 ? " was" : "s were") changed, removed or linked to since they were read: "
        + names.joined(separator: ", ") + (rows.count > 5 ? ", …" : "") + "; refresh and save again")
  }

  private func raiseHighestReferences(_ changes: ChangeSet, _ connection: Connection) throws(StoreError) {
    var highest: [Int: Int64] = [:]
    for block in changes.inserted {
      let table = try self.place(of: block.entity).table
      for index in 0..<block.count { highest[table] = max(highest[table] ?? 0, block[index].reference) }
    }
    for (table, reference) in highest {
      try self.bookkeeping.raiseHighestReference(inTable: table, to: reference, connection)
    }
  }

  /// Large saves touch index pages all over; a larger page cache halves their time.
  private func setCache(of connection: Connection, for changes: ChangeSet) throws(StoreError) {
    let rows =
      changes.inserted.reduce(0) { $0 + $1.count } + changes.updated.reduce(0) { $0 + $1.after.count }
      + changes.deleted.reduce(0) { $0 + $1.count } + changes.links.count
    try connection.execute("PRAGMA cache_size = \(rows > 2000 ? -65_536 : -8192)")
  }

  /// Takes metadata that a save has written.
  func adopt(_ metadata: StoreMetadata) {
    self.state.withLock { state in
      // What was staged after the save was prepared waits for the next one.
      if let staged = state.staged, staged.hasSameEntries(as: metadata) { state.staged = nil }
      state.isOfOtherVersion =
        state.isOfOtherVersion && state.metadata.versionHashes == metadata.versionHashes
      state.metadata = metadata
    }
  }
}

extension StoreMetadata {
  /// Whether both say the same; the identifier of a save does not count.
  fileprivate func hasSameEntries(as other: StoreMetadata) -> Bool {
    var (mine, others) = (self, other)
    mine.lastJointSave = nil
    others.lastJointSave = nil
    return mine.entries == others.entries
  }
}
