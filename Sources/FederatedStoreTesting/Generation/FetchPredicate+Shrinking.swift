import FederatedModel

extension FetchPredicate {
  /// The predicate with something left out, in every way that there is.
  var smaller: [FetchPredicate] {
    switch self {
    case .and(let terms):
      terms + Self.withoutOne(terms).map { .and($0) } + Self.withOneSmaller(terms).map { .and($0) }
    case .or(let terms):
      terms + Self.withoutOne(terms).map { .or($0) } + Self.withOneSmaller(terms).map { .or($0) }
    case .not(let inner): [inner] + inner.smaller.map { .not($0) }
    case .comparison(let comparison): comparison.smaller.map { .comparison($0) }
    case .constant, .block: []
    }
  }

  private static func withoutOne(_ terms: [FetchPredicate]) -> [[FetchPredicate]] {
    if terms.count <= 2 { return [] }
    return terms.indices.map { index in
      var rest = terms
      rest.remove(at: index)
      return rest
    }
  }

  private static func withOneSmaller(_ terms: [FetchPredicate]) -> [[FetchPredicate]] {
    terms.indices.flatMap { index in
      terms[index].smaller.map { smaller in
        var next = terms
        next[index] = smaller
        return next
      }
    }
  }
}

extension FetchPredicate.Comparison {
  fileprivate var smaller: [FetchPredicate.Comparison] {
    self.left.smaller.map { left in
      var next = self
      next.left = left
      return next
    }
      + self.right.smaller.map { right in
        var next = self
        next.right = right
        return next
      }
  }
}

extension FetchExpression {
  fileprivate var smaller: [FetchExpression] {
    switch self {
    case .function(let name, let operands):
      operands + Self.withOneSmaller(operands).map { .function(name, $0) }
    case .aggregate(let elements):
      elements.indices.map { index in
        var rest = elements
        rest.remove(at: index)
        return .aggregate(rest)
      }
    case .constant(.list(let values)):
      values.indices.map { index in
        var rest = values
        rest.remove(at: index)
        return .constant(.list(rest))
      }
    case .subquery(let source, let variable, let predicate):
      predicate.smaller.map { .subquery(source, variable: variable, $0) }
    case .path(let base, let keys): base.smaller.map { .path($0, keys) }
    case .conditional(let predicate, let first, let second):
      [first, second] + predicate.smaller.map { .conditional($0, first, second) }
    case .setOperation(let operation, let first, let second):
      first.smaller.map { .setOperation(operation, $0, second) }
        + second.smaller.map { .setOperation(operation, first, $0) }
    case .constant, .evaluatedObject, .variable, .keyPath, .index: []
    }
  }

  private static func withOneSmaller(_ operands: [FetchExpression]) -> [[FetchExpression]] {
    operands.indices.flatMap { index in
      operands[index].smaller.map { smaller in
        var next = operands
        next[index] = smaller
        return next
      }
    }
  }
}
