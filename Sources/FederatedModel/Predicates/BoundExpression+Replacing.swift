/// Expressions made of others by putting something in place of their parts.
extension BoundExpression {
  /// The expression with parts replaced: `replace` is asked for each part from the outside in, and what it answers
  /// stands for the part and all below it.
  package func replacing(
    _ replace: (BoundExpression) throws -> BoundExpression?
  ) rethrows -> BoundExpression {
    if let replacement = try replace(self) { return replacement }
    switch self {
    case .constant, .evaluatedObject, .variable: return self
    case .path(let base, let steps): return .path(try base.replacing(replace), steps)
    case .index(let base, let index):
      let base = try base.replacing(replace)
      guard case .at(let place) = index else { return .index(base, index) }
      return .index(base, .at(try place.replacing(replace)))
    case .function(let function, let operands):
      return .function(function, try operands.map { try $0.replacing(replace) })
    case .aggregate(let elements): return .aggregate(try elements.map { try $0.replacing(replace) })
    case .subquery(let source, let variable, let predicate):
      return .subquery(
        try source.replacing(replace), variable: variable, try predicate.replacing(replace))
    case .conditional(let predicate, let first, let second):
      return .conditional(
        try predicate.replacing(replace), try first.replacing(replace), try second.replacing(replace))
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, try left.replacing(replace), try right.replacing(replace))
    }
  }

  /// Whether the expression depends on the row that is asked.
  package var readsRow: Bool {
    var reads = false
    _ = self.replacing { part in
      if case .evaluatedObject = part { reads = true }
      return reads ? part : nil
    }
    return reads
  }

  /// Whether the expression holds a variable that no subquery in it declares.
  package var hasFreeVariable: Bool { self.hasVariable(outside: []) }

  private func hasVariable(outside declared: Set<String>) -> Bool {
    var found = false
    _ = self.replacing { $0.hasVariable(outside: declared, &found) }
    return found
  }

  /// Looks at one part of an expression; a subquery is looked through here, since it declares a variable.
  fileprivate func hasVariable(outside declared: Set<String>, _ found: inout Bool) -> BoundExpression? {
    switch self {
    case .variable(let name): found = found || !declared.contains(name)
    case .subquery(let source, let variable, let predicate):
      var inner = source.hasVariable(outside: declared)
      _ = predicate.replacing { $0.hasVariable(outside: declared.union([variable]), &inner) }
      found = found || inner
      return self
    default: break
    }
    return found ? self : nil
  }

  /// Whether the expression is certainly a collection.
  package var isManyValued: Bool {
    switch self {
    case .constant(.list), .aggregate, .subquery, .setOperation: return true
    case .constant, .evaluatedObject, .variable, .index: return false
    case .function(let function, _): return function == .mode
    case .conditional(_, let first, let second): return first.isManyValued || second.isManyValued
    case .path(let base, let steps):
      var isMany = base.isManyValued
      for step in steps {
        switch step {
        case .toMany: isMany = true
        case .collectionOperator(let gathering):
          switch gathering {
          case .count, .sum, .average, .minimum, .maximum: return false
          default: return true
          }
        default: continue
        }
      }
      return isMany
    }
  }
}

extension BoundPredicate {
  /// The predicate with parts of its operands replaced, as ``BoundExpression/replacing(_:)`` does.
  package func replacing(
    _ replace: (BoundExpression) throws -> BoundExpression?
  ) rethrows -> BoundPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = try comparison.left.replacing(replace)
      comparison.right = try comparison.right.replacing(replace)
      return .comparison(comparison)
    case .and(let terms): return .and(try terms.map { try $0.replacing(replace) })
    case .or(let terms): return .or(try terms.map { try $0.replacing(replace) })
    case .not(let term): return .not(try term.replacing(replace))
    case .block(let bound):
      return .block(BoundBlock(bound.block, try bound.operands.map { try $0.replacing(replace) }))
    }
  }
}
