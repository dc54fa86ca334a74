package import FederatedModel
internal import Foundation

extension TextConversion {
  /// The text that stands for a value.
  /// - Parameter old: a text that stood in the same place, whose style is kept: its zone, its words, its case.
  /// - Returns: nil for null, for a value of another type, and when no text gives exactly this value back.
  package func text(of value: Value, like old: String? = nil) -> String? {
    guard let text = self.candidate(value, old) else { return nil }
    // What was read before and is the same value keeps its spelling: `1.50` stays.
    if let old, self.value(of: old) == value { return old }
    return self.value(of: text) == value ? text : nil
  }

  private func candidate(_ value: Value, _ old: String?) -> String? {
    switch (self.form, value) {
    case (.iso(let dates), .date(let date)): return dates.text(date, like: old)
    case (.pattern(let dates), .date(let date)): return dates.text(date)
    case (.seconds(let dates), .date(let date)): return dates.text(date)
    case (.words(let yes, let no), .bool(let flag)): return flag ? yes : no
    case (.hex, .data(let data)): return TextConversion.hex(data, like: old)
    case (.plain, _): return TextConversion.plain(value, like: old)
    default: return nil
    }
  }

  private static func plain(_ value: Value, like old: String?) -> String? {
    switch value {
    case .string(let text), .uri(let text): text
    case .int(let number): String(number)
    case .double(let number): self.text(number)
    case .decimal(let number): number.isFinite ? number.description : nil
    case .bool(let flag): self.text(flag, like: old)
    case .uuid(let uuid): self.isLowercase(old) ? uuid.uuidString.lowercased() : uuid.uuidString
    case .data(let data): data.base64EncodedString()
    case .null, .date, .object, .list: nil
    }
  }

  /// The shortest text; whole numbers without a point.
  private static func text(_ number: Double) -> String {
    if number == number.rounded(), number.magnitude < 1e15, number.bitPattern != (-0.0).bitPattern {
      return String(Int64(number))
    }
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-INF" : "INF" }
    return number.description
  }

  private static func text(_ flag: Bool, like old: String?) -> String {
    switch old {
    case "0", "1": flag ? "1" : "0"
    case "TRUE", "FALSE": flag ? "TRUE" : "FALSE"
    case "True", "False": flag ? "True" : "False"
    default: flag ? "true" : "false"
    }
  }

  private static func isLowercase(_ text: String?) -> Bool {
    text.map { text in !text.contains(where: \.isUppercase) && text.contains(where: \.isLowercase) } ?? false
  }

  private static func hex(_ data: Data, like old: String?) -> String {
    let isUpper = old.map { !$0.contains(where: \.isLowercase) && $0.contains(where: \.isUppercase) } ?? false
    return data.map { byte in
      let digits = String(byte, radix: 16, uppercase: isUpper)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }
}
