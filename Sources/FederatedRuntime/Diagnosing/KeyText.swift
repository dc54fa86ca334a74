import FederatedModel
import FederatedStore
import Foundation

/// Texts of keys, made comparable beyond what a predicate compares.
enum KeyText {
  /// What is done to a text before it is compared.
  struct Steps: OptionSet, Sendable {
    let rawValue: Int
    static let composes = Steps(rawValue: 1)
    static let trims = Steps(rawValue: 2)
    static let foldsCase = Steps(rawValue: 4)
    static let foldsMarks = Steps(rawValue: 8)
    static let foldsForms = Steps(rawValue: 16)
    static let all: Steps = [.composes, .trims, .foldsCase, .foldsMarks, .foldsForms]

    static let mightiestFirst: [(Steps, KeyDifference)] = [
      (.foldsForms, .compatibility), (.foldsMarks, .diacritics), (.foldsCase, .letterCase),
      (.trims, .whitespace), (.composes, .normalization),
    ]
  }

  static func loosened(_ text: String, _ steps: Steps) -> String {
    var text = text
    // The commonest text needs nothing but smaller letters.
    if steps.contains(.all), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      return StringMatching.fold(text, .caseInsensitive)
    }
    if steps.contains(.foldsForms) {
      text = text.precomposedStringWithCompatibilityMapping
    } else if steps.contains(.composes) {
      text = text.precomposedStringWithCanonicalMapping
    }
    if steps.contains(.trims) { text = self.trimmed(text) }
    var options: FetchPredicate.Options = []
    if steps.contains(.foldsCase) { options.insert(.caseInsensitive) }
    if steps.contains(.foldsMarks) { options.insert(.diacriticInsensitive) }
    return StringMatching.fold(text, options)
  }

  /// Equality by scalars: that of `String` takes both writings of é as one.
  static func areSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

  /// The words of a text, one space between them, without invisible characters.
  private static func trimmed(_ text: String) -> String {
    var trimmed = String.UnicodeScalarView()
    var isSpaced = false
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace {
        isSpaced = true
        continue
      }
      switch scalar.properties.generalCategory {
      case .format, .control: continue
      default: break
      }
      if isSpaced, !trimmed.isEmpty { trimmed.append(" ") }
      isSpaced = false
      trimmed.append(scalar)
    }
    return String(trimmed)
  }

  // MARK: Values that texts spell

  /// The number that a text spells, whatever zeros and spaces stand around it.
  static func number(of text: String) -> Decimal? {
    guard text.utf8.count <= 64, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    guard case .decimal(let number)? = self.numbers?.value(of: self.trimmed(text)) else { return nil }
    return number
  }

  /// The UUID that a text spells: with hyphens or without, in braces, as a URN.
  static func uuid(of text: String) -> UUID? {
    guard (32...48).contains(text.utf8.count) else { return nil }
    var digits = self.trimmed(text).lowercased()
    if digits.hasPrefix("urn:uuid:") { digits.removeFirst("urn:uuid:".count) }
    digits.removeAll { $0 == "-" || $0 == "{" || $0 == "}" }
    guard digits.utf8.count == 32 else { return nil }
    for place in [20, 16, 12, 8] {
      digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place))
    }
    return UUID(uuidString: digits)
  }

  /// The UUID whose bytes these are.
  static func uuid(of data: Data) -> UUID? {
    guard data.count == 16 else { return nil }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: data) }
    return UUID(uuid: bytes)
  }

  /// The instant that an ISO 8601 text spells; one without a zone is of UTC.
  static func date(of text: String) -> Date? {
    guard (10...40).contains(text.utf8.count) else { return nil }
    guard case .date(let date)? = self.dates?.value(of: self.trimmed(text)) else { return nil }
    return date
  }

  private static let numbers = TextConversion(.decimal, .standard, zone: .required)
  private static let dates = TextConversion(.date, .iso8601(.utc), zone: .utc)

  // MARK: Printing

  /// A key value for the eye of a reader: dates as ISO 8601 text, everything else as a predicate writes it.
  /// - Parameter reveals: whether characters that are no plain ones are told by their numbers.
  static func shown(_ value: Value, revealing reveals: Bool = false) -> String {
    if case .date(let date) = value, date.timeIntervalSinceReferenceDate.magnitude < 1e11 {
      let seconds = date.timeIntervalSinceReferenceDate
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: seconds != seconds.rounded())
      return date.formatted(style)
    }
    let text = ExplanationText.short("\(value)", to: 120)
    guard reveals else { return text }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      if scalar.value >= 0x20 && scalar.value < 0x7F {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
  }

  /// Several values of one key.
  static func shown(_ key: [Value], revealing reveals: Bool = false) -> String {
    key.map { self.shown($0, revealing: reveals) }.joined(separator: ", ")
  }
}
