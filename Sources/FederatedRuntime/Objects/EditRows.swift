import FederatedModel
import Foundation

/// The unsaved values of all changed objects of one entity: compact slots, no storage of an object's own.
///
/// A row has three parts: which slots are written, which of them are null, and the slots. Text and bytes lie in an
/// arena as in a ``RowBlock``. The entity half of a to-one slot holds the destination's store in its upper bits,
/// since an unsaved link may lead to an object of any store or of none.
@usableFromInline final class EditRows {
  let layout: RowLayout
  private let width: Int
  @exclusivity(unchecked) private var words: [UInt64] = []
  @exclusivity(unchecked) private var arena: [UInt8] = []
  @exclusivity(unchecked) private var free: [Int32] = []
  @exclusivity(unchecked) private var rowCount = 0
  /// Bytes of the arena that no slot points at any more.
  private var garbage = 0
  /// Moves with every write.
  @exclusivity(unchecked) private(set) var writeCount = 0

  init(layout: RowLayout) {
    self.layout = layout
    self.width = 2 * layout.nullWords + layout.slotCount
  }

  /// All rows, to be put back later.
  struct Contents {
    fileprivate var words: [UInt64]
    fileprivate var arena: [UInt8]
    fileprivate var free: [Int32]
    fileprivate var rowCount: Int
    fileprivate var garbage: Int
  }

  var contents: Contents {
    get {
      Contents(
        words: self.words, arena: self.arena, free: self.free, rowCount: self.rowCount, garbage: self.garbage)
    }
    set {
      self.words = newValue.words
      self.arena = newValue.arena
      self.free = newValue.free
      self.rowCount = newValue.rowCount
      self.garbage = newValue.garbage
      self.writeCount &+= 1
    }
  }

  // MARK: Rows

  /// A row in which no slot is written; with `complete`, one in which every slot is written as null.
  func newRow(complete: Bool) -> Int32 {
    let nulls = self.layout.nullWords
    if let row = self.free.popLast() {
      let start = Int(row) * self.width
      for place in 0..<nulls {
        self.words[start + place] = complete ? .max : 0
        self.words[start + nulls + place] = .max
      }
      return row
    }
    for _ in 0..<nulls { self.words.append(complete ? .max : 0) }
    for _ in 0..<nulls { self.words.append(.max) }
    for _ in 0..<self.layout.slotCount { self.words.append(0) }
    self.rowCount += 1
    return Int32(self.rowCount - 1)
  }

  func release(_ row: Int32) {
    self.forgetBytes(of: row)
    self.free.append(row)
    if self.free.count == self.rowCount { self.removeAll() }
  }

  /// Rows in use.
  var usedCount: Int { self.rowCount - self.free.count }

  /// - Precondition: no object refers to a row any more.
  func removeAll() {
    self.words = []
    self.arena = []
    self.free = []
    self.rowCount = 0
    self.garbage = 0
  }

  // MARK: Reading

  func isWritten(_ row: Int32, _ slot: Int) -> Bool {
    self.words[Int(row) * self.width + (slot >> 6)] & (1 << UInt64(slot & 63)) != 0
  }

  func isNull(_ row: Int32, _ slot: Int) -> Bool {
    self.words[Int(row) * self.width + self.layout.nullWords + (slot >> 6)] & (1 << UInt64(slot & 63)) != 0
  }

  func word(_ row: Int32, _ slot: Int) -> UInt64 {
    self.words[Int(row) * self.width + 2 * self.layout.nullWords + slot]
  }

  /// Whether any slot is written.
  func hasWritten(_ row: Int32) -> Bool {
    let start = Int(row) * self.width
    return (0..<self.layout.nullWords).contains { self.words[start + $0] != 0 }
  }

