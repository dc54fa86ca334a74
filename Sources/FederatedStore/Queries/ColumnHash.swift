internal import FederatedModel
internal import Foundation

/// Hashes under which values that a predicate calls equal are equal, whatever their kinds.
enum ColumnHash {
  static let null = mixed(0x6e75_6c6c)

  /// The hash of a column of a row.
  static func of(_ row: Snapshot, slot: Int, kind: SlotKind) -> UInt64 {
    if row.isNull(slot) { return self.null }
    switch kind {
    case .int: return self.int(row.int(slot))
    case .bool: return self.int(row.bool(slot) ? 1 : 0)
    case .double, .float: return self.double(row.double(slot))
    case .decimal: return self.decimal(PackedDecimal(word: row.word(slot))) ?? self.decimal(row.decimal(slot))
    case .date: return self.date(row.double(slot))
    case .string, .uri: return row.withBytes(slot) { self.bytes($0, seed: 3) }
    case .data: return row.withBytes(slot) { self.bytes($0, seed: 4) }
    case .uuid: return row.withBytes(slot) { self.bytes($0, seed: 5) }
    case .reference: return self.reference(row.int(slot))
    }
  }

  /// The hash of a value that is looked for; nil for lists, which no column holds.
  static func of(_ value: Value) -> UInt64? {
    switch value {
    case .null: return self.null
    case .bool(let value): return self.int(value ? 1 : 0)
    case .int(let value): return self.int(value)
    case .double(let value): return self.double(value)
    case .decimal(let value): return self.decimal(value)
    case .date(let value): return self.date(value.timeIntervalSinceReferenceDate)
    case .string(let text), .uri(let text):
      var text = text
      return text.withUTF8 { self.bytes(UnsafeRawBufferPointer($0), seed: 3) }
    case .data(let value): return value.withUnsafeBytes { self.bytes($0, seed: 4) }
    case .uuid(let value): return withUnsafeBytes(of: value.uuid) { self.bytes($0, seed: 5) }
    case .object(let identity): return self.reference(identity.reference)
    case .list: return nil
    }
  }

  static func reference(_ reference: Int64) -> UInt64 {
    mixed(UInt64(bitPattern: reference) ^ 0x7265_6600_0000)
  }

  private static func int(_ value: Int64) -> UInt64 { mixed(UInt64(bitPattern: value) ^ 0x6e75_6d00) }

  /// A double that is an integer hashes as that integer.
  private static func double(_ value: Double) -> UInt64 {
    Int64(exactly: value).map(self.int) ?? mixed(value.bitPattern ^ 0x666c_7400)
  }

  /// A decimal that equals an integer or a double hashes as that: the double that it equals is the nearest one.
  private static func decimal(_ value: Decimal) -> UInt64 {
    var digits = value.description[...]
    if digits.utf8.contains(UInt8(ascii: ".")) {
      while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
      if digits.utf8.last == UInt8(ascii: ".") { digits.removeLast() }
    }
    return Int64(digits).map(self.int) ?? self.double(value.nearestDouble)
  }

  /// The same without making a decimal; nil when its nearest double is not at hand.
  private static func decimal(_ packed: PackedDecimal) -> UInt64? {
    guard let double = packed.double else { return nil }
    // Whole numbers beyond 2^53 are not their nearest double.
    return double.magnitude < 0x1p53 ? self.double(double) : nil
  }

  /// Adding zero makes one of the two zeros.
  private static func date(_ seconds: Double) -> UInt64 { mixed((seconds + 0).bitPattern ^ 0x6461_7400) }

  private static func bytes(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
    var rest = bytes
    while rest.count >= 8 {
      hash = (hash ^ rest.loadUnaligned(as: UInt64.self)) &* 0x9fb2_1c65_1e98_df25
      hash ^= hash >> 32
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(8))
    }
    for byte in rest { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return mixed(hash ^ UInt64(bytes.count))
  }
}
