extension FetchPredicate {
  /// The same question of another operand: keys that start at the object that is asked start there.
  package func asked(of operand: FetchExpression) -> FetchPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = comparison.left.asked(of: operand)
      comparison.right = comparison.right.asked(of: operand)
      return .comparison(comparison)
    case .and(let terms): return .and(terms.map { $0.asked(of: operand) })
    case .or(let terms): return .or(terms.map { $0.asked(of: operand) })
    case .not(let negated): return .not(negated.asked(of: operand))
    case .block(let block): return .block(block.reading(block.operands.map { $0.asked(of: operand) }))
    }
  }
}

extension FetchExpression {
  fileprivate func asked(of operand: FetchExpression) -> FetchExpression {
    switch self {
    case .constant, .variable: self
    case .evaluatedObject: operand
    case .keyPath(let keys): .path(operand, keys)
    case .path(let base, let keys): .path(base.asked(of: operand), keys)
    case .index(let base, .at(let place)): .index(base.asked(of: operand), .at(place.asked(of: operand)))
    case .index(let base, let place): .index(base.asked(of: operand), place)
    case .function(let name, let operands): .function(name, operands.map { $0.asked(of: operand) })
    case .aggregate(let elements): .aggregate(elements.map { $0.asked(of: operand) })
    case .subquery(let source, let variable, let predicate):
      .subquery(source.asked(of: operand), variable: variable, predicate.asked(of: operand))
    case .conditional(let predicate, let first, let second):
      .conditional(predicate.asked(of: operand), first.asked(of: operand), second.asked(of: operand))
    case .setOperation(let operation, let left, let right):
      .setOperation(operation, left.asked(of: operand), right.asked(of: operand))
    }
  }
}
