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
    if case .collection(let collection) = left {
      return self.quantified(collection, comparison, right)
    }
    guard comparison.modifier == .direct else { return nil }
    // `value IN collection` is `ANY collection == value`.
    if comparison.operator == .in, case .collection(let collection) = right, comparison.options.isEmpty {
      return self.exists(collection) { (compiler, element, _) in
        compiler.compare(element, .equal, left, options: [])
      }
    }
    return self.compare(left, comparison.operator, right, options: comparison.options)
  }

  // MARK: To-many paths

  private mutating func quantified(
    _ collection: SQLCollection, _ comparison: BoundPredicate.Comparison, _ right: SQLOperand
  ) -> SQLCondition? {
    switch comparison.modifier {
    case .any:
      return self.exists(collection) { (compiler, element, _) in
        compiler.compare(element, comparison.operator, right, options: comparison.options)
      }
    case .all:
      let broken = self.exists(collection) { (compiler, element, _) in
        compiler.compare(element, comparison.operator, right, options: comparison.options)?.negated
      }
      return broken?.negated
    case .direct:
      if collection.rest == [.collectionOperator(.count)] { return self.count(collection, comparison, right) }
      guard comparison.operator == .contains, comparison.options.isEmpty else { return nil }
      return self.exists(collection) { (compiler, element, _) in
        compiler.compare(element, .equal, right, options: [])
      }
    }
  }

  /// Whether some element of a collection passes a test.
  private mutating func exists(
    _ collection: SQLCollection,
    _ test: (inout PredicateCompiler, SQLOperand, inout SQLScope) -> SQLCondition?
  ) -> SQLCondition? {
    guard let (rows, link) = self.rows(of: collection) else { return nil }
    var scope = rows
    guard
      let element = self.operand(
        collection.rest[...], from: collection.relationship.destination, alias: scope.alias, in: &scope)
    else { return nil }
    let condition: SQLCondition?
    if case .collection(let next) = element {
      condition = self.exists(next, test)
    } else {
      condition = test(&self, element, &scope)
    }
    guard let table = self.context.layout.table(of: collection.relationship.destination) else { return nil }
    let head =
      "EXISTS (SELECT 1 FROM \(table.name.quotedName) AS \(scope.alias)\(scope.joinText) WHERE \(link)"
    switch condition {
    case nil: return nil
    case .never?: return .never
    case .always?: return .test(SQLFragment(head + ")"))
    case .test(let fragment)?: return .test("\(head) AND " + fragment + ")")
    }
  }

  private mutating func count(
    _ collection: SQLCollection, _ comparison: BoundPredicate.Comparison, _ right: SQLOperand
  ) -> SQLCondition? {
    guard let (scope, link) = self.rows(of: collection),
      let table = self.context.layout.table(of: collection.relationship.destination)
    else { return nil }
    let sql = "(SELECT COUNT(*) FROM \(table.name.quotedName) AS \(scope.alias) WHERE \(link))"
    return self.compare(
      .column(ColumnOperand(sql: sql, encoding: .int, type: .integer64, root: nil)), comparison.operator,
      right,
      options: comparison.options)
  }
}
