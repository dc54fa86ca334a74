internal import FederatedModel
internal import FederatedStore

/// Which names a pass gives to the store to remember: those of rows that are handed out.
extension XMLPass {
  /// Remembers the key of a row and those that its to-ones name.
  func rememberNames(of row: Snapshot) {
    self.rememberKey(of: row)
    for column in row.block.layout.columns where column.kind == .reference {
      if let destination = row.destination(column.slot) { self.rememberName(of: destination.reference) }
    }
  }

  /// Remembers a name that the pass has met.
  func rememberName(of reference: Int64) {
    if reference >= ReferenceNames.firstOpaque, let name = self.identities.met[reference] {
      self.store.names.remember(name)
    }
  }

  /// Keeps the key of a row at hand, in case that the row is named.
  func noteName(of row: Snapshot) {
    if row.reference >= ReferenceNames.firstOpaque, let key = self.key(of: row) {
      self.identities.note(key, row.reference)
    }
  }

  private func rememberKey(of row: Snapshot) {
    if row.reference >= ReferenceNames.firstOpaque, let key = self.key(of: row) {
      self.store.names.remember(key)
    }
  }

  private func key(of row: Snapshot) -> String? {
    self.plan.recordByEntity[row.entity.index].flatMap { self.plan.records[$0].keyText(of: row) }
  }
}
