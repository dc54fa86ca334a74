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
        let rest = try changes.remaining { (row) throws(StoreError) in
          try scope.row(row).map { self.row($0, besidesDerived: changes.changes) }
        }
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

  /// A row with what the file computes as the images of a save have it: a save says nothing of it, and cannot be judged by
  /// it.
  private func row(_ row: Snapshot, besidesDerived changes: ChangeSet) -> Snapshot {
    let derived = self.layout[row.entity]?.columns.filter(\.isDerived) ?? []
    let blocks = changes.inserted + changes.updated.map(\.after) + changes.deleted
    guard !derived.isEmpty, let image = blocks.lazy.compactMap({ self.image(of: row, in: $0) }).first else {
      return row
    }
    var rows = RowBlockBuilder(layout: row.block.layout)
    rows.copyRow(row, reference: row.reference, version: row.version)
    for column in row.block.layout.columns where derived.contains(where: { $0.slot == column.slot }) {
      if image.isNull(column.slot) {
        rows.setNull(at: column.slot)
      } else {
        _ = rows.set(image.value(column.slot, column.kind, store: self.id), at: column.slot, column.kind)
      }
    }
    return rows.finish()[0]
  }

  private func image(of row: Snapshot, in block: RowBlock) -> Snapshot? {
    guard block.entity == row.entity else { return nil }
    return (0..<block.count).map { block[$0] }.first { $0.reference == row.reference }
  }
}
