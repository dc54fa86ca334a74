/// One operand of a predicate: plain data, equal and hashed by structure.
///
/// Arithmetic and bit operators are functions under their long names (`add:to:`, `from:subtract:`,
/// `multiply:by:`, `divide:by:`, `raise:toPower:`, `bitwiseAnd:with:` …).
public indirect enum FetchExpression: Sendable {
  /// A literal or a bound value.
  case constant(Value)
  /// `SELF`: the object that is asked.
  case evaluatedObject
  /// `$name`, kept without the dollar sign.
  case variable(String)
  /// Keys walked from the object that is asked: `author.name`, `books.@count`. Never empty.
  case keyPath([String])
  /// Keys walked from another operand: `$FETCH_SOURCE.books.title`. Never empty.
  case path(FetchExpression, [String])
  /// `list[0]`, `list[FIRST]`.
  case index(FetchExpression, Index)
  /// A function by its canonical name (``FetchFunction``), with or without colons as the registry has it.
  case function(String, [FetchExpression])
  /// `{a, b, c}`.
  case aggregate([FetchExpression])
  /// `SUBQUERY(collection, $variable, predicate)`.
  case subquery(FetchExpression, variable: String, FetchPredicate)
  /// `TERNARY(predicate, then, else)`.
  case conditional(FetchPredicate, FetchExpression, FetchExpression)
  /// `a UNION b`, `a INTERSECT b`, `a MINUS b`.
  case setOperation(SetOperation, FetchExpression, FetchExpression)

  public enum Index: Hashable, Sendable {
    case at(FetchExpression)
    case first, last, size
  }

  public enum SetOperation: String, Hashable, Sendable, CaseIterable, Codable {
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"
  }
}
