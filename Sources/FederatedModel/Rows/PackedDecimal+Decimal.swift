public import Foundation

extension PackedDecimal {
  /// - Returns: nil when the decimal has more than 16 digits, or is not a number.
  public init?(_ decimal: Decimal) {
    guard DecimalBytes.areUnderstood else {
      var text = decimal.description
      guard let packed = text.withUTF8({ PackedDecimal(text: UnsafeRawBufferPointer($0)) }) else {
        return nil
      }
      self = packed
      return
    }
    guard let bytes = DecimalBytes(decimal) else { return nil }
    var (mantissa, exponent) = (bytes.mantissa, bytes.exponent)
    while exponent > 0, mantissa != 0 {
      guard mantissa < DecimalBytes.limit / 10 else { return nil }
      mantissa *= 10
      exponent -= 1
    }
    while exponent < 0, mantissa != 0, mantissa.isMultiple(of: 10) {
      mantissa /= 10
      exponent += 1
    }
    guard mantissa < DecimalBytes.limit, exponent > -128 else { return nil }
    let signed = bytes.isNegative ? -Int64(mantissa) : Int64(mantissa)
    self.init(mantissa: signed, exponent: mantissa == 0 ? 0 : exponent)
  }
}

/// Sign, digits and exponent of a `Decimal`, read where they lie.
///
/// Foundation tells them through arithmetic or text only, at half a microsecond a time. Their place in the value
/// is no promise, so it is tried on known decimals first; where it does not hold, text is used.
private struct DecimalBytes {
  let exponent: Int
  let isNegative: Bool
  let mantissa: UInt64

  /// 16 digits.
  static let limit: UInt64 = 10_000_000_000_000_000

  /// - Returns: nil for what is no number, and for a mantissa of more than 64 bits.
  init?(_ decimal: Decimal) {
    guard MemoryLayout<Decimal>.size == 20 else { return nil }
    let (head, low, high, rest) = withUnsafeBytes(of: decimal) { bytes in
      (
        bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self),
        UInt64(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
        UInt64(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)),
        bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self)
      )
    }
    let length = head >> 12 & 0xF
    guard length <= 4, rest == 0 || length < 4 else { return nil }
    self.isNegative = head & 0x800 != 0
    // No digits and a minus sign mean "not a number".
    if length == 0, self.isNegative { return nil }
    self.exponent = Int(Int8(truncatingIfNeeded: head))
    let whole = high << 32 | low
    self.mantissa = length == 4 ? whole : whole & (1 << (UInt64(length) * 16) - 1)
  }

  static let areUnderstood: Bool = {
    let samples: [(text: String, mantissa: UInt64, exponent: Int, isNegative: Bool)] = [
      ("0", 0, 0, false), ("1234.5", 12345, -1, false), ("-0.01", 1, -2, true),
      ("987654321987654321", 987_654_321_987_654_321, 0, false), ("-65536.1", 655_361, -1, true),
      ("70000000000", 7, 10, false),
    ]
    for sample in samples {
      guard let decimal = Decimal(string: sample.text, locale: nil), let bytes = DecimalBytes(decimal),
        bytes.mantissa == sample.mantissa, bytes.exponent == sample.exponent,
        bytes.isNegative == sample.isNegative
      else { return false }
    }
    let tooLong = Decimal(string: "123456789012345678901234567890", locale: nil) ?? 0
    return DecimalBytes(.nan) == nil && DecimalBytes(tooLong) == nil
  }()
}
