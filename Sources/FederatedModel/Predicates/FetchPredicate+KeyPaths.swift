extension FetchPredicate {
  /// The key paths that start at the object that is asked. Those inside subqueries are among them.
  package var keyPaths: Set<[String]> {
    var found: Set<[String]> = []
    self.visitKeyPaths { found.insert($0) }
    return found
  }

  fileprivate func visitKeyPaths(_ visit: ([String]) -> Void) {
    switch self {
    case .constant: break
    case .comparison(let comparison):
      comparison.left.visitKeyPaths(visit)
      comparison.right.visitKeyPaths(visit)
    case .and(let terms), .or(let terms): for term in terms { term.visitKeyPaths(visit) }
    case .not(let negated): negated.visitKeyPaths(visit)
    case .block(let block): for operand in block.operands { operand.visitKeyPaths(visit) }
    }
  }
}

extension FetchExpression {
  fileprivate func visitKeyPaths(_ visit: ([String]) -> Void) {
    switch self {
    case .constant, .evaluatedObject, .variable: break
    case .keyPath(let keys), .path(.evaluatedObject, let keys): visit(keys)
    case .path(let base, _): base.visitKeyPaths(visit)
    case .index(let base, let place):
      base.visitKeyPaths(visit)
      if case .at(let expression) = place { expression.visitKeyPaths(visit) }
    case .function(_, let operands), .aggregate(let operands):
      for operand in operands { operand.visitKeyPaths(visit) }
    case .subquery(let source, _, let predicate):
      source.visitKeyPaths(visit)
      predicate.visitKeyPaths(visit)
    case .conditional(let predicate, let first, let second):
      predicate.visitKeyPaths(visit)
      first.visitKeyPaths(visit)
      second.visitKeyPaths(visit)
    case .setOperation(_, let left, let right):
      left.visitKeyPaths(visit)
      right.visitKeyPaths(visit)
    }
  }
}

extension Entity {
  /// The relationships at the beginning of a key path, joined by dots; nil when it begins with none.
  package func relationshipPath(of keys: [String], in model: ManagedObjectModel) -> String? {
    var entity = self
    var path: [String] = []
    for key in keys {
      guard let relationship = entity.relationship(named: key), !relationship.isTransient else { break }
      path.append(key)
      entity = model[relationship.destination]
    }
    return path.isEmpty ? nil : path.joined(separator: ".")
  }
}
