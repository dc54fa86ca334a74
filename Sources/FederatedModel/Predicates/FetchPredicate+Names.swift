/// Names that stand for expressions: the columns of an answer.
extension FetchPredicate {
  /// The predicate with each name for which `meaning` answers replaced by what it means.
  ///
  /// Inside a statistic over one value (`sum(total)`) names stay what they are in a row.
  package func replacingNames(_ meaning: (String) -> FetchExpression?) -> FetchPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = comparison.left.replacingNames(meaning)
      comparison.right = comparison.right.replacingNames(meaning)
      return .comparison(comparison)
    case .and(let terms): return .and(terms.map { $0.replacingNames(meaning) })
    case .or(let terms): return .or(terms.map { $0.replacingNames(meaning) })
    case .not(let term): return .not(term.replacingNames(meaning))
    case .block(let block): return .block(block.reading(block.operands.map { $0.replacingNames(meaning) }))
    }
  }
}

extension FetchExpression {
  /// As ``FetchPredicate/replacingNames(_:)``.
  package func replacingNames(_ meaning: (String) -> FetchExpression?) -> FetchExpression {
    switch self {
    case .constant, .evaluatedObject, .variable: return self
    case .keyPath(let keys):
      if let whole = meaning(keys.joined(separator: ".")) { return whole }
      guard let first = meaning(keys[0]) else { return self }
      return .path(first, Array(keys.dropFirst()))
    case .path(let base, let keys): return .path(base.replacingNames(meaning), keys)
    case .index(let base, .at(let place)):
      return .index(base.replacingNames(meaning), .at(place.replacingNames(meaning)))
    case .index(let base, let index): return .index(base.replacingNames(meaning), index)
    case .function(let name, let operands):
      if FetchFunction(rawValue: name)?.isStatistic == true, operands.count == 1 {
        if case .aggregate = operands[0] {} else { return self }
      }
      return .function(name, operands.map { $0.replacingNames(meaning) })
    case .aggregate(let elements): return .aggregate(elements.map { $0.replacingNames(meaning) })
    case .subquery(let source, let variable, let predicate):
      return .subquery(
        source.replacingNames(meaning), variable: variable, predicate.replacingNames(meaning))
    case .conditional(let predicate, let first, let second):
      return .conditional(
        predicate.replacingNames(meaning), first.replacingNames(meaning), second.replacingNames(meaning))
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, left.replacingNames(meaning), right.replacingNames(meaning))
    }
  }
}
