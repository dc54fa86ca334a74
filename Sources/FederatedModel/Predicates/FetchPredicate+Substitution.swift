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
    case .comparison(let comparison): return .comparison(try comparison.substituting(scope, resolve))
    case .and(let terms): return .and(try FetchPredicate.substituting(terms, scope, resolve))
    case .or(let terms): return .or(try FetchPredicate.substituting(terms, scope, resolve))
    case .not(let negated): return .not(try negated.substituting(scope, resolve))
    case .block(let block):
      return .block(block.reading(try FetchExpression.substituting(block.operands, scope, resolve)))
    }
  }

  private static func substituting(
    _ terms: [FetchPredicate], _ scope: Substitution, _ resolve: (String, [String]) throws -> Value?
  ) rethrows -> [FetchPredicate] {
    var substituted: [FetchPredicate] = []
    substituted.reserveCapacity(terms.count)
    for term in terms { substituted.append(try term.substituting(scope, resolve)) }
    return substituted
  }

  fileprivate func visitFreeVariables(_ hidden: Set<String>, _ visit: (String) -> Void) {
    switch self {
    case .constant: break
    case .comparison(let comparison):
      comparison.left.visitFreeVariables(hidden, visit)
      comparison.right.visitFreeVariables(hidden, visit)
    case .and(let terms), .or(let terms): for term in terms { term.visitFreeVariables(hidden, visit) }
    case .not(let negated): negated.visitFreeVariables(hidden, visit)
    case .block(let block): for operand in block.operands { operand.visitFreeVariables(hidden, visit) }
    }
  }
}

extension FetchPredicate.Comparison {
  fileprivate func substituting(
    _ scope: Substitution, _ resolve: (String, [String]) throws -> Value?
  ) rethrows -> FetchPredicate.Comparison {
    var copy = self
    copy.left = try self.left.substituting(scope, resolve)
    copy.right = try self.right.substituting(scope, resolve)
    return copy
  }
}

/// The variables of the enclosing subqueries, which stay.
private struct Substitution {
  let hidden: Set<String>

  func hiding(_ name: String) -> Substitution { Substitution(hidden: self.hidden.union([name])) }
}

extension FetchExpression {
  /// As ``FetchPredicate/substituting(_:)``.
  public func substituting(_ variables: [String: Value]) -> FetchExpression {
    self.substituting(Substitution(hidden: [])) { variable, keys in keys.isEmpty ? variables[variable] : nil }
  }

  /// As ``FetchPredicate/freeVariables``.
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
      return scope.hidden.contains(name) ? self : try resolve(name, []).map { .constant($0) } ?? self
    case .path(.variable(let name), let keys):
      return scope.hidden.contains(name) ? self : try self.folded(name, keys, resolve)
    case .path(let base, let keys): return .path(try base.substituting(scope, resolve), keys)
    case .index(let base, let place):
      return .index(try base.substituting(scope, resolve), try place.substituting(scope, resolve))
    case .function(let name, let operands):
      return .function(name, try FetchExpression.substituting(operands, scope, resolve))
    case .aggregate(let elements):
      return .aggregate(try FetchExpression.substituting(elements, scope, resolve))
    case .subquery: return try self.subquery(scope, resolve)
    case .conditional: return try self.conditional(scope, resolve)
    case .setOperation(let operation, let left, let right):
      let sides = try FetchExpression.substituting([left, right], scope, resolve)
      return .setOperation(operation, sides[0], sides[1])
    }
  }

  private func folded(
    _ name: String, _ keys: [String], _ resolve: (String, [String]) throws -> Value?
  ) rethrows -> FetchExpression {
    if let value = try resolve(name, keys) { return .constant(value) }
    return try resolve(name, []).map { .path(.constant($0), keys) } ?? self
  }

  fileprivate static func substituting(
    _ operands: [FetchExpression], _ scope: Substitution, _ resolve: (String, [String]) throws -> Value?
  ) rethrows -> [FetchExpression] {
    var substituted: [FetchExpression] = []
    substituted.reserveCapacity(operands.count)
    for operand in operands { substituted.append(try operand.substituting(scope, resolve)) }
    return substituted
  }

  private func subquery(
    _ scope: Substitution, _ resolve: (String, [String]) throws -> Value?
  ) rethrows -> FetchExpression {
    guard case .subquery(let source, let variable, let predicate) = self else { return self }
    return .subquery(
      try source.substituting(scope, resolve), variable: variable,
      try predicate.substituting(scope.hiding(variable), resolve))
  }

  private func conditional(
    _ scope: Substitution, _ resolve: (String, [String]) throws -> Value?
  ) rethrows -> FetchExpression {
    guard case .conditional(let predicate, let first, let second) = self else { return self }
    return .conditional(
      try predicate.substituting(scope, resolve), try first.substituting(scope, resolve),
      try second.substituting(scope, resolve))
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

extension FetchExpression.Index {
  fileprivate func substituting(
    _ scope: Substitution, _ resolve: (String, [String]) throws -> Value?
  ) rethrows -> FetchExpression.Index {
    guard case .at(let expression) = self else { return self }
    return .at(try expression.substituting(scope, resolve))
  }
}
