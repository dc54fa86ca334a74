internal import FederatedModel
internal import Foundation

/// How an exact decimal lies in a cell of numeric affinity.
///
/// An integer, or the real whose shortest text writes the same digits; else the digits as a blob, since text
/// would be turned into a rounded number by the column.
enum DecimalCell {
  static func cell(_ value: Decimal) -> SQLValue {
    if value.isNaN { return .null }
    let text = self.text(value)
    if let integer = Int64(text) { return .int(integer) }
    if let double = Double(text), self.decimal(double.description) == value { return .double(double) }
    return .blob(Data(text.utf8))
  }

  /// Digits without zeros that say nothing: equal decimals have one text.
  static func text(_ value: Decimal) -> String {
    var text = value.description
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  /// The next whole number below a decimal that is not whole; nil for whole ones and those beyond 64 bits.
  static func wholeBelow(_ value: Decimal) -> Int64? {
    let text = self.text(value)
    guard !value.isNaN, let point = text.firstIndex(of: "."), let whole = Int64(text[..<point]) else {
      return nil
    }
    return value < 0 ? whole - 1 : whole
  }

  static func decimal(_ text: String) -> Decimal? {
    guard !text.isEmpty, text.utf8.allSatisfy({ self.mayStandInNumber($0) }) else { return nil }
    return Decimal(string: text, locale: nil).flatMap { $0.isNaN ? nil : $0 }
  }

  private static func mayStandInNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// Bytes whose order is the decimals' own: sign, place of the first digit, digits; the last two turned round
  /// for negative numbers.
  static func orderKey(_ value: Decimal) -> [UInt8] {
    var digits: [UInt8] = []
    var place = 0
    var seenPoint = false
    for byte in self.text(value.magnitude).utf8 {
      if byte == UInt8(ascii: ".") {
        seenPoint = true
      } else if digits.isEmpty, byte == UInt8(ascii: "0") {
        if seenPoint { place -= 1 }
      } else {
        digits.append(byte)
        if !seenPoint { place += 1 }
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.isEmpty { return [1] }
    let biased = UInt16(place + 0x4000)
    let key = [UInt8(biased >> 8), UInt8(biased & 0xFF)] + digits
    return value < 0 ? [0] + key.map { ~$0 } + [0xFF] : [2] + key
  }
}
