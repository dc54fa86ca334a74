/// Every function that a predicate may call, by the name it has in the tree.
///
/// The infix operators are functions too: `a + b` is `add:to:(a, b)`. A format may write a one-word name with
/// or without its colon.
public enum FetchFunction: String, Hashable, Sendable, CaseIterable, Codable {
  case sum, count, min, max, average, median, mode, stddev
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case power = "raise:toPower:"
  case abs, sqrt, exp, ln, log, ceiling, floor, trunc
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case onesComplement
  case uppercase, lowercase, canonical, length
  case now, random, randomn
  /// `CAST(operand, "NSDate")`.
  case cast = "castObject:toType:"
  case objectAtIndex = "objectFrom:withIndex:"
  case noindex
  /// Read and printed, never answered: it needs location values.
  case distance = "distanceToLocation:fromLocation:"
  /// `FUNCTION(receiver, "selector:", …)`, for the selectors of ``Selector`` alone.
  case function = "FUNCTION"

  /// What `FUNCTION` may send.
  public enum Selector: String, Hashable, Sendable, CaseIterable {
    case dateByAddingTimeInterval = "dateByAddingTimeInterval:"
    case length
    case uppercaseString
    case lowercaseString
  }

  /// Finds a function by its name in a format: `sum`, `sum:`, `modulus:by:`.
  public init?(formatName name: String) {
    if let found = FetchFunction(rawValue: name), found != .function {
      self = found
    } else if name.last == ":", let found = FetchFunction(rawValue: String(name.dropLast())),
      found != .function
    {
      self = found
    } else {
      return nil
    }
  }

  /// How many operands a call may have.
  public var arity: ClosedRange<Int> {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .stddev: 1...Int.max
    case .add, .subtract, .multiply, .divide, .modulus, .power: 2...2
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift: 2...2
    case .cast, .objectAtIndex, .distance: 2...2
    case .now, .random: 0...0
    case .function: 2...Int.max
    case .abs, .sqrt, .exp, .ln, .log, .ceiling, .floor, .trunc, .onesComplement: 1...1
    case .uppercase, .lowercase, .canonical, .length, .randomn, .noindex: 1...1
    }
  }

  /// The sign between two operands, for the functions that have one.
  var infix: String? {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .power: "**"
    case .bitwiseAnd: "&"
    case .bitwiseOr: "|"
    case .bitwiseXor: "^"
    case .leftShift: "<<"
    case .rightShift: ">>"
    default: nil
    }
  }

  /// Whether the function takes one collection, or any number of values.
  package var isStatistic: Bool {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .stddev: true
    default: false
    }
  }

  /// Whether two calls with the same operands may differ.
  public var isVolatile: Bool { self == .random || self == .randomn }
}
