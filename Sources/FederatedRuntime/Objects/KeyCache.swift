public import Synchronization

/// Remembers where a typed key's property stands, for one model and one family of entities at a time.
///
/// One word: the model's stamp, the first and last number of the entities that share the slot, a bit that says
/// that a written value is to be checked, and the slot. Read and written relaxed: the word is all there is.
@usableFromInline final class KeyCache: Sendable {
  /// Fits no object: the first number is behind the last.
  @usableFromInline static let empty: UInt64 = 1 << 32

  @usableFromInline let word = Atomic<UInt64>(KeyCache.empty)

  @usableFromInline init() {}

  @inlinable func load() -> UInt64 { self.word.load(ordering: .relaxed) }

  func remember(_ word: UInt64) { self.word.store(word, ordering: .relaxed) }

  @inlinable static func slot(_ word: UInt64) -> Int { Int(word & 0x7FFF) }
  @inlinable static func needsCheck(_ word: UInt64) -> Bool { word & 0x8000 != 0 }

  /// - Returns: ``empty`` when a number is too large for its place.
  static func pack(stamp: UInt64, first: Int, last: Int, slot: Int, needsCheck: Bool) -> UInt64 {
    guard stamp != 0, last < 1 << 16, slot < 1 << 15 else { return self.empty }
    return stamp << 48 | UInt64(first) << 32 | UInt64(last) << 16 | (needsCheck ? 0x8000 : 0) | UInt64(slot)
  }
}

extension ObjectHome {
  /// Whether a key's word holds for objects of this home.
  @inlinable func fits(_ word: UInt64) -> Bool {
    word >> 48 == self.stamp && word >> 32 & 0xFFFF <= self.number && self.number <= word >> 16 & 0xFFFF
  }
}
