/// Numbers from text: integers and whole seconds by hand, the rest by the standard library.
package enum NumberText {
  /// An integer that is digits alone, with a sign if need be.
  package static func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
    var index = 0
    var negative = false
    if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      negative = first == UInt8(ascii: "-")
      index = 1
    }
    guard index < text.count else { return nil }
    var magnitude: UInt64 = 0
    while index < text.count {
      let byte = text[index]
      guard byte.isDigit else { return nil }
      let (product, over) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, more) = product.addingReportingOverflow(UInt64(byte - 0x30))
      if over || more { return nil }
      magnitude = sum
      index += 1
    }
    if negative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }

  /// The double that a text writes, correctly rounded.
  package static func double(_ text: UnsafeRawBufferPointer) -> Double? {
    if let whole = self.whole(text) { return whole }
    return self.general(text)
  }

  /// Up to 15 digits, then perhaps a point and zeros.
  private static func whole(_ text: UnsafeRawBufferPointer) -> Double? {
    var index = 0
    let negative = text.first == UInt8(ascii: "-")
    if negative { index = 1 }
    let start = index
    var magnitude: Int64 = 0
    while index < text.count, text[index].isDigit {
      magnitude = magnitude &* 10 &+ Int64(text[index] - 0x30)
      index += 1
    }
    guard index > start, index - start <= 15 else { return nil }
    if index < text.count {
      guard text[index] == UInt8(ascii: ".") else { return nil }
      index += 1
      while index < text.count, text[index] == 0x30 { index += 1 }
      guard index == text.count else { return nil }
    }
    return negative ? -Double(magnitude) : Double(magnitude)
  }

  /// The standard library's parser rounds correctly and knows no locale, unlike C's.
  private static func general(_ text: UnsafeRawBufferPointer) -> Double? {
    guard !text.isEmpty, text.allSatisfy(self.isOfNumber) else { return nil }
    return Double(String(decoding: text, as: UTF8.self))
  }

  /// Digits, sign, point, exponent, and the letters of `inf`, `infinity` and `nan`.
  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: "einfatyEINFATY".utf8.contains(byte)
    }
  }

  /// Whether a text is a sign, digits with one point among them, and an exponent, the first and last if need be.
  package static func isDecimal(_ text: UnsafeRawBufferPointer) -> Bool {
    var index = self.afterSign(text, 0)
    let start = index
    var points = 0
    while index < text.count, text[index].isDigit || text[index] == UInt8(ascii: ".") {
      if text[index] == UInt8(ascii: ".") { points += 1 }
      index += 1
    }
    guard points <= 1, index - start > points else { return false }
    if index == text.count { return true }
    guard text[index] | 0x20 == UInt8(ascii: "e") else { return false }
    index = self.afterSign(text, index + 1)
    return index < text.count && text[index...].allSatisfy(\.isDigit)
  }

  private static func afterSign(_ text: UnsafeRawBufferPointer, _ index: Int) -> Int {
    guard index < text.count else { return index }
    return text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") ? index + 1 : index
  }
}

extension UInt8 {
  @inline(__always) var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
