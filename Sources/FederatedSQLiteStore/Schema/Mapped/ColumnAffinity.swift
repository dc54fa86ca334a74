internal import FederatedStore
internal import Foundation

/// What SQLite makes of values on their way into a column, by the words that the column is declared with.
enum ColumnAffinity: Sendable, Hashable {
  case integer, text, blob, real, numeric

  /// By the rules of SQLite's documentation, in their order.
  init(declared words: String) {
    let words = words.uppercased()
    func has(_ part: String) -> Bool { words.contains(part) }
    if has("INT") {
      self = .integer
    } else if has("CHAR") || has("CLOB") || has("TEXT") {
      self = .text
    } else if words.isEmpty || has("BLOB") {
      self = .blob
    } else if has("REAL") || has("FLOA") || has("DOUB") {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// Whether a text that reads as a number cannot stand in the column: it became one.
  var keepsNumbers: Bool {
    switch self {
    case .integer, .real, .numeric: true
    case .text, .blob: false
    }
  }

  /// The part of a key as it compares with a column of this affinity.
  func applied(to value: SQLValue) -> SQLValue {
    switch (self, value) {
    case (.text, .int(let number)): return .text(String(number))
    case (.text, .double(let number)): return .text(number.description)
    case (.integer, .text(let text)), (.real, .text(let text)), (.numeric, .text(let text)):
      if let number = Int64(text) { return .int(number) }
      return Double(text).map { self.applied(to: .double($0)) } ?? value
    case (_, .double(let number)): return Int64(exactly: number).map { .int($0) } ?? value
    default: return value
    }
  }
}
