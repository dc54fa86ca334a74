/// Why a format cannot be read as a predicate, and where.
///
/// ```
/// column 12: expected a comparison operator, found ")"
///   (name LIKE a)
///              ^
/// ```
public struct PredicateFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  public let code: Code
  public let format: String
  /// The character where reading stopped, counted from 1 over the whole format.
  public let column: Int
  /// What would have been right there, or what to do instead.
  public let expected: String
  /// What stood there; empty when nothing can be shown.
  public let found: String

  public enum Code: String, Sendable, Hashable, CaseIterable {
    case syntax
    /// A placeholder without its argument, an argument without its placeholder, or one of the wrong kind.
    case arguments
    case unknownFunction
    /// A construct of the language that no store answers.
    case unsupportedConstruct
    case nestedTooDeep
  }

  public init(_ code: Code, format: String, column: Int, expected: String, found: String = "") {
    self.code = code
    self.format = format
    self.column = column
    self.expected = expected
    self.found = found
  }

  public var description: String {
    let message =
      "column \(self.column): expected \(self.expected)" + (self.found.isEmpty ? "" : ", found \(self.found)")
    let (line, place) = self.lineInQuestion
    return "\(message)\n  \(line)\n  \(String(repeating: " ", count: place))^"
  }

  /// The line of the format that holds the column, and the place in it.
  private var lineInQuestion: (String, Int) {
    var line = ""
    var place = self.column - 1
    var seen = 0
    for character in self.format {
      if character.isNewline {
        if seen >= self.column - 1 { break }
        place = self.column - 2 - seen
        line = ""
      } else {
        line.append(character == "\t" ? " " : character)
      }
      seen += 1
    }
    return (line, place)
  }
}
