internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Binds cells straight from the slots of a row.
///
/// Text and bytes are bound where they lie in the block's arena, which must stay in place until the statement
/// was stepped: `arena` is the block's own, inside `withUnsafeBytes`.
struct CellBinding {
  let layout: TableLayout

  /// What is bound of one column, without its names: the loop over cells runs for every row.
  struct Cell {
    let slot: Int
    let encoding: ColumnEncoding
    /// Whether the destination's discriminator is bound behind it.
    let hasEntity: Bool

    init(_ column: ColumnPlace) {
      self.slot = column.slot
      self.encoding = column.encoding
      self.hasEntity = column.reference?.entityColumn != nil
    }
  }

  func bind(
    _ row: Snapshot, _ column: Cell, to statement: Statement, at index: Int,
    arena: UnsafeRawBufferPointer
  ) throws(StoreError) {
    let slot = column.slot
    if row.isNull(slot) { return try statement.bindNull(at: index) }
    switch column.encoding {
    case .int, .reference: try statement.bind(int: row.int(slot), at: index)
    case .bool: try statement.bind(int: row.bool(slot) ? 1 : 0, at: index)
    // SQLite keeps no NaN: it reads back as nil.
    case .double, .date: try statement.bind(double: row.double(slot), at: index)
    case .decimal: try self.bindDecimal(row, slot, to: statement, at: index)
    case .text: try unsafe statement.bind(staticText: self.bytes(row, slot, arena), at: index)
    case .blob, .uuid: try unsafe statement.bind(staticBlob: self.bytes(row, slot, arena), at: index)
    case .prefixedBlob:
      try statement.bind(.blob(unsafe ExternalData.cell(self.bytes(row, slot, arena))), at: index)
    }
  }

  /// Binds the discriminator of a to-one's destination.
  func bindEntity(_ row: Snapshot, _ column: Cell, to statement: Statement, at index: Int)
    throws(StoreError)
  {
    guard let destination = row.destination(column.slot),
      let number = self.layout[destination.entity]?.discriminatorValue
    else { return try statement.bindNull(at: index) }
    try statement.bind(int: number, at: index)
  }

  private func bindDecimal(_ row: Snapshot, _ slot: Int, to statement: Statement, at index: Int)
    throws(StoreError)
  {
    let packed = PackedDecimal(word: row.word(slot))
    // Up to 15 digits, a double's shortest text gives the digits back.
    if let double = packed.double, packed.hasFewDigits {
      try statement.bind(double: double, at: index)
    } else {
      try statement.bind(DecimalCell.cell(row.decimal(slot)), at: index)
    }
  }

  private func bytes(_ row: Snapshot, _ slot: Int, _ arena: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer
  {
    let word = row.word(slot)
    let offset = Int(word >> ArenaPlace.lengthBits)
    return unsafe UnsafeRawBufferPointer(rebasing: arena[offset..<offset + Int(word & ArenaPlace.lengthMask)])
  }

  /// Whether a slot holds another value than in the row before.
  static func differs(_ before: Snapshot, _ after: Snapshot, _ column: ColumnPlace) -> Bool {
    let slot = column.slot
    if before.isNull(slot) || after.isNull(slot) { return before.isNull(slot) != after.isNull(slot) }
    switch column.encoding {
    case .text, .blob, .uuid, .prefixedBlob:
      return unsafe !before.withBytes(slot) { a in
        unsafe after.withBytes(slot) { b in unsafe a.count == b.count && a.elementsEqual(b) }
      }
    case .decimal:
      return before.word(slot) != after.word(slot) && before.decimal(slot) != after.decimal(slot)
        || PackedDecimal(word: before.word(slot)).isInArena && before.decimal(slot) != after.decimal(slot)
    case .reference:
      return before.word(slot) != after.word(slot) || before.word(slot + 1) != after.word(slot + 1)
    default: return before.word(slot) != after.word(slot)
    }
  }
}

extension PackedDecimal {
  /// Whether the number has at most 15 digits.
  fileprivate var hasFewDigits: Bool {
    (Int64(bitPattern: self.word) >> 8).magnitude < 1_000_000_000_000_000
  }
}
