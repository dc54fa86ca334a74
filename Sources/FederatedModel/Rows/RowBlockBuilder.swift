public import Foundation

/// Fills a ``RowBlock`` row by row, straight from a parser or a statement.
///
/// ```swift
/// var rows = RowBlockBuilder(layout: entity.layout)
/// rows.beginRow(reference: 1, version: 1)   // every slot starts as null
/// rows.set(int: 7, at: number.slot)
/// let block = rows.finish()
/// ```
public struct RowBlockBuilder {
  public let layout: RowLayout
  public internal(set) var count = 0
  @usableFromInline var words: [UInt64] = []
  @usableFromInline var arena: [UInt8] = []
  @usableFromInline var row = 0
  /// A direct-mapped memory of short texts, so that repeated ones share a place in the arena.
  @usableFromInline var interned: [UInt64] = []

  public init(layout: RowLayout, capacity: Int = 0) {
    self.layout = layout
    if capacity > 0 { self.words.reserveCapacity(capacity * layout.stride) }
  }

  /// Starts a row in which every slot is null.
  @inlinable public mutating func beginRow(reference: Int64, version: Int64) {
    self.row = self.words.count
    self.words.append(contentsOf: self.layout.blankRow)
    self.words[self.row] = UInt64(bitPattern: reference)
    self.words[self.row + 1] = UInt64(bitPattern: version)
    self.bumpCount()
  }

  @usableFromInline mutating func bumpCount() { self.count += 1 }

  /// Adds a row whose words lie ready: reference, version, null bitmap, slots. Text among them was put in its
  /// place by ``place(_:)``.
  package mutating func append(row words: UnsafeBufferPointer<UInt64>) {
    precondition(words.count == self.layout.stride, "a row of another layout")
    self.row = self.words.count
    self.words.append(contentsOf: words)
    self.count += 1
  }

  /// Takes back the row just begun.
  public mutating func dropRow() {
    self.words.removeLast(self.layout.stride)
    self.count -= 1
    self.row = max(0, self.words.count - self.layout.stride)
  }

  /// Writes the raw word of a slot and marks it as not null.
  @inlinable public mutating func set(word: UInt64, at slot: Int) {
    self.words[self.row + 2 + (slot >> 6)] &= ~(1 << UInt64(slot & 63))
    self.words[self.row + 2 + self.layout.nullWords + slot] = word
  }

  @inlinable public mutating func set(int value: Int64, at slot: Int) {
    self.set(word: UInt64(bitPattern: value), at: slot)
  }
  @inlinable public mutating func set(bool value: Bool, at slot: Int) {
    self.set(word: value ? 1 : 0, at: slot)
  }
  @inlinable public mutating func set(double value: Double, at slot: Int) {
    self.set(word: value.bitPattern, at: slot)
  }
  @inlinable public mutating func set(reference: Int64, entity: EntityID, at slot: Int) {
    self.set(int: reference, at: slot)
    self.set(word: UInt64(entity.rawValue), at: slot + 1)
  }

  public mutating func setNull(at slot: Int) {
    self.words[self.row + 2 + (slot >> 6)] |= 1 << UInt64(slot & 63)
  }

  public mutating func set(string value: String, at slot: Int) {
    var value = value
    value.withUTF8 { self.set(bytes: UnsafeRawBufferPointer($0), at: slot) }
  }

  public mutating func set(data value: Data, at slot: Int) {
    value.withUnsafeBytes { self.set(bytes: $0, at: slot) }
  }

  public mutating func set(uuid value: UUID, at slot: Int) {
    withUnsafeBytes(of: value.uuid) { self.set(bytes: $0, at: slot) }
  }

  /// The most bytes that one text or data value may have: 2^28 - 1.
  public static let longestBytes = Int(ArenaPlace.lengthMask)

  /// Copies text or bytes into the arena. Short texts that repeat share one place.
  public mutating func set(bytes: UnsafeRawBufferPointer, at slot: Int) {
    precondition(
      bytes.count <= RowBlockBuilder.longestBytes, "a value of \(bytes.count) bytes is too long for a row")
    self.set(word: self.place(bytes), at: slot)
  }

  /// Puts bytes into the arena, once for short texts that repeat, and answers the word that says where.
  package mutating func place(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard bytes.count <= 32, bytes.count > 0 else { return self.append(bytes) }
    if self.interned.isEmpty { self.interned = [UInt64](repeating: .max, count: 256) }
    let hash = RowBlockBuilder.hash(bytes)
    let bucket = Int((hash ^ hash >> 32) & 255)
    let known = self.interned[bucket]
    let offset = Int(known >> ArenaPlace.lengthBits)
    // What an earlier block left behind may lie past the end; inside, the bytes themselves tell.
    if known != .max, Int(known & ArenaPlace.lengthMask) == bytes.count,
      offset + bytes.count <= self.arena.count
    {
      let same = self.arena.withUnsafeBytes {
        memcmp($0.baseAddress! + offset, bytes.baseAddress!, bytes.count) == 0
      }
      if same { return known }
    }
    let place = self.append(bytes)
    self.interned[bucket] = place
    return place
  }

