import Foundation

/// Values and keys as a predicate's text writes them.
extension Value {
  func printLiteral(into text: inout String) {
    switch self {
    case .null: text += "nil"
    case .bool(let value): text += value ? "1" : "0"
    case .int(let value): text += value.description
    case .double(let value): value.printLiteral(into: &text)
    case .decimal(let value): Value.print(cast: value.description, "NSDecimalNumber", into: &text)
    case .string(let value): value.printQuoted(into: &text)
    case .date(let value): value.printLiteral(into: &text)
    case .data(let value): Value.print(cast: value.base64EncodedString(), "NSData", into: &text)
    case .uuid(let value): Value.print(cast: value.uuidString, "NSUUID", into: &text)
    case .uri(let value): Value.print(cast: value, "NSURL", into: &text)
    case .object(let id): text += "<object \(id.store.rawValue)/\(id.entity.rawValue)/\(id.reference)>"
    case .list(let values):
      text += "{"
      for (index, value) in values.enumerated() {
        if index > 0 { text += ", " }
        value.printLiteral(into: &text)
      }
      text += "}"
    }
  }

  private static func print(cast literal: String, _ type: String, into text: inout String) {
    text += "CAST("
    literal.printQuoted(into: &text)
    text += ", \"\(type)\")"
  }
}

extension Double {
  fileprivate func printLiteral(into text: inout String) {
    if self.isFinite {
      text += self.description
    } else {
      text += "CAST(\"\(self.isNaN ? "nan" : self < 0 ? "-inf" : "inf")\", \"NSNumber\")"
    }
  }
}

extension Date {
  /// Six decimals, or all digits when six do not give the instant back.
  fileprivate func printLiteral(into text: inout String) {
    let seconds = self.timeIntervalSinceReferenceDate
    let short = String(format: "%.6f", seconds)
    text += "CAST("
    if seconds.isFinite, Double(short)?.bitPattern == seconds.bitPattern {
      text += short
    } else {
      seconds.printLiteral(into: &text)
    }
    text += ", \"NSDate\")"
  }
}

extension String {
  fileprivate func printQuoted(into text: inout String) {
    text += "\""
    for scalar in self.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case "\u{0}"..<" ", "\u{7F}": text += String(format: "\\u%04X", scalar.value)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  /// A key as it is, or behind `#` when the text would read as something else.
  func printKey(mayBeginWithDollar: Bool, into text: inout String) {
    var rest = self.unicodeScalars[...]
    if rest.first == "@" || (mayBeginWithDollar && rest.first == "$") { rest.removeFirst() }
    let isName = rest.first?.beginsPredicateName == true && rest.allSatisfy(\.continuesPredicateName)
    if !isName {
      text += "#"
      self.printQuoted(into: &text)
    } else {
      if PredicateKeyword(spelling: self) != nil { text += "#" }
      text += self
    }
  }
}
