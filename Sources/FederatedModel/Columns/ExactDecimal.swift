import Foundation

/// A decimal of as many digits as it needs: a whole number of powers of ten.
struct ExactDecimal: Sendable, Hashable {
  /// The exponent of the least digit so far.
  private(set) var unit: Int
  private(set) var total = WideInteger()

  init(unit: Int) { self.unit = unit }

  init(unit: Int, total: WideInteger) {
    self.unit = unit
    self.total = total
  }

  /// Digits and exponent of a decimal; nil for NaN.
  static func parts(of decimal: Decimal) -> (mantissa: UInt128, exponent: Int, isNegative: Bool)? {
    if decimal.isNaN { return nil }
    var mantissa: UInt128 = 0
    var exponent = 0
    var isNegative = false
    var seenPoint = false
    for byte in decimal.description.utf8 {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): seenPoint = true
      default:
        // Zeros at the end of a large number may be more than fit.
        let next = mantissa.multipliedReportingOverflow(by: 10)
        if next.overflow {
          if !seenPoint { exponent += 1 }
          continue
        }
        mantissa = next.partialValue + UInt128(byte - UInt8(ascii: "0"))
        if seenPoint { exponent -= 1 }
      }
    }
    return (mantissa, exponent, isNegative)
  }

  mutating func add(_ mantissa: UInt128, exponent: Int, isNegative: Bool) {
    if mantissa == 0 { return }
    self.reach(exponent)
    if exponent == self.unit {
      self.total.add(mantissa, isNegative: isNegative)
    } else {
      var term = WideInteger()
      term.add(mantissa, isNegative: isNegative)
      term.multiply(byPowerOfTen: exponent - self.unit)
      self.total.add(term)
    }
  }

  mutating func add(_ other: ExactDecimal) {
    var other = other
    self.reach(other.unit)
    other.reach(self.unit)
    self.total.add(other.total)
  }

  private mutating func reach(_ exponent: Int) {
    guard exponent < self.unit else { return }
    self.total.multiply(byPowerOfTen: self.unit - exponent)
    self.unit = exponent
  }

  /// The decimal with at most 38 digits, the last one rounded; a double where no decimal reaches.
  var value: Value {
    let (isNegative, text) = self.total.digits
    var digits = text
    var exponent = self.unit
    if digits.utf8.count > 38 {
      exponent += digits.utf8.count - 38
      digits = ExactDecimal.rounded(digits)
    }
    while digits.utf8.count > 1, digits.utf8.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    if digits == "0" { return .decimal(0) }
    let written = "\(isNegative ? "-" : "")\(digits)e\(exponent)"
    if let decimal = Decimal(string: written, locale: nil), !decimal.isNaN { return .decimal(decimal) }
    return .double(Double(written) ?? .nan)
  }

  /// The first 38 digits, half of the next rounded up.
  private static func rounded(_ digits: String) -> String {
    var kept = Array(digits.utf8.prefix(38))
    if Array(digits.utf8)[38] >= UInt8(ascii: "5") {
      var place = kept.count - 1
      while place >= 0, kept[place] == UInt8(ascii: "9") {
        kept[place] = UInt8(ascii: "0")
        place -= 1
      }
      // 999… becomes 1000…, one digit longer.
      if place >= 0 { kept[place] += 1 } else { kept.insert(UInt8(ascii: "1"), at: 0) }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
