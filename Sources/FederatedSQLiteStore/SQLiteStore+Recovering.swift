internal import FederatedModel
internal import FederatedStore

extension SQLiteStore {
  func recover(_ changes: SealedChanges) throws(StoreError) {
    try self.requireOpen()
    if self.description.isReadOnly {
      throw StoreError(
        .readOnly, store: self.url, "the store was opened read-only; it cannot be given a save")
    }
    let connection = try self.takeWriter()
    defer { self.giveBack(writer: connection) }
    let written: StoreMetadata
    do throws(StoreError) {
      try self.begin(connection, isJoint: true)
      guard self.bookkeeping.keepsMetadata else {
        // The identifier of the save stands nowhere: the rows tell whether they have it.
        try self.meetKeys(of: changes.changes, connection)
        let scope = SQLiteReadScope(self, inside: connection)
        let rest = try changes.remaining { (row) throws(StoreError) in try scope.row(row) }
        try self.write(rest, connection)
        try self.checkForeignKeys(connection)
        try connection.run("COMMIT")
        return
      }
      var metadata = try self.bookkeeping.readMetadata(connection)
      if metadata.lastJointSave?.uuid != changes.save.uuid {
        try self.write(changes.changes, connection)
        metadata = changes.metadata ?? metadata
        metadata.lastJointSave = changes.save
      }
      // Also when the save is there: the commit that brought it may not have reached the disk, and this one does.
      try self.bookkeeping.write(metadata, connection)
      try connection.run("COMMIT")
      written = metadata
    } catch {
      connection.rollBack()
      throw error
    }
    self.adopt(written)
  }
}
