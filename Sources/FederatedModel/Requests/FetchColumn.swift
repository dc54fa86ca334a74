/// A column of dictionary results: a stored property, or an expression under a name.
///
/// A string literal names an attribute, a to-one relationship, `objectID`, or a path of to-ones that ends in one of
/// them:
///
/// ```swift
/// request.propertiesToFetch = ["name", "department.name", .expression(try ExpressionDescription("pay", "salary * 12"))]
/// ```
public enum FetchColumn: Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// Found in the dictionaries under its own text.
  case property(String)
  case expression(ExpressionDescription)

  public init(stringLiteral name: String) { self = .property(name) }

  /// The key that the column has in each dictionary.
  public var name: String {
    switch self {
    case .property(let name): name
    case .expression(let expression): expression.name
    }
  }
}

/// A named expression that dictionary results have as a column.
///
/// It is no property of an entity, so no model can hold one. A statistic over one value of a row (`sum(salary)`) is an
/// *aggregate*: it is taken over all rows, or over those of each group when the request groups. Aggregates pass nil
/// over; `count(SELF)` counts the rows themselves.
///
/// ```swift
/// try ExpressionDescription("headcount", "count(SELF)")
/// try ExpressionDescription("share", "sum(paid) / sum(total)", resultType: .double)
/// ```
public struct ExpressionDescription: Hashable, Sendable, Codable {
  /// The key in each dictionary; it must differ from the names of the other columns.
  public var name: String
  public var expression: FetchExpression
  /// The kind that results take; nil leaves it to the expression. A result that would lose something by it is an error.
  public var resultType: AttributeType?

  public init(_ name: String, _ expression: FetchExpression, resultType: AttributeType? = nil) {
    self.name = name
    self.expression = expression
    self.resultType = resultType
  }

  /// Reads the expression from its text.
  /// - Throws: ``PredicateFormatError`` with the column and what was expected there.
  public init(
    _ name: String, _ format: String, _ arguments: any PredicateArgument..., resultType: AttributeType? = nil
  ) throws(PredicateFormatError) {
    self.init(name, try FetchExpression(format: format, arguments: arguments), resultType: resultType)
  }
}
