/// Variables and what stands for them.
///
/// A variable that a subquery declares belongs to that subquery: it is never free inside, and nothing replaces
/// it.
extension FetchPredicate {
  /// A copy in which the variables given are constants. Others stay, and names without a variable do nothing.
  public func substituting(_ variables: [String: Value]) -> FetchPredicate {
    if variables.isEmpty { return self }
    return self.substitutingPaths { variable, keys in keys.isEmpty ? variables[variable] : nil }
  }

  /// Folds every variable, and every path of keys from a variable, for which `resolve` answers into a constant.
  ///
  /// `resolve` is asked for the longest path first and for the bare variable, with no keys, only when that
  /// answers nil.
  public func substitutingPaths(
    _ resolve: (_ variable: String, _ keys: [String]) throws -> Value?
  ) rethrows -> FetchPredicate {
    try self.substituting(Substitution(hidden: []), resolve)
  }

  /// The names of all variables that no subquery of this predicate declares.
  public var freeVariables: Set<String> {
    var names: Set<String> = []
    self.visitFreeVariables([]) { names.insert($0) }
    return names
  }

  fileprivate func substituting(
    _ scope: Substitution, _ resolve: (String, [String]) throws -> Value?
  ) rethrows -> FetchPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = try comparison.left.substituting(scope, resolve)
      comparison.right = try comparison.right.substituting(scope, resolve)
      return .comparison(comparison)
    case .and(let terms): return .and(try terms.map { try $0.substituting(scope, resolve) })
    case .or(let terms): return .or(try terms.map { try $0.substituting(scope, resolve) })
    case .not(let negated): return .not(try negated.substituting(scope, resolve))
    }
  }

  fileprivate func visitFreeVariables(_ hidden: Set<String>, _ visit: (String) -> Void) {
    switch self {
    case .constant: break
    case .comparison(let comparison):
      comparison.left.visitFreeVariables(hidden, visit)
      comparison.right.visitFreeVariables(hidden, visit)
    case .and(let terms), .or(let terms): for term in terms { term.visitFreeVariables(hidden, visit) }
    case .not(let negated): negated.visitFreeVariables(hidden, visit)
    }
  }
}

/// The variables of the enclosing subqueries, which stay.
private struct Substitution {
  let hidden: Set<String>

  func hiding(_ name: String) -> Substitution { Substitution(hidden: self.hidden.union([name])) }
}

extension FetchExpression {
  /// As ``FetchPredicate/substitutingPaths(_:)``.
  public func substitutingPaths(
    _ resolve: (_ variable: String, _ keys: [String]) throws -> Value?
  ) rethrows -> FetchExpression {
    try self.substituting(Substitution(hidden: []), resolve)
  }

  /// The names of all variables that no subquery of this operand declares.
  public var freeVariables: Set<String> {
    var names: Set<String> = []
    self.visitFreeVariables([]) { names.insert($0) }
    return names
  }

  fileprivate func substituting(
    _ scope: Substitution, _ resolve: (String, [String]) throws -> Value?
  ) rethrows -> FetchExpression {
    switch self {
    case .constant, .evaluatedObject, .keyPath: return self
    case .variable(let name):
      if scope.hidden.contains(name) { return self }
      return try resolve(name, []).map { .constant($0) } ?? self
    case .path(.variable(let name), let keys):
      if scope.hidden.contains(name) { return self }
      if let value = try resolve(name, keys) { return .constant(value) }
      return try resolve(name, []).map { .path(.constant($0), keys) } ?? self
    case .path(let base, let keys): return .path(try base.substituting(scope, resolve), keys)
    case .index(let base, .at(let place)):
      return .index(try base.substituting(scope, resolve), .at(try place.substituting(scope, resolve)))
    case .index(let base, let place): return .index(try base.substituting(scope, resolve), place)
    case .function(let name, let operands):
      return .function(name, try operands.map { try $0.substituting(scope, resolve) })
    case .aggregate(let elements): return .aggregate(try elements.map { try $0.substituting(scope, resolve) })
    case .subquery(let source, let variable, let predicate):
      return .subquery(
        try source.substituting(scope, resolve), variable: variable,
        try predicate.substituting(scope.hiding(variable), resolve))
    case .conditional(let predicate, let first, let second):
      return .conditional(
        try predicate.substituting(scope, resolve), try first.substituting(scope, resolve),
        try second.substituting(scope, resolve))
    case .setOperation(let operation, let left, let right):
      return .setOperation(
        operation, try left.substituting(scope, resolve), try right.substituting(scope, resolve))
    }
  }

  fileprivate func visitFreeVariables(_ hidden: Set<String>, _ visit: (String) -> Void) {
    switch self {
    case .constant, .evaluatedObject, .keyPath: break
    case .variable(let name): if !hidden.contains(name) { visit(name) }
    case .path(let base, _): base.visitFreeVariables(hidden, visit)
    case .index(let base, let place):
      base.visitFreeVariables(hidden, visit)
      if case .at(let expression) = place { expression.visitFreeVariables(hidden, visit) }
    case .function(_, let operands), .aggregate(let operands):
      for operand in operands { operand.visitFreeVariables(hidden, visit) }
    case .subquery(let source, let variable, let predicate):
      source.visitFreeVariables(hidden, visit)
      predicate.visitFreeVariables(hidden.union([variable]), visit)
    case .conditional(let predicate, let first, let second):
      predicate.visitFreeVariables(hidden, visit)
      first.visitFreeVariables(hidden, visit)
      second.visitFreeVariables(hidden, visit)
    case .setOperation(_, let left, let right):
      left.visitFreeVariables(hidden, visit)
      right.visitFreeVariables(hidden, visit)
    }
  }
}
