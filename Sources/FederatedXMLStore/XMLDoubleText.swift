internal import Foundation
internal import XMLStream

/// Doubles to text: `%.20f` for dates without printf, the shortest digits for the rest.
enum XMLDoubleText {
  /// Writes what C's `%.20f` writes: the exact value, rounded to even at 20 decimals. Within some 60 microseconds of
  /// zero 20 decimals do not give the value back, and at least 17 digits that count are written.
  /// - Precondition: the value is finite.
  static func writeDate(_ value: Double, to writer: XMLByteWriter) {
    if value.sign == .minus { writer.byte(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    // Half a unit in the last place is less than what 20 decimals may be off.
    if magnitude < 0x1p-14, magnitude > 0 {
      let decimals = 17 - Int(log10(magnitude).rounded(.down))
      return writer.raw(String(format: "%.\(max(20, decimals))f", magnitude))
    }
    guard magnitude < 0x1p63 else {
      self.writeHuge(magnitude, to: writer)
      writer.raw(".00000000000000000000")
      return
    }
    var whole = UInt64(magnitude)
    let fraction = magnitude - Double(whole)
    if fraction == 0 {
      writer.integer(Int64(whole))
      writer.raw(".00000000000000000000")
      return
    }
    let (high, low) = self.twentyDigits(of: fraction)
    // 10^20 itself does not fit: both halves are of ten digits.
    if high == 10_000_000_000 { whole += 1 }
    writer.integer(Int64(whole))
    writer.byte(UInt8(ascii: "."))
    self.writeTenDigits(high == 10_000_000_000 ? 0 : high, to: writer)
    self.writeTenDigits(low, to: writer)
  }

  /// A fraction below one, times 10^20 and rounded, as two numbers of ten digits.
  private static func twentyDigits(of fraction: Double) -> (high: UInt64, low: UInt64) {
    // fraction = significand / 2^shift, exactly.
    let significand = fraction.significandBitPattern | (fraction.isNormal ? 1 << 52 : 0)
    let shift = 52 - Int(fraction.isNormal ? fraction.exponent : -1022)
    // significand * 10^10 * 10^10 has at most 120 bits.
    let first = significand.multipliedFullWidth(by: 10_000_000_000)
    let second = first.low.multipliedFullWidth(by: 10_000_000_000)
    let high = first.high * 10_000_000_000 + second.high
    let low = second.low
    if shift > 121 { return (0, 0) }
    var quotient: (high: UInt64, low: UInt64)
    let remainder: (high: UInt64, low: UInt64)
    if shift >= 64 {
      quotient = (0, shift == 64 ? high : high >> UInt64(shift - 64))
      remainder = (shift == 64 ? 0 : high & ((1 << UInt64(shift - 64)) - 1), low)
    } else {
      quotient = (high >> UInt64(shift), low >> UInt64(shift) | high << UInt64(64 - shift))
      remainder = (0, low & ((1 << UInt64(shift)) - 1))
    }
    let half: (high: UInt64, low: UInt64) =
      shift > 64 ? (1 << UInt64(shift - 65), 0) : (0, 1 << UInt64(shift - 1))
    if remainder > half || (remainder == half && quotient.low & 1 == 1) {
      let (sum, carry) = quotient.low.addingReportingOverflow(1)
      quotient = (quotient.high + (carry ? 1 : 0), sum)
    }
    let parts = UInt64(10_000_000_000).dividingFullWidth(quotient)
    return (parts.quotient, parts.remainder)
  }

  private static func writeTenDigits(_ value: UInt64, to writer: XMLByteWriter) {
    var divisor: UInt64 = 1_000_000_000
    var rest = value
    while divisor > 0 {
      writer.byte(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }

  /// Digits of a whole number too large for an integer, by doubling in base 10^9.
  private static func writeHuge(_ magnitude: Double, to writer: XMLByteWriter) {
    var limbs: [UInt64] = [magnitude.significandBitPattern | 1 << 52]
    var carry: UInt64 = 0
    for _ in 0..<(Int(magnitude.exponent) - 52) {
      for index in limbs.indices {
        let doubled = limbs[index] * 2 + carry
        carry = doubled / 1_000_000_000_000_000_000
        limbs[index] = doubled % 1_000_000_000_000_000_000
      }
      if carry > 0 {
        limbs.append(carry)
        carry = 0
      }
    }
    writer.raw(String(limbs[limbs.count - 1]))
    for limb in limbs.dropLast().reversed() {
      let digits = String(limb)
      writer.raw(String(repeating: "0", count: 18 - digits.utf8.count) + digits)
    }
  }

  /// Writes the shortest digits that give the double back; whole numbers without a point.
  static func writeShortest(_ value: Double, to writer: XMLByteWriter) {
    if value.magnitude < 0x1p53, value == value.rounded(.towardZero), value != 0 || value.sign == .plus {
      return writer.integer(Int64(value))
    }
    var text = value.description
    if text.hasSuffix(".0") { text.removeLast(2) }
    writer.raw(text)
  }
}
