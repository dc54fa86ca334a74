import Foundation

/// A constant that has no literal of its own, written as a cast of one: `CAST(0.5, "NSDate")`.
///
/// | type | operand | constant |
/// | --- | --- | --- |
/// | `NSDate` | a number: seconds since 2001-01-01 UTC | a date |
/// | `NSUUID` | a string | a UUID |
/// | `NSData` | a string in base64 | bytes |
/// | `NSURL` | a string | a URI |
/// | `NSDecimalNumber` | a string of digits | a decimal |
/// | `NSNumber` | `"inf"`, `"-inf"`, `"nan"` | a double |
///
/// Everything else that is cast stays a call.
enum CastLiteral {
  case constant(Value)
  /// The literal does not spell a value of the type; holds what would.
  case malformed(expected: String)

  init?(_ operand: FetchExpression, _ type: String) {
    guard case .constant(let value) = operand else { return nil }
    switch (type, value) {
    case ("NSDate", .int(let seconds)): self.init(date: Double(seconds))
    case ("NSDate", .bool(let second)): self.init(date: second ? 1 : 0)
    case ("NSDate", .double(let seconds)): self.init(date: seconds)
    case ("NSUUID", .string(let text)):
      self.init(UUID(uuidString: text).map { .uuid($0) }, "the text of a UUID")
    case ("NSData", .string(let text)):
      self.init(Data(base64Encoded: text).map { .data($0) }, "bytes in base64")
    case ("NSURL", .string(let text)): self = .constant(.uri(text))
    case ("NSDecimalNumber", .string(let text)):
      self.init(Decimal(exactText: text).map { .decimal($0) }, "the digits of a decimal")
    case ("NSNumber", .string(let text)):
      guard let double = Double(text), !double.isFinite else { return nil }
      self = .constant(.double(double))
    default: return nil
    }
  }

  private init(date seconds: Double) {
    self = .constant(.date(Date(timeIntervalSinceReferenceDate: seconds)))
  }

  private init(_ value: Value?, _ expected: String) {
    self = value.map { .constant($0) } ?? .malformed(expected: expected)
  }
}

extension Decimal {
  /// Reads a decimal of which nothing is left over, and nothing rounded away.
  init?(exactText text: String) {
    if text == "NaN" {
      self = .nan
      return
    }
    var digits = 0
    var isValid = !text.isEmpty
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "-"), UInt8(ascii: "+"): isValid = isValid && index == 0
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): break
      default: isValid = false
      }
    }
    guard isValid, digits > 0, let decimal = Decimal(string: text, locale: nil), !decimal.isNaN else {
      return nil
    }
    self = decimal
  }
}
