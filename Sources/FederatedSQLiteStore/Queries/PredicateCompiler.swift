internal import FederatedModel
internal import FederatedStore

/// Turns bound predicates into SQL conditions that are true for exactly the same rows.
///
/// Whatever SQLite would answer otherwise than the language's rules (`fetching`: one two-valued logic, exact
/// numbers, strings by scalar) is refused with nil, and the store finishes it in memory.
struct PredicateCompiler {
  var context: CompilationContext

  /// - Returns: nil when the predicate, or some part that cannot be left out, has no equal in SQL.
  mutating func condition(_ predicate: BoundPredicate, in scope: inout SQLScope) -> SQLCondition? {
    switch predicate {
    case .constant(let value): return value ? .always : .never
    case .and(let terms): return self.conditions(terms, in: &scope).map(SQLCondition.all)
    case .or(let terms): return self.conditions(terms, in: &scope).map(SQLCondition.any)
    case .not(.not(let predicate)): return self.condition(predicate, in: &scope)
    case .not(let predicate): return self.condition(predicate, in: &scope)?.negated
    case .comparison(let comparison): return self.comparison(comparison, in: &scope)
    case .block: return nil
    }
  }

  private mutating func conditions(_ terms: [BoundPredicate], in scope: inout SQLScope) -> [SQLCondition]? {
    var conditions: [SQLCondition] = []
    for term in terms {
      guard let condition = self.condition(term, in: &scope) else { return nil }
      conditions.append(condition)
    }
    return conditions
  }

  private mutating func comparison(_ comparison: BoundPredicate.Comparison, in scope: inout SQLScope)
    -> SQLCondition?
  {
    guard let left = self.operand(comparison.left, in: &scope),
      let right = self.operand(comparison.right, in: &scope)
    else { return nil }
    let (comparator, options) = (comparison.operator, comparison.options)
    switch (comparison.modifier, left) {
    case (.direct, _): return self.compare(left, comparator, right, options: options, in: &scope)
    case (.any, .collection(let collection)):
      return self.exists(collection, in: &scope) { (compiler, element, scope) in
        compiler.compare(element, comparator, right, options: options, in: &scope)
      }
    case (.all, .collection(let collection)):
      return self.exists(collection, in: &scope) { (compiler, element, scope) in
        compiler.compare(element, comparator, right, options: options, in: &scope)?.negated
      }?.negated
    case (let modifier, .list(let values)) where values.count <= CompilationContext.longestInlineList:
      return self.compare(
        values.map { .constant($0) }, modifier, comparator, right, options: options, in: &scope)
    case (let modifier, .elements(let elements)):
      return self.compare(elements, modifier, comparator, right, options: options, in: &scope)
    default: return nil
    }
  }

  /// `ANY` or `ALL` of a list that is written out.
  private mutating func compare(
    _ elements: [SQLOperand], _ modifier: FetchPredicate.Modifier, _ comparator: FetchPredicate.Operator,
    _ right: SQLOperand, options: FetchPredicate.Options, in scope: inout SQLScope
  ) -> SQLCondition? {
    var conditions: [SQLCondition] = []
    for element in elements {
      guard let condition = self.compare(element, comparator, right, options: options, in: &scope) else {
        return nil
      }
      conditions.append(condition)
    }
    return modifier == .any ? .any(conditions) : .all(conditions)
  }
}
