/// A question that a row answers with yes or no: plain data, equal and hashed by structure, but for blocks.
public indirect enum FetchPredicate: Hashable, Sendable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(Comparison)
  case and([FetchPredicate])
  case or([FetchPredicate])
  case not(FetchPredicate)
  /// A condition in Swift, known by its identity.
  case block(PredicateBlock)

  /// Left operand, operator, right operand, and how strings and collections are taken.
  public struct Comparison: Hashable, Sendable, Codable {
    public var left: FetchExpression
    public var `operator`: Operator
    public var right: FetchExpression
    public var modifier: Modifier
    public var options: Options

    public init(
      _ left: FetchExpression, _ operator: Operator, _ right: FetchExpression,
      modifier: Modifier = .direct, options: Options = []
    ) {
      self.left = left
      self.operator = `operator`
      self.right = right
      self.modifier = modifier
      self.options = options
    }
  }

  /// How two operands are compared; the raw value is the word of the format.
  public enum Operator: String, Hashable, Sendable, CaseIterable, Codable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case `in` = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
  }

  /// How many elements of a to-many operand must compare. `NONE` is `NOT ANY`, and `SOME` is `ANY`.
  public enum Modifier: String, Hashable, Sendable, Codable {
    case direct = ""
    case any = "ANY"
    case all = "ALL"
  }

  /// The flags behind an operator, `[cdnl]`.
  public struct Options: OptionSet, Hashable, Sendable, Codable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// `[c]`: case does not matter.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`: marks do not matter.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// Strings are said to be folded already: compare literally.
    public static let normalized = Options(rawValue: 4)
    /// `[l]`.
    public static let localeSensitive = Options(rawValue: 8)
  }
}