  /// Mixes eight bytes at a time; the last ones may overlap those before.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(bytes.count) &* 0x9e37_79b9_7f4a_7c15
    if bytes.count < 8 {
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
      return hash ^ hash >> 29
    }
    var offset = 0
    while offset < bytes.count {
      let start = min(offset, bytes.count - 8)
      let word = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 29
      offset += 8
    }
    return hash
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let offset = self.arena.count
    self.arena.append(contentsOf: bytes)
    return UInt64(offset) << ArenaPlace.lengthBits | UInt64(bytes.count)
  }

  public mutating func set(decimal value: Decimal, at slot: Int) {
    if let packed = PackedDecimal(value) {
      self.set(word: packed.word, at: slot)
    } else {
      self.set(decimalText: value.description, at: slot)
    }
  }

  /// Takes a decimal by its text: sign, digits, one point; exponents are not understood here.
  /// - Precondition: the text is one that `Decimal.description` can produce.
  public mutating func set(decimalText text: String, at slot: Int) {
    var text = text
    text.withUTF8 { bytes in
      if let packed = PackedDecimal(text: UnsafeRawBufferPointer(bytes)) {
        self.set(word: packed.word, at: slot)
      } else {
        let offset = self.arena.count
        self.arena.append(contentsOf: bytes)
        self.set(word: PackedDecimal(offset: offset, length: bytes.count).word, at: slot)
      }
    }
  }

  /// Takes the decimal that the double's shortest text writes.
  public mutating func set(decimalFrom value: Double, at slot: Int) {
    if let packed = PackedDecimal(shortest: value) {
      self.set(word: packed.word, at: slot)
    } else {
      self.set(decimal: Decimal(string: value.description, locale: nil) ?? .nan, at: slot)
    }
  }

  /// Writes a boxed value into a column: for edges only.
  /// - Returns: false when the value is of another kind than the column; the slot is then left as it was.
  public mutating func set(_ value: Value, at slot: Int, _ kind: SlotKind) -> Bool {
    switch (value, kind) {
    case (.null, _): self.setNull(at: slot)
    case (.int(let value), .int): self.set(int: value, at: slot)
    case (.bool(let value), .bool): self.set(bool: value, at: slot)
    case (.double(let value), .double), (.double(let value), .float): self.set(double: value, at: slot)
    case (.date(let value), .date): self.set(double: value.timeIntervalSinceReferenceDate, at: slot)
    case (.decimal(let value), .decimal): self.set(decimal: value, at: slot)
    case (.string(let value), .string), (.uri(let value), .uri): self.set(string: value, at: slot)
    case (.data(let value), .data): self.set(data: value, at: slot)
    case (.uuid(let value), .uuid): self.set(uuid: value, at: slot)
    case (.object(let id), .reference): self.set(reference: id.reference, entity: id.entity, at: slot)
    default: return false
    }
    return true
  }

  /// Copies a whole row of the same layout under the reference and version given.
  public mutating func copyRow(_ row: Snapshot, reference: Int64, version: Int64) {
    self.copyRow(row, reference: reference, version: version, leavingOut: [])
  }

  /// Copies a row and leaves slots nil that are to be filled otherwise.
  package mutating func copyRow(_ row: Snapshot, reference: Int64, version: Int64, leavingOut slots: [Int]) {
    precondition(row.block.layout === self.layout, "a row of another layout")
    self.beginRow(reference: reference, version: version)
    for column in self.layout.columns where !row.isNull(column.slot) && !slots.contains(column.slot) {
      switch column.kind {
      case .string, .uri, .data, .uuid: row.withBytes(column.slot) { self.set(bytes: $0, at: column.slot) }
      case .decimal:
        let packed = PackedDecimal(word: row.word(column.slot))
        if packed.isInArena {
          self.set(decimal: row.decimal(column.slot), at: column.slot)
        } else {
          self.set(word: packed.word, at: column.slot)
        }
      case .reference:
        self.set(word: row.word(column.slot), at: column.slot)
        self.set(word: row.word(column.slot + 1), at: column.slot + 1)
      default: self.set(word: row.word(column.slot), at: column.slot)
      }
    }
  }

  /// Bytes of slots, text and data so far.
  public var byteCount: Int { self.words.count * 8 + self.arena.count }

  /// Ends the block. The builder is empty afterwards and may be used again.
  public mutating func finish() -> RowBlock {
    defer {
      self.count = 0
      self.row = 0
    }
    if self.byteCount <= RowBlockBuilder.smallBlock {
      // Many small blocks live long: each has no room to spare, and the builder keeps its own.
      let block = RowBlock(
        layout: self.layout, count: self.count, words: self.words.withUnsafeBufferPointer { Array($0) },
        arena: self.arena.withUnsafeBufferPointer { Array($0) })
      self.words.removeAll(keepingCapacity: true)
      self.arena.removeAll(keepingCapacity: true)
      return block
    }
    // Room that a large block grew and never touched costs no memory. The next block is likely to be as large.
    let (words, arena) = (self.words, self.arena)
    self.words = []
    self.arena = []
    self.interned = []
    self.words.reserveCapacity(words.count)
    return RowBlock(layout: self.layout, count: self.count, words: words, arena: arena)
  }

  private static let smallBlock = 32 << 10
}
