internal import Foundation

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
    switch kind {
    case .int: return .int(Int64(bitPattern: word))
    case .bool: return .bool(word != 0)
    case .double, .float: return .double(Double(bitPattern: word))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: word)))
    case .string: return .string(self.withBytes(at: word) { String(decoding: $0, as: UTF8.self) })
    case .uri: return .uri(self.withBytes(at: word) { String(decoding: $0, as: UTF8.self) })
    case .data: return .data(self.withBytes(at: word) { Data($0) })
    case .uuid: return .uuid(self.withBytes(at: word) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case .decimal:
      let packed = PackedDecimal(word: word)
      if let decimal = packed.decimal { return .decimal(decimal) }
      let place = packed.place
      let text = String(decoding: self.arena[place.offset..<place.offset + place.length], as: UTF8.self)
      return .decimal(Decimal(string: text, locale: nil) ?? .nan)
    case .reference: return .null
    }
  }

  /// Gives the row begun last all values of the row begun last in another builder of the same layout.
  /// - Parameters:
  ///   - texts: the slots whose values stand in the arena.
  ///   - decimals: the slots whose values may stand there.
  ///   - shares: whether short texts that repeat are to share one place.
  package mutating func fillRow(
    from other: borrowing RowBlockBuilder, texts: [Int], decimals: [Int], shares: Bool = true
  ) {
    let first = 2
    for place in first..<self.layout.stride { self.words[self.row + place] = other.words[other.row + place] }
    for slot in texts where other.isFilled(slot) {
      let word = other.words[other.row + 2 + self.layout.nullWords + slot]
      if shares {
        other.withBytes(at: word) { self.set(bytes: $0, at: slot) }
      } else {
        other.withBytes(at: word) { self.append(bytes: $0, at: slot) }
      }
    }
    for slot in decimals where other.isFilled(slot) {
      let word = other.words[other.row + 2 + self.layout.nullWords + slot]
      other.copyDecimal(word, to: slot, of: &self)
    }
  }

  /// Copies text or bytes into the arena, without a look for the same text there: for rows that do not stay.
  package mutating func append(bytes: UnsafeRawBufferPointer, at slot: Int) {
    self.set(word: self.append(bytes), at: slot)
  }

  /// The bytes of a text of the row begun last; nil when it is nil.
  package func withBytes<R>(at slot: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
    guard self.isFilled(slot) else { return nil }
    return self.withBytes(at: self.words[self.row + 2 + self.layout.nullWords + slot], body)
  }

  /// The word of a slot of the row begun last; nil when it is nil.
  package func word(at slot: Int) -> UInt64? {
    self.isFilled(slot) ? self.words[self.row + 2 + self.layout.nullWords + slot] : nil
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
