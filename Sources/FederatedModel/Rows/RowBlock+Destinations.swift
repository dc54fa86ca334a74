extension RowBlock {
  /// The block with other concrete entities for the destinations of its to-one columns. Text is shared.
  /// - Parameter resolve: answers the entity for a column, a reference and the entity that stands there now.
  package func resolvingDestinations(
    _ resolve: (RowLayout.Column, Int64, EntityID) -> EntityID
  ) -> RowBlock {
    let columns = self.layout.columns.filter { $0.kind == .reference }
    if columns.isEmpty { return self }
    var words = self.words
    var isChanged = false
    for row in 0..<self.count {
      let start = row * self.layout.stride
      let snapshot = self[row]
      for column in columns where !snapshot.isNull(column.slot) {
        let now = EntityID(Int(snapshot.word(column.slot + 1)))
        let entity = resolve(column, snapshot.int(column.slot), now)
        if entity == now { continue }
        words[start + 2 + self.layout.nullWords + column.slot + 1] = UInt64(entity.rawValue)
        isChanged = true
      }
    }
    if !isChanged { return self }
    return RowBlock(layout: self.layout, count: self.count, words: words, arena: self.arena)
  }
}
