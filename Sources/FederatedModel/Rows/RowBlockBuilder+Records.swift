extension RowBlockBuilder {
  /// Empties the builder and keeps its memory: for one row after another.
  package mutating func restart() {
    self.words.removeAll(keepingCapacity: true)
    self.arena.removeAll(keepingCapacity: true)
    self.count = 0
    self.row = 0
  }

  /// The value of a slot of the row begun last, boxed: for edges only. A `reference` answers null.
  package func value(at slot: Int, _ kind: SlotKind) -> Value {
    guard self.words[self.row + 2 + (slot >> 6)] & (1 << UInt64(slot & 63)) == 0 else { return .null }
    let word = self.words[self.row + 2 + self.layout.nullWords + slot]
    var row = RowBlockBuilder(
      layout: RowLayout(entity: self.layout.entity, columns: [.init(name: "", slot: 0, kind: kind)]))
    row.beginRow(reference: 0, version: 1)
    switch kind {
    case .reference: return .null
    case .string, .uri, .data, .uuid: self.withBytes(at: word) { row.set(bytes: $0, at: 0) }
    case .decimal: self.copyDecimal(word, to: 0, of: &row)
    default: row.set(word: word, at: 0)
    }
    return row.finish()[0].value(0, kind, store: .none)
  }

  /// Gives the row begun last all values of the row begun last in another builder of the same layout.
  /// - Parameters:
  ///   - texts: the slots whose values stand in the arena.
  ///   - decimals: the slots whose values may stand there.
  package mutating func fillRow(from other: borrowing RowBlockBuilder, texts: [Int], decimals: [Int]) {
    let first = 2
    for place in first..<self.layout.stride { self.words[self.row + place] = other.words[other.row + place] }
    for slot in texts where other.isFilled(slot) {
      let word = other.words[other.row + 2 + self.layout.nullWords + slot]
      other.withBytes(at: word) { self.set(bytes: $0, at: slot) }
    }
    for slot in decimals where other.isFilled(slot) {
      let word = other.words[other.row + 2 + self.layout.nullWords + slot]
      other.copyDecimal(word, to: slot, of: &self)
    }
  }

  private func isFilled(_ slot: Int) -> Bool {
    self.words[self.row + 2 + (slot >> 6)] & (1 << UInt64(slot & 63)) == 0
  }

  private func withBytes<R>(at word: UInt64, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    let offset = Int(word >> ArenaPlace.lengthBits)
    let length = Int(word & ArenaPlace.lengthMask)
    return self.arena.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + length])) }
  }

  private func copyDecimal(_ word: UInt64, to slot: Int, of row: inout RowBlockBuilder) {
    let packed = PackedDecimal(word: word)
    guard packed.isInArena else { return row.set(word: word, at: slot) }
    let place = packed.place
    let text = String(decoding: self.arena[place.offset..<place.offset + place.length], as: UTF8.self)
    row.set(decimalText: text, at: slot)
  }
}
