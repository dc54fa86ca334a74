/// Why a format cannot be read as a predicate, and where.
///
/// ```
/// column 12: expected a comparison operator, found ")"
///   (name LIKE a)
///              ^
/// ```
public struct PredicateFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  public var code: Code { self.content.code }
  public var format: String { self.content.format }
  /// The character where reading stopped, counted from 1 over the whole format.
  public var column: Int { self.content.column }
  /// What would have been right there, or what to do instead.
  public var expected: String { self.content.expected }
  /// What stood there; empty when nothing can be shown.
  public var found: String { self.content.found }

  private let content: Content

  /// By reference, so that every function that may throw it needs room for one word only.
  private final class Content: Sendable {
    let code: Code
    let format: String
    let column: Int
    let expected: String
    let found: String

    init(_ code: Code, _ format: String, _ column: Int, _ expected: String, _ found: String) {
      self.code = code
      self.format = format
      self.column = column
      self.expected = expected
      self.found = found
    }
  }

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
    self.content = Content(code, format, column, expected, found)
  }

  public static func == (left: PredicateFormatError, right: PredicateFormatError) -> Bool {
    left.code == right.code && left.format == right.format && left.column == right.column
      && left.expected == right.expected && left.found == right.found
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.code)
    hasher.combine(self.format)
    hasher.combine(self.column)
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
