extension FetchPredicate {
  /// Reads a predicate from its text.
  ///
  /// ```swift
  /// try FetchPredicate(format: "number > %@ AND %K BEGINSWITH[c] %@", 100, "name", "a")
  /// ```
  /// Keywords are read without regard to case; keys and variables are not. An argument is always a constant
  /// (`%@`) or keys (`%K`), never syntax.
  /// - Throws: ``PredicateFormatError`` with the column and what was expected there.
  public init(format: String, _ arguments: any PredicateArgument...) throws(PredicateFormatError) {
    self = try PredicateParser.predicate(format, arguments)
  }

  /// Reads a predicate whose arguments stand in an array.
  public init(format: String, arguments: [any PredicateArgument]) throws(PredicateFormatError) {
    self = try PredicateParser.predicate(format, arguments)
  }
}

extension FetchExpression {
  /// Reads one operand from its text: `books.@sum.pages * 2`.
  /// - Throws: ``PredicateFormatError`` with the column and what was expected there.
  public init(format: String, _ arguments: any PredicateArgument...) throws(PredicateFormatError) {
    self = try PredicateParser.expression(format, arguments)
  }

  /// Reads an operand whose arguments stand in an array.
  public init(format: String, arguments: [any PredicateArgument]) throws(PredicateFormatError) {
    self = try PredicateParser.expression(format, arguments)
  }
}
