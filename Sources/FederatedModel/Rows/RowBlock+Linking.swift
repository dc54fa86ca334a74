extension RowBlock {
  /// A to-one of one row and where it leads.
  package struct Link {
    package var row: Int
    package var slot: Int
    package var reference: Int64
    package var entity: EntityID

    package init(row: Int, slot: Int, reference: Int64, entity: EntityID) {
      self.row = row
      self.slot = slot
      self.reference = reference
      self.entity = entity
    }
  }

  /// The block with other destinations for some of its to-one columns. Text is shared.
  package func linking(_ links: [Link]) -> RowBlock {
    var words = self.words
    for link in links {
      let start = link.row * self.layout.stride
      words[start + 2 + (link.slot >> 6)] &= ~(1 << UInt64(link.slot & 63))
      words[start + 2 + self.layout.nullWords + link.slot] = UInt64(bitPattern: link.reference)
      words[start + 2 + self.layout.nullWords + link.slot + 1] = UInt64(link.entity.rawValue)
    }
    return RowBlock(layout: self.layout, count: self.count, words: words, arena: self.arena)
  }
}
