public import Foundation

/// A decimal in one word: a 56-bit signed mantissa above an 8-bit exponent of ten.
///
/// A decimal that does not fit (more than about 16 digits) stands as text in the arena; exponent -128 marks
/// it, and the mantissa's bits hold 40 bits of offset and 16 of length.
@frozen public struct PackedDecimal: Hashable, Sendable {
  public let word: UInt64

  @inlinable public init(word: UInt64) { self.word = word }

  /// - Returns: nil when mantissa or exponent do not fit.
  @inlinable public init?(mantissa: Int64, exponent: Int) {
    guard mantissa >= -(1 << 55), mantissa < 1 << 55, exponent > -128, exponent < 128 else { return nil }
    self.word = UInt64(bitPattern: mantissa) << 8 | UInt64(UInt8(bitPattern: Int8(exponent)))
  }

  package init(offset: Int, length: Int) {
    self.word = (UInt64(offset) << 16 | UInt64(length)) << 8 | 0x80
  }

  @inlinable package var exponent: Int8 { Int8(bitPattern: UInt8(truncatingIfNeeded: self.word)) }
  @inlinable package var mantissa: Int64 { Int64(bitPattern: self.word) >> 8 }
  package var isInArena: Bool { self.exponent == -128 }
  package var place: (offset: Int, length: Int) {
    (Int(self.word >> 24), Int(self.word >> 8 & 0xFFFF))
  }

  /// The value; nil when it stands in the arena.
  public var decimal: Decimal? {
    if self.isInArena { return nil }
    let magnitude = self.mantissa.magnitude
    return Decimal(
      sign: self.mantissa < 0 ? .minus : .plus, exponent: Int(self.exponent), significand: Decimal(magnitude))
  }

  /// The nearest double, when that is one correctly rounded operation away; else nil.
  public var double: Double? {
    let exponent = Int(self.exponent)
    guard !self.isInArena, self.mantissa.magnitude < 1 << 53, exponent >= -22, exponent <= 22 else {
      return nil
    }
    let mantissa = Double(self.mantissa)
    return exponent < 0
      ? mantissa / PackedDecimal.powersOfTen[-exponent] : mantissa * PackedDecimal.powersOfTen[exponent]
  }

  @usableFromInline static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  /// The decimal that a double's shortest text writes: 10.11 for 10.11, whatever its binary digits say.
  ///
  /// For up to 15 digits the integer `value * 10^k` divided by `10^k` gives the double back exactly when that
  /// decimal is its shortest one, since decimals of 15 digits and doubles match one to one.
  public init?(shortest value: Double) {
    var scale = 0
    while scale <= 6 {
      let scaled = value * PackedDecimal.powersOfTen[scale]
      guard scaled.magnitude < 1e15 else { return nil }
      let rounded = scaled.rounded()
      if rounded / PackedDecimal.powersOfTen[scale] == value {
        self.init(mantissa: Int64(rounded), exponent: -scale)
        return
      }
      scale += 1
    }
    return nil
  }

  /// Digits of a decimal's text as mantissa and exponent; nil when they do not fit or are not digits.
  public init?(text: UnsafeRawBufferPointer) {
    var mantissa: Int64 = 0
    var exponent = 0
    var digits = 0
    var negative = false
    var seenPoint = false
    var seenDigit = false
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where index == 0: negative = true
      case UInt8(ascii: "+") where index == 0: break
      case UInt8(ascii: ".") where !seenPoint: seenPoint = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard digits < 16 else { return nil }
        seenDigit = true
        mantissa = mantissa * 10 + Int64(byte - UInt8(ascii: "0"))
        if mantissa != 0 { digits += 1 }
        if seenPoint { exponent -= 1 }
      default: return nil
      }
    }
    guard seenDigit, exponent > -128 else { return nil }
    while mantissa != 0, exponent < 0, mantissa % 10 == 0 {
      mantissa /= 10
      exponent += 1
    }
    self.init(mantissa: negative ? -mantissa : mantissa, exponent: mantissa == 0 ? 0 : exponent)
  }
}
