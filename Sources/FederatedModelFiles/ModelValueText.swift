import FederatedModel
import Foundation

/// Values as model files write them, both ways.
enum ModelValueText {
  static func flag(_ text: String) -> Bool? {
    switch text {
    case "YES", "1", "true": true
    case "NO", "0", "false": false
    default: nil
    }
  }

  static func text(_ flag: Bool) -> String { flag ? "YES" : "NO" }

  /// Nil when the text is no value of the type.
  static func value(_ text: String, of type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64:
      if let number = Int64(text) { return type.normalized(.int(number)) }
      // Attributes that once were flags keep their old default.
      if text == "YES" || text == "NO" { return .int(text == "YES" ? 1 : 0) }
      return self.decimal(text).flatMap { type.normalized(.decimal($0)) }
    case .decimal: return self.decimal(text).map(Value.decimal)
    case .double, .float: return Double(text).map(Value.double)
    case .boolean: return self.flag(text).map(Value.bool)
    case .date:
      guard let seconds = Double(text), seconds.isFinite else { return nil }
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .string: return .string(text)
    case .uuid: return UUID(uuidString: text).map(Value.uuid)
    case .uri: return .uri(text)
    default: return nil
    }
  }

  /// Nil when model files have no text for such a value.
  static func text(_ value: Value) -> String? {
    switch value {
    case .int(let number): return String(number)
    case .decimal(let number): return number.description
    case .double(let number): return number.description
    case .bool(let flag): return self.text(flag)
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      return Int64(exactly: seconds).map(String.init) ?? seconds.description
    case .string(let text), .uri(let text): return text
    case .uuid(let uuid): return uuid.uuidString
    case .null, .data, .object, .list: return nil
    }
  }

  /// `Decimal(string:)` takes the beginning of a text for the whole, so the shape is checked first.
  private static func decimal(_ text: String) -> Decimal? {
    guard text.wholeMatch(of: /[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?/) != nil else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}
