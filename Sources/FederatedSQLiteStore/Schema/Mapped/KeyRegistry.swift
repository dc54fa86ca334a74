internal import FederatedStore
internal import Foundation

/// The keys of one store that are no whole numbers, and the references that stand for them.
///
/// A reference is made of the key's text, so it is the same over reload, in every process, and in whatever order
/// keys are met (``ReferenceNames``).
final class KeyRegistry: Sendable {
  private let state = Lock(State())

  private struct State {
    var names = ReferenceNames()
    var references: [[SQLValue]: Int64] = [:]
    var keys: [Int64: [SQLValue]] = [:]
  }

  func reference(of key: [SQLValue]) -> Int64 {
    self.state.withLock { state in
      if let known = state.references[key] { return known }
      let reference = state.names.intern(KeyText.text(of: key))
      state.references[key] = reference
      state.keys[reference] = key
      return reference
    }
  }

  func key(of reference: Int64) -> [SQLValue]? { self.state.withLock { $0.keys[reference] } }

  /// The text of a key in a URI; nil for a reference that is no key's.
  func text(of reference: Int64) -> String? { self.key(of: reference).map(KeyText.text) }

  /// The reference of a key that a URI names.
  func reference(ofText text: String) -> Int64? { KeyText.key(in: text).map { self.reference(of: $0) } }
}

/// The text of a key: its parts with commas between them.
///
/// A text stands as it is, behind `'` where it would read as something else; `%`, `,` and `~` in it become `~25`, `~2C`
/// and `~7E`, so that the percent signs of a URI are never its own. Numbers stand behind `#`, bytes behind `x'`.
enum KeyText {
  static func text(of key: [SQLValue]) -> String { key.map(self.text).joined(separator: ",") }

  /// - Returns: nil for a text that no key has.
  static func key(in text: String) -> [SQLValue]? {
    if text.contains("%") { return nil }
    var key: [SQLValue] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let value = self.value(in: part) else { return nil }
      key.append(value)
    }
    // Only the one text that a key has: another one must not become a second reference of the row.
    return self.text(of: key).utf8.elementsEqual(text.utf8) ? key : nil
  }

  private static let escapes = [("~", "~7E"), ("%", "~25"), (",", "~2C")]

  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: return ""
    case .int(let value): return "#\(value)"
    case .double(let value): return "#\(value)"
    case .blob(let bytes): return "x'" + bytes.base64EncodedString()
    case .text(let text):
      let escaped = self.escapes.reduce(text) { $0.replacing($1.0, with: $1.1) }
      let isPlain =
        !escaped.isEmpty && !escaped.hasPrefix("#") && !escaped.hasPrefix("'") && !escaped.hasPrefix("x'")
      return (isPlain && Int64(escaped) == nil ? "" : "'") + escaped
    }
  }

  private static func value(in part: Substring) -> SQLValue? {
    if part.hasPrefix("#") {
      let digits = part.dropFirst()
      return Int64(digits).map { .int($0) } ?? Double(digits).map { .double($0) }
    }
    if part.hasPrefix("x'") { return Data(base64Encoded: String(part.dropFirst(2))).map { .blob($0) } }
    if part.isEmpty { return nil }
    let text = String(part.hasPrefix("'") ? part.dropFirst() : part)
    return .text(self.escapes.reversed().reduce(text) { $0.replacing($1.1, with: $1.0) })
  }
}
