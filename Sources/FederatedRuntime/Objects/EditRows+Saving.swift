import FederatedModel

extension EditRows {
  /// Writes a slot of a row that is to be saved. A to-one is the caller's to map to a permanent identifier.
  func copy(_ row: Int32, _ column: RowLayout.Column, into rows: inout RowBlockBuilder) {
    let slot = column.slot
    if self.isNull(row, slot) {
      rows.setNull(at: slot)
      return
    }
    let word = self.word(row, slot)
    switch column.kind {
    case .string, .uri, .data, .uuid: self.withBytes(word) { rows.set(bytes: $0, at: slot) }
    case .decimal:
      let packed = PackedDecimal(word: word)
      if packed.isInArena {
        rows.set(decimalText: self.decimalText(packed), at: slot)
      } else {
        rows.set(word: word, at: slot)
      }
    case .reference: preconditionFailure("a to-one is mapped by the caller")
    default: rows.set(word: word, at: slot)
    }
  }
}
