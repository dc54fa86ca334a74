internal import FederatedModel
internal import Foundation

/// Equality between a column of a row and a value, as predicates define it.
enum ColumnEquality {
  static func holds(_ row: Snapshot, slot: Int, kind: SlotKind, _ value: Value, store: StoreID) -> Bool {
    if row.isNull(slot) { return value.isNull }
    switch (kind, value) {
    case (_, .null): return false
    case (.int, .int(let value)): return row.int(slot) == value
    case (.string, .string(let text)): return self.bytes(of: row, slot: slot, equal: text)
    case (.date, .date(let date)): return row.double(slot) == date.timeIntervalSinceReferenceDate
    case (.double, .double(let number)), (.float, .double(let number)): return row.double(slot) == number
    default: return row.value(slot, kind, store: store).matches(value)
    }
  }

  /// Whether values of that sort can stand in the column at all. A predicate over others is not looked up but
  /// evaluated, since it may have to refuse.
  static func isComparable(_ value: Value, with kind: SlotKind) -> Bool {
    switch (kind, value) {
    case (_, .null): true
    case (.int, .int), (.int, .bool), (.int, .double), (.int, .decimal): true
    case (.bool, .int), (.bool, .bool), (.bool, .double), (.bool, .decimal): true
    case (.double, .int), (.double, .bool), (.double, .double), (.double, .decimal): true
    case (.float, .int), (.float, .bool), (.float, .double), (.float, .decimal): true
    case (.decimal, .int), (.decimal, .bool), (.decimal, .double), (.decimal, .decimal): true
    case (.string, .string), (.string, .uri), (.uri, .uri), (.uri, .string): true
    case (.date, .date), (.data, .data), (.uuid, .uuid): true
    default: false
    }
  }

  private static func bytes(of row: Snapshot, slot: Int, equal text: String) -> Bool {
    var text = text
    return row.withBytes(slot) { stored in
      text.withUTF8 { bytes in
        guard stored.count == bytes.count, let a = stored.baseAddress, let b = bytes.baseAddress else {
          return stored.count == bytes.count
        }
        return memcmp(a, b, bytes.count) == 0
      }
    }
  }
}
