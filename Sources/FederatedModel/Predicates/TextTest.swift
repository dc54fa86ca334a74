import Foundation

/// One side of a comparison of texts, made ready: the pattern folded, compiled or read.
struct TextTest: Sendable {
  private enum Rule: Sendable {
    case equal(String)
    case ordered(String)
    case contains(String)
    case hasPrefix(String)
    case hasSuffix(String)
    /// `text IN 'longer text'`: the constant holds the text asked about.
    case containedIn(String)
    case like(GlobPattern)
    case matches(RegularExpressionMatch)
  }

  private let rule: Rule
  private let options: FetchPredicate.Options
  /// Which orders of text and pattern pass; for `equal` and `ordered`.
  private let outcomes: ComparisonOutcomes

  init(
    _ comparator: FetchPredicate.Operator, _ pattern: String, _ options: FetchPredicate.Options
  ) throws(FetchPredicateError) {
    self.options = options
    self.outcomes = ComparisonOutcomes(comparator)
    let folded = StringMatching.fold(pattern, options)
    switch comparator {
    case .equal, .notEqual: self.rule = .equal(folded)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      self.rule = .ordered(options.collates ? pattern : StringMatching.orderKey(pattern, options))
    case .contains: self.rule = .contains(folded)
    case .beginsWith: self.rule = .hasPrefix(folded)
    case .endsWith: self.rule = .hasSuffix(folded)
    case .in: self.rule = .containedIn(folded)
    case .like: self.rule = .like(GlobPattern(pattern, options))
    case .matches: self.rule = .matches(try RegularExpressionMatch(pattern, options))
    case .between:
      throw FetchPredicateError(.invalidRange, subject: "BETWEEN", "takes a list of two bounds, not text")
    }
  }

  func accepts(_ text: String) -> Bool {
    switch self.rule {
    case .equal(let pattern):
      let isEqual = StringMatching.fold(text, self.options).utf8.elementsEqual(pattern.utf8)
      return self.outcomes.contains(isEqual ? .equal : .less)
    case .ordered(let pattern):
      let order =
        self.options.collates
        ? StringMatching.order(text, pattern, self.options)
        : StringMatching.scalarOrder(StringMatching.orderKey(text, self.options), pattern)
      return self.outcomes.contains(ComparisonOutcomes(order: order))
    case .contains(let pattern):
      return StringMatching.contains(StringMatching.fold(text, self.options), pattern)
    case .hasPrefix(let pattern):
      return StringMatching.hasPrefix(StringMatching.fold(text, self.options), pattern)
    case .hasSuffix(let pattern):
      return StringMatching.hasSuffix(StringMatching.fold(text, self.options), pattern)
    case .containedIn(let longer):
      return StringMatching.contains(longer, StringMatching.fold(text, self.options))
    case .like(let pattern): return pattern.matches(text)
    case .matches(let pattern): return pattern.matches(text)
    }
  }

  /// The rule as bytes, when bytes are enough to answer it.
  var inPlace: (kind: InPlaceTest.Kind, pattern: String, outcomes: ComparisonOutcomes)? {
    guard !self.options.folds, !self.options.collates else { return nil }
    switch self.rule {
    case .equal(let pattern): return (.equalBytes, pattern, self.outcomes)
    case .ordered(let pattern): return (.orderedBytes, pattern, self.outcomes)
    case .contains(let pattern): return (.containedBytes, pattern, [])
    case .hasPrefix(let pattern): return (.prefix, pattern, [])
    case .hasSuffix(let pattern): return (.suffix, pattern, [])
    case .containedIn, .like, .matches: return nil
    }
  }
}

/// How two values may stand to each other for a comparison to hold.
struct ComparisonOutcomes: OptionSet, Sendable {
  let rawValue: UInt8
  static let less = ComparisonOutcomes(rawValue: 1)
  static let equal = ComparisonOutcomes(rawValue: 2)
  static let greater = ComparisonOutcomes(rawValue: 4)
  /// nil, NaN or a value of another kind is involved.
  static let unordered = ComparisonOutcomes(rawValue: 8)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(order: Int?) {
    guard let order else {
      self = .unordered
      return
    }
    self = order < 0 ? .less : order == 0 ? .equal : .greater
  }

  init(_ comparator: FetchPredicate.Operator) {
    switch comparator {
    case .equal: self = .equal
    case .notEqual: self = [.less, .greater, .unordered]
    case .less: self = .less
    case .lessOrEqual: self = [.less, .equal]
    case .greater: self = .greater
    case .greaterOrEqual: self = [.greater, .equal]
    default: self = []
    }
  }
}

extension FetchPredicate.Operator {
  var isEquality: Bool { self == .equal || self == .notEqual }

  var isOrder: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }

  /// Whether the operator takes text on both sides (`CONTAINS` and `IN` may).
  var isTextOnly: Bool {
    switch self {
    case .beginsWith, .endsWith, .like, .matches: true
    default: false
    }
  }

  /// The operator with its sides exchanged; nil when there is none.
  var mirrored: FetchPredicate.Operator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }
}
