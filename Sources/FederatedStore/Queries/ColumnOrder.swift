internal import FederatedModel
internal import Foundation

/// An order over columns of the rows themselves, compared in their slots.
///
/// The same order as ``SubjectOrder``: nil is smaller than everything, and NaN counts as nil.
struct ColumnOrder {
  private struct Column {
    var slot: Int
    var kind: SlotKind
    var ascending: Bool
  }
  private let columns: [Column]

  /// Nil when a sort key leaves the row, has a comparison of its own, or is of a kind without an order here.
  init?(_ sorts: [BoundSort]) {
    var columns: [Column] = []
    for sort in sorts {
      guard sort.comparator == nil, case .attribute(let attribute)? = sort.steps.first, sort.steps.count == 1,
        let kind = attribute.type.slotKind
      else { return nil }
      switch kind {
      case .int, .bool, .double, .float, .date, .decimal, .uri, .data, .uuid: break
      case .string where sort.comparison == .scalar: break
      default: return nil
      }
      columns.append(Column(slot: attribute.slot, kind: kind, ascending: sort.ascending))
    }
    self.columns = columns
  }

  private struct Key {
    /// Below zero for nil, which no word stands for.
    var rank: Int8
    /// In the order of the first column, as far as 64 bits can tell.
    var word: UInt64
    var position: Int
  }

  /// The positions in order; rows that compare equal by ascending reference.
  func sorted(_ positions: [Int], of rows: RowSet) -> [Int] {
    guard let first = self.columns.first else { return positions }
    var keys = positions.map { self.key(rows[$0], first, at: $0) }
    keys.sort { a, b in
      if a.rank != b.rank { return a.rank < b.rank }
      if a.word != b.word { return a.word < b.word }
      let (left, right) = (rows[a.position], rows[b.position])
      let order = self.compare(left, right)
      return order == 0 ? left.reference < right.reference : order < 0
    }
    return keys.map(\.position)
  }

  private func key(_ row: Snapshot, _ column: Column, at position: Int) -> Key {
    if ColumnOrder.isNil(row, column) {
      return Key(rank: column.ascending ? -1 : 1, word: 0, position: position)
    }
    let word = self.word(row, column)
    return Key(rank: 0, word: column.ascending ? word : ~word, position: position)
  }

  private func word(_ row: Snapshot, _ column: Column) -> UInt64 {
    switch column.kind {
    case .int: return UInt64(bitPattern: row.int(column.slot)) ^ 1 << 63
    case .double, .float, .date: return ColumnOrder.word(row.double(column.slot))
    case .string, .uri, .data, .uuid:
      return row.withBytes(column.slot) { bytes in
        var word: UInt64 = 0
        for index in 0..<8 { word = word << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
        return word
      }
    case .bool: return row.bool(column.slot) ? 1 : 0
    // Left to the comparison: no word is in the order of all decimals.
    case .decimal, .reference: return 0
    }
  }

  /// A word in the order of the doubles; both zeros are one.
  private static func word(_ value: Double) -> UInt64 {
    let bits = (value + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  private func compare(_ a: Snapshot, _ b: Snapshot) -> Int {
    for column in self.columns {
      let order = ColumnOrder.compare(a, b, column)
      if order != 0 { return column.ascending ? order : -order }
    }
    return 0
  }

  private static func compare(_ a: Snapshot, _ b: Snapshot, _ column: Column) -> Int {
    let slot = column.slot
    switch (self.isNil(a, column), self.isNil(b, column)) {
    case (true, true): return 0
    case (true, false): return -1
    case (false, true): return 1
    case (false, false): break
    }
    switch column.kind {
    case .double, .float, .date: return self.order(self.word(a.double(slot)), self.word(b.double(slot)))
    case .decimal: return self.compareDecimals(a, b, slot)
    case .string, .uri, .data, .uuid:
      return a.withBytes(slot) { left in b.withBytes(slot) { self.compare(left, $0) } }
    case .int, .bool, .reference: return self.order(a.int(slot), b.int(slot))
    }
  }

  private static func isNil(_ row: Snapshot, _ column: Column) -> Bool {
    if row.isNull(column.slot) { return true }
    switch column.kind {
    case .double, .float, .date: return row.double(column.slot).isNaN
    // Few decimals are no double, and none that is one is no number.
    case .decimal: return self.double(row, column.slot) == nil && row.decimal(column.slot).isNaN
    default: return false
    }
  }

  private static func compareDecimals(_ a: Snapshot, _ b: Snapshot, _ slot: Int) -> Int {
    if let left = self.double(a, slot), let right = self.double(b, slot), left != right {
      return left < right ? -1 : 1
    }
    return self.order(a.decimal(slot), b.decimal(slot))
  }

  /// The correctly rounded double; nil for a decimal of many digits.
  private static func double(_ row: Snapshot, _ slot: Int) -> Double? {
    PackedDecimal(word: row.word(slot)).double
  }

  /// UTF-8 bytes are in the order of Unicode scalars.
  private static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    guard let left = a.baseAddress, let right = b.baseAddress else { return self.order(a.count, b.count) }
    let order = Int(memcmp(left, right, min(a.count, b.count)))
    return order == 0 ? self.order(a.count, b.count) : order
  }

  private static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }
}
