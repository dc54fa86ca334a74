package import Foundation

/// A number of any kind, ready to be compared by what it is worth.
///
/// Whole numbers compare exactly, whatever kinds they are: 2^53 + 1 is not the double 2^53. A double that is
/// not whole stands, against a decimal, for its shortest decimal text: the double 12.1 equals the decimal 12.1,
/// since that is what was written. Both rules together keep one total order.
enum ExactNumber {
  case int(Int64)
  case double(Double)
  case decimal(Decimal)

  init?(_ value: Value) {
    switch value {
    case .bool(let bool): self = .int(bool ? 1 : 0)
    case .int(let int): self = .int(int)
    case .double(let double): self = .double(double)
    case .decimal(let decimal): self = .decimal(decimal)
    default: return nil
    }
  }

  /// nil when one of the two is NaN.
  func order(_ other: ExactNumber) -> Int? {
    switch (self, other) {
    case (.int(let a), .int(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.double(let a), .double(let b)): a < b ? -1 : a == b ? 0 : a > b ? 1 : nil
    case (.decimal(let a), .decimal(let b)): ExactNumber.order(a, b)
    case (.int(let a), .double(let b)): ExactNumber.order(a, b)
    case (.double(let a), .int(let b)): ExactNumber.order(b, a).map { -$0 }
    case (.int(let a), .decimal(let b)): ExactNumber.order(Decimal(a), b)
    case (.decimal(let a), .int(let b)): ExactNumber.order(a, Decimal(b))
    case (.decimal(let a), .double(let b)): ExactNumber.order(a, b)
    case (.double(let a), .decimal(let b)): ExactNumber.order(b, a).map { -$0 }
    }
  }

  static func order(_ a: Int64, _ b: Double) -> Int? {
    if b.isNaN { return nil }
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = Int64(b)
    if a != whole { return a < whole ? -1 : 1 }
    let rest = b - b.rounded(.towardZero)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  static func order(_ a: Decimal, _ b: Decimal) -> Int? {
    if a.isNaN || b.isNaN { return nil }
    return a < b ? -1 : a == b ? 0 : 1
  }

  static func order(_ a: Decimal, _ b: Double) -> Int? {
    if a.isNaN || b.isNaN { return nil }
    if let decimal = ExactNumber.decimal(of: b) { return ExactNumber.order(a, decimal) }
    // Beyond all decimals, or nearer to zero than any.
    if b.magnitude >= 1 { return b > 0 ? -1 : 1 }
    return a == 0 ? (b > 0 ? -1 : 1) : a > 0 ? 1 : -1
  }

  /// The decimal that a double stands for; nil when no decimal reaches it.
  static func decimal(of double: Double) -> Decimal? {
    if !double.isFinite { return nil }
    if double.magnitude < 0x1p63, double == double.rounded(.towardZero) { return Decimal(Int64(double)) }
    if double.magnitude < 0x1p126, double == double.rounded(.towardZero) {
      let digits = UInt128(double.magnitude).description
      // More digits than a decimal keeps: the text is the best there is.
      if digits.utf8.count <= 38, let whole = Decimal(string: digits, locale: nil) {
        return double < 0 ? -whole : whole
      }
    }
    if let packed = PackedDecimal(shortest: double)?.decimal { return packed }
    guard let decimal = Decimal(string: double.description, locale: nil), !decimal.isNaN else { return nil }
    return decimal == 0 && double != 0 ? nil : decimal
  }

  /// One value for all numbers that are equal.
  var canonical: Value {
    switch self {
    case .int(let int): return .int(int)
    case .double(let double):
      if let int = Int64(exactly: double) { return .int(int) }
      return ExactNumber.decimal(of: double).map { ExactNumber.decimal($0).canonical } ?? .double(double)
    case .decimal(let decimal):
      if decimal.isNaN { return .decimal(decimal) }
      var text = decimal.description
      if text.utf8.contains(UInt8(ascii: ".")) {
        while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
        if text.utf8.last == UInt8(ascii: ".") { text.removeLast() }
      }
      if let int = Int64(text) { return .int(int) }
      return .decimal(Decimal(string: text, locale: nil) ?? decimal)
    }
  }
}

extension Double {
  /// The decimal that predicates call equal to the double; nil when there is none.
  package var equalDecimal: Decimal? { ExactNumber.decimal(of: self) }
}