  func withBytes<R>(_ word: UInt64, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    let offset = Int(word >> ArenaPlace.lengthBits)
    let length = Int(word & ArenaPlace.lengthMask)
    return try self.arena.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + length]))
    }
  }

  func decimalText(_ packed: PackedDecimal) -> String {
    let place = packed.place
    return String(decoding: self.arena[place.offset..<place.offset + place.length], as: UTF8.self)
  }

  /// The destination of a to-one.
  func destination(_ row: Int32, _ slot: Int) -> ManagedObjectID? {
    if self.isNull(row, slot) { return nil }
    let second = self.word(row, slot + 1)
    return ManagedObjectID(
      store: StoreID(UInt32(second >> 32)), entity: EntityID(Int(second & 0xFFFF_FFFF)),
      reference: Int64(bitPattern: self.word(row, slot)))
  }

  /// The value of a written slot, boxed.
  func value(_ row: Int32, _ slot: Int, _ kind: SlotKind) -> Value {
    if self.isNull(row, slot) { return .null }
    let word = self.word(row, slot)
    switch kind {
    case .int: return .int(Int64(bitPattern: word))
    case .bool: return .bool(word != 0)
    case .double, .float: return .double(Double(bitPattern: word))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: word)))
    case .decimal:
      let packed = PackedDecimal(word: word)
      return .decimal(packed.decimal ?? Decimal(string: self.decimalText(packed), locale: nil) ?? .nan)
    case .string: return .string(self.withBytes(word) { String(decoding: $0, as: UTF8.self) })
    case .uri: return .uri(self.withBytes(word) { String(decoding: $0, as: UTF8.self) })
    case .data: return .data(self.withBytes(word) { Data($0) })
    case .uuid:
      var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      self.withBytes(word) { bytes in withUnsafeMutableBytes(of: &uuid) { $0.copyMemory(from: bytes) } }
      return .uuid(UUID(uuid: uuid))
    case .reference: return self.destination(row, slot).map(Value.object) ?? .null
    }
  }

  // MARK: Writing

  func set(word: UInt64, _ row: Int32, _ slot: Int) {
    self.writeCount &+= 1
    let start = Int(row) * self.width
    let bit: UInt64 = 1 << UInt64(slot & 63)
    self.words[start + (slot >> 6)] |= bit
    self.words[start + self.layout.nullWords + (slot >> 6)] &= ~bit
    self.words[start + 2 * self.layout.nullWords + slot] = word
  }

  func setNull(_ row: Int32, _ slot: Int) {
    self.writeCount &+= 1
    let start = Int(row) * self.width
    let bit: UInt64 = 1 << UInt64(slot & 63)
    self.words[start + (slot >> 6)] |= bit
    self.words[start + self.layout.nullWords + (slot >> 6)] |= bit
  }

  /// Takes a written slot back.
  func unset(_ row: Int32, _ slot: Int) {
    self.writeCount &+= 1
    let start = Int(row) * self.width
    let bit: UInt64 = 1 << UInt64(slot & 63)
    self.words[start + (slot >> 6)] &= ~bit
    self.words[start + self.layout.nullWords + (slot >> 6)] |= bit
  }

  func set(_ destination: ManagedObjectID, _ row: Int32, _ slot: Int) {
    self.set(word: UInt64(bitPattern: destination.reference), row, slot)
    self.set(
      word: UInt64(destination.store.rawValue) << 32 | UInt64(destination.entity.rawValue), row, slot + 1)
  }

  func set(bytes: UnsafeRawBufferPointer, _ row: Int32, _ slot: Int) {
    precondition(
      bytes.count <= RowBlockBuilder.longestBytes, "a value of \(bytes.count) bytes is too long for a row")
    if self.isWritten(row, slot), !self.isNull(row, slot) {
      self.garbage += Int(self.word(row, slot) & ArenaPlace.lengthMask)
      self.compactIfWasteful()
    }
    let offset = self.arena.count
    self.arena.append(contentsOf: bytes)
    self.set(word: UInt64(offset) << ArenaPlace.lengthBits | UInt64(bytes.count), row, slot)
  }

  func set(string: String, _ row: Int32, _ slot: Int) {
    var string = string
    string.withUTF8 { self.set(bytes: UnsafeRawBufferPointer($0), row, slot) }
  }

  func set(decimal: Decimal, _ row: Int32, _ slot: Int) {
    if let packed = PackedDecimal(decimal) { return self.set(word: packed.word, row, slot) }
    let offset = self.arena.count
    self.arena.append(contentsOf: decimal.description.utf8)
    self.set(word: PackedDecimal(offset: offset, length: self.arena.count - offset).word, row, slot)
  }

  /// - Returns: false when the value is of another kind than the slot, which is then left as it was.
  func set(_ value: Value, _ row: Int32, _ slot: Int, _ kind: SlotKind) -> Bool {
    switch (value, kind) {
    case (.null, _): self.setNull(row, slot)
    case (.int(let value), .int): self.set(word: UInt64(bitPattern: value), row, slot)
    case (.bool(let value), .bool): self.set(word: value ? 1 : 0, row, slot)
    case (.double(let value), .double), (.double(let value), .float):
      self.set(word: value.bitPattern, row, slot)
    case (.date(let value), .date):
      self.set(word: value.timeIntervalSinceReferenceDate.bitPattern, row, slot)
    case (.decimal(let value), .decimal): self.set(decimal: value, row, slot)
    case (.string(let value), .string), (.uri(let value), .uri): self.set(string: value, row, slot)
    case (.data(let value), .data): value.withUnsafeBytes { self.set(bytes: $0, row, slot) }
    case (.uuid(let value), .uuid):
      withUnsafeBytes(of: value.uuid) { self.set(bytes: $0, row, slot) }
    case (.object(let value), .reference): self.set(value, row, slot)
    default: return false
    }
    return true
  }
}

extension EditRows {
  private func forgetBytes(of row: Int32) {
    for column in self.layout.columns where column.kind.isInArena {
      if self.isWritten(row, column.slot), !self.isNull(row, column.slot) {
        self.garbage += Int(self.word(row, column.slot) & ArenaPlace.lengthMask)
      }
    }
  }

  /// A loop that sets one text over and over must not hold all the texts that ever were.
  private func compactIfWasteful() {
    guard self.garbage > 1 << 20, self.garbage * 2 > self.arena.count else { return }
    let old = self.arena
    self.arena = []
    self.garbage = 0
    let unused = Set(self.free)
    for row in 0..<Int32(self.rowCount) where !unused.contains(row) {
      for column in self.layout.columns
      where self.isWritten(row, column.slot) && !self.isNull(row, column.slot) {
        let word = self.word(row, column.slot)
        if column.kind.isInArena {
          let offset = Int(word >> ArenaPlace.lengthBits)
          let length = Int(word & ArenaPlace.lengthMask)
          let place = UInt64(self.arena.count) << ArenaPlace.lengthBits | UInt64(length)
          self.arena.append(contentsOf: old[offset..<offset + length])
          self.set(word: place, row, column.slot)
        } else if column.kind == .decimal, PackedDecimal(word: word).isInArena {
          let place = PackedDecimal(word: word).place
          let moved = PackedDecimal(offset: self.arena.count, length: place.length)
          self.arena.append(contentsOf: old[place.offset..<place.offset + place.length])
          self.set(word: moved.word, row, column.slot)
        }
      }
    }
  }
}

extension SlotKind {
  /// Whether a slot holds a place in the arena.
  var isInArena: Bool {
    switch self {
    case .string, .uri, .data, .uuid: true
    default: false
    }
  }
}
