internal import FederatedModel

extension RowTable {
  /// The same rows with versions that go on from an earlier reading of the file: a row of equal values keeps its
  /// version, a row of others counts as changed once more.
  func continuing(_ earlier: RowTable) -> RowTable {
    var contents = RowTableContents(self)
    contents.blocks = self.blocks.map { block in
      let versions = (0..<block.count).map { self.version(of: block[$0], after: earlier) }
      guard (0..<block.count).contains(where: { versions[$0] != block[$0].version }) else { return block }
      var rows = RowBlockBuilder(layout: block.layout, capacity: block.count)
      for (index, version) in versions.enumerated() {
        rows.copyRow(block[index], reference: block[index].reference, version: version)
      }
      return rows.finish()
    }
    contents.highestReference = max(contents.highestReference, earlier.highestReference)
    return RowTable(contents)
  }

  private func version(of row: Snapshot, after earlier: RowTable) -> Int64 {
    guard let old = earlier.row(RowIdentity(row)) else { return row.version }
    return old.hasSameValues(as: row) ? old.version : max(old.version, row.version) &+ 1
  }
}
