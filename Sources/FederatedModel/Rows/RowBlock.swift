public import Foundation

/// Rows of one concrete entity: contiguous 8-byte slots, a null bitmap for each row, and an arena for text
/// and bytes.
///
/// Immutable once built (``RowBlockBuilder``), so it crosses threads freely. A ``Snapshot`` is a block and a
/// row number.
public final class RowBlock: Sendable {
  public let layout: RowLayout
  public let count: Int
  @usableFromInline package let words: [UInt64]
  @usableFromInline package let arena: [UInt8]

  /// Takes rows that lie in the layout's shape already.
  @usableFromInline package init(layout: RowLayout, count: Int, words: [UInt64], arena: [UInt8]) {
    self.layout = layout
    self.count = count
    self.words = words
    self.arena = arena
  }

  @inlinable public var entity: EntityID { self.layout.entity }

  @inlinable public subscript(row: Int) -> Snapshot { Snapshot(block: self, row: row) }

  /// Bytes that the block holds.
  public var byteCount: Int { self.words.count * 8 + self.arena.count }
}

/// One row as last saved: a block and a row number.
@frozen public struct Snapshot: Sendable {
  public let block: RowBlock
  @usableFromInline let start: Int

  @inlinable public init(block: RowBlock, row: Int) {
    precondition(row >= 0 && row < block.count, "row \(row) of a block of \(block.count)")
    self.block = block
    self.start = row * block.layout.stride
  }

  @inlinable public var row: Int { self.start / self.block.layout.stride }
  @inlinable public var entity: EntityID { self.block.layout.entity }
  @inlinable public var reference: Int64 { Int64(bitPattern: self.block.words[self.start]) }
  /// The optimistic-lock counter: 1 at insert, one more with each update.
  @inlinable public var version: Int64 { Int64(bitPattern: self.block.words[self.start + 1]) }

  @inlinable public func isNull(_ slot: Int) -> Bool {
    self.block.words[self.start + 2 + (slot >> 6)] & (1 << UInt64(slot & 63)) != 0
  }

  /// The raw word of a slot; meaningful only when the slot is not null.
  @inlinable public func word(_ slot: Int) -> UInt64 {
    self.block.words[self.start + 2 + self.block.layout.nullWords + slot]
  }

  // Typed reads of a slot that is not null. Reading a slot as another kind than its own gives nonsense,
  // never a crash outside the block.
  @inlinable public func int(_ slot: Int) -> Int64 { Int64(bitPattern: self.word(slot)) }
  @inlinable public func bool(_ slot: Int) -> Bool { self.word(slot) != 0 }
  @inlinable public func double(_ slot: Int) -> Double { Double(bitPattern: self.word(slot)) }
  @inlinable public func date(_ slot: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: self.double(slot))
  }

  @inlinable public func string(_ slot: Int) -> String {
    self.withBytes(slot) { String(decoding: $0, as: UTF8.self) }
  }

  @inlinable public func data(_ slot: Int) -> Data { self.withBytes(slot) { Data($0) } }

  public func uuid(_ slot: Int) -> UUID {
    self.withBytes(slot) { bytes in
      var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      withUnsafeMutableBytes(of: &uuid) {
        $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(16)))
      }
      return UUID(uuid: uuid)
    }
  }

  public func decimal(_ slot: Int) -> Decimal {
    let packed = PackedDecimal(word: self.word(slot))
    if let decimal = packed.decimal { return decimal }
    let place = packed.place
    let text = String(decoding: self.block.arena[place.offset..<place.offset + place.length], as: UTF8.self)
    return Decimal(string: text, locale: nil) ?? .nan
  }

  /// The decimal as the nearest double; cheaper than ``decimal(_:)`` and exact to half a unit in the last place.
  public func decimalAsDouble(_ slot: Int) -> Double {
    PackedDecimal(word: self.word(slot)).double ?? self.decimal(slot).nearestDouble
  }

  /// The bytes of a text, data, URI or UUID slot, valid inside `body` only.
  @inlinable public func withBytes<R>(_ slot: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
  {
    let word = self.word(slot)
    let length = Int(word & ArenaPlace.lengthMask)
    let offset = Int(word >> ArenaPlace.lengthBits)
    return try self.block.arena.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + length]))
    }
  }

  /// The destination of a to-one, as its reference and concrete entity; nil when there is none.
  @inlinable public func destination(_ slot: Int) -> (reference: Int64, entity: EntityID)? {
    if self.isNull(slot) { return nil }
    return (self.int(slot), EntityID(Int(self.word(slot + 1))))
  }

  /// The value of a column, boxed: for edges only. A `reference` column answers an identifier in `store`.
  public func value(_ slot: Int, _ kind: SlotKind, store: StoreID) -> Value {
    if self.isNull(slot) { return .null }
    switch kind {
    case .int: return .int(self.int(slot))
    case .bool: return .bool(self.bool(slot))
    case .double, .float: return .double(self.double(slot))
    case .date: return .date(self.date(slot))
    case .decimal: return .decimal(self.decimal(slot))
    case .string: return .string(self.string(slot))
    case .uri: return .uri(self.string(slot))
    case .data: return .data(self.data(slot))
    case .uuid: return .uuid(self.uuid(slot))
    case .reference:
      return .object(
        ManagedObjectID(store: store, entity: EntityID(Int(self.word(slot + 1))), reference: self.int(slot)))
    }
  }
}

/// Where text or bytes lie in the arena of a block, packed into a word: 36 bits of offset, 28 of length.
@usableFromInline package enum ArenaPlace {
  @usableFromInline package static let lengthBits: UInt64 = 28
  @usableFromInline package static let lengthMask: UInt64 = (1 << 28) - 1
}
