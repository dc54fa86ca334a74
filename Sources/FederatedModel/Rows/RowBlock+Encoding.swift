public import Foundation

extension RowBlock {
  /// The slots as little-endian bytes.
  public var encodedWords: Data {
    var data = Data(capacity: self.words.count * 8)
    for word in self.words { withUnsafeBytes(of: word.littleEndian) { data.append(contentsOf: $0) } }
    return data
  }

  /// The arena's bytes.
  public var encodedArena: Data { Data(self.arena) }

  /// Takes encoded rows back.
  /// - Returns: nil when the bytes do not have the layout's shape, a slot points outside the arena, or a to-one
  ///   names what cannot be an entity.
  public convenience init?(layout: RowLayout, count: Int, encodedWords: Data, encodedArena: Data) {
    guard count >= 0, encodedWords.count == count * layout.stride * 8 else { return nil }
    var words = [UInt64](repeating: 0, count: count * layout.stride)
    _ = words.withUnsafeMutableBytes { encodedWords.copyBytes(to: $0) }
    words = words.map { UInt64(littleEndian: $0) }
    self.init(layout: layout, count: count, words: words, arena: [UInt8](encodedArena))
    guard self.placesAreInside else { return nil }
  }

  private var placesAreInside: Bool {
    for row in 0..<self.count {
      let snapshot = self[row]
      for column in self.layout.columns where !snapshot.isNull(column.slot) {
        let word = snapshot.word(column.slot)
        switch column.kind {
        case .string, .uri, .data, .uuid:
          let end = (word >> ArenaPlace.lengthBits) + (word & ArenaPlace.lengthMask)
          if end > UInt64(self.arena.count) { return false }
        case .decimal:
          let packed = PackedDecimal(word: word)
          if packed.isInArena, packed.place.offset + packed.place.length > self.arena.count { return false }
        case .reference:
          if UInt32(exactly: snapshot.word(column.slot + 1)) == nil { return false }
        default: break
        }
      }
    }
    return true
  }
}
