/// A value compared with another one, by the rules that hold in every store.
///
/// nil is an ordinary value: it equals nil alone, and nothing is less or greater than it or like it.
enum ValueComparison {
  static func holds(
    _ left: Value, _ comparator: FetchPredicate.Operator, _ right: Value, _ options: FetchPredicate.Options
  ) throws(FetchPredicateError) -> Bool {
    switch comparator {
    case .equal: return try self.equal(left, right, options)
    case .notEqual: return !(try self.equal(left, right, options))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return ComparisonOutcomes(comparator).contains(
        ComparisonOutcomes(order: try self.order(left, right, options)))
    case .between:
      guard case .list(let bounds) = right, bounds.count == 2 else { throw self.noRange(right) }
      return try self.between(left, bounds[0], bounds[1], options)
    case .in:
      switch right {
      case .list(let elements):
        for element in elements where try self.equal(left, element, options) { return true }
        return false
      case .null: return false
      default: return try self.text(left, comparator, right, options)
      }
    case .contains:
      if case .list(let elements) = left {
        for element in elements where try self.equal(element, right, options) { return true }
        return false
      }
      return try self.text(left, comparator, right, options)
    case .beginsWith, .endsWith, .like, .matches: return try self.text(left, comparator, right, options)
    }
  }

  static func equal(
    _ left: Value, _ right: Value, _ options: FetchPredicate.Options
  ) throws(FetchPredicateError) -> Bool {
    switch (left, right) {
    case (.date, .int), (.date, .double), (.date, .decimal), (.date, .bool), (.int, .date), (.double, .date),
      (.decimal, .date), (.bool, .date):
      throw self.dateWithNumber(left)
    default: break
    }
    if options.folds, let a = left.text, let b = right.text { return StringMatching.equal(a, b, options) }
    return left.matches(right)
  }

  static func order(
    _ left: Value, _ right: Value, _ options: FetchPredicate.Options
  ) throws(FetchPredicateError) -> Int? {
    if !options.isEmpty, let a = left.text, let b = right.text { return StringMatching.order(a, b, options) }
    return try left.order(right)
  }

  static func between(
    _ value: Value, _ low: Value, _ high: Value, _ options: FetchPredicate.Options
  ) throws(FetchPredicateError) -> Bool {
    let (above, below) = (try self.order(low, value, options), try self.order(value, high, options))
    guard let above, let below else { return false }
    return above <= 0 && below <= 0
  }

  static func dateWithNumber(_ value: Value) -> FetchPredicateError {
    FetchPredicateError(
      .predicateTypeMismatch, subject: value.description,
      "a date is compared with a number: write CAST(number, \"NSDate\")")
  }

  static func noRange(_ found: Value) -> FetchPredicateError {
    FetchPredicateError(
      .invalidRange, subject: found.description,
      "BETWEEN takes a list of two bounds, the lower one first")
  }

  /// Operators that take text on both sides; nil on either is false.
  private static func text(
    _ left: Value, _ comparator: FetchPredicate.Operator, _ right: Value, _ options: FetchPredicate.Options
  ) throws(FetchPredicateError) -> Bool {
    for value in [left, right] where !value.isNull && value.text == nil {
      throw FetchPredicateError(
        .predicateTypeMismatch, subject: comparator.rawValue,
        "compares text, not \(value.kindName): \(value)")
    }
    guard let pattern = right.text else { return false }
    let test = try TextTest(comparator, pattern, options)
    return left.text.map(test.accepts) ?? false
  }
}

extension Value {
  /// The text of a string or URI.
  var text: String? {
    switch self {
    case .string(let text), .uri(let text): text
    default: nil
    }
  }
}
