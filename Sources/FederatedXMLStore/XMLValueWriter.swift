internal import FederatedModel
internal import Foundation
internal import XMLStream

/// Writes the value of a slot as the text of an `attribute` element.
enum XMLValueWriter {
  /// - Precondition: the slot is not null.
  /// - Throws: ``XMLError`` with `character` when the value cannot stand in an XML file.
  static func write(_ row: Snapshot, _ slot: Int, as kind: SlotKind, to writer: XMLByteWriter)
    throws(XMLError)
  {
    switch kind {
    case .int: writer.integer(row.int(slot))
    case .bool: writer.byte(UInt8(ascii: row.bool(slot) ? "1" : "0"))
    case .double, .float: XMLDoubleText.writeShortest(row.double(slot), to: writer)
    case .date:
      let value = row.double(slot)
      guard value.isFinite else { throw XMLError(.character, "\(value) seconds is no date") }
      XMLDoubleText.writeDate(value, to: writer)
    case .decimal: try self.write(decimal: row, slot, to: writer)
    case .string, .uri:
      let failure: XMLError? = row.withBytes(slot) { bytes in
        do throws(XMLError) {
          try XMLStringEscape.write(bytes, to: writer)
          return nil
        } catch { return error }
      }
      if let failure { throw failure }
    case .data: row.withBytes(slot) { XMLBase64.write($0, to: writer) }
    case .uuid: writer.raw(row.uuid(slot).uuidString)
    case .reference: preconditionFailure("a reference has no text of its own")
    }
  }

  private static func write(decimal row: Snapshot, _ slot: Int, to writer: XMLByteWriter) throws(XMLError) {
    let packed = PackedDecimal(word: row.word(slot))
    if !packed.isInArena, packed.exponent >= 0, packed.exponent <= 3 {
      return writer.integer(packed.mantissa * [1, 10, 100, 1000][Int(packed.exponent)])
    }
    if !packed.isInArena, packed.exponent < 0, packed.exponent >= -18 {
      return self.write(packed.mantissa, decimals: Int(-packed.exponent), to: writer)
    }
    let value = row.decimal(slot)
    guard value.isFinite else { throw XMLError(.character, "a decimal that is not a number has no text") }
    writer.raw(value.description)
  }

  /// A mantissa with a point so many digits from its end.
  private static func write(_ mantissa: Int64, decimals: Int, to writer: XMLByteWriter) {
    var divisor: Int64 = 1
    for _ in 0..<decimals { divisor *= 10 }
    let (whole, part) = mantissa.quotientAndRemainder(dividingBy: divisor)
    if mantissa < 0, whole == 0 { writer.byte(UInt8(ascii: "-")) }
    writer.integer(whole)
    writer.byte(UInt8(ascii: "."))
    var rest = part.magnitude
    var place = divisor.magnitude / 10
    while place > 0 {
      writer.byte(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / place))
      rest %= place
      place /= 10
    }
  }

  /// Whether a column has the same value in both rows.
  static func isSame(_ a: Snapshot, _ b: Snapshot, _ slot: Int, _ kind: SlotKind) -> Bool {
    if a.isNull(slot) || b.isNull(slot) { return a.isNull(slot) == b.isNull(slot) }
    switch kind {
    case .string, .uri, .data, .uuid:
      return a.withBytes(slot) { left in
        b.withBytes(slot) { right in
          left.count == right.count
            && (left.isEmpty || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0)
        }
      }
    case .decimal: return a.word(slot) == b.word(slot) || a.decimal(slot) == b.decimal(slot)
    default: return a.word(slot) == b.word(slot)
    }
  }
}
