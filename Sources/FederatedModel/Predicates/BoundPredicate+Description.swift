/// A bound predicate prints as the predicate that it was: keys under their names, values as they were bound.
extension BoundPredicate: CustomStringConvertible {
  public var description: String { self.unbound.description }

  /// The same question with keys in place of resolved steps.
  var unbound: FetchPredicate {
    switch self {
    case .constant(let answer): .constant(answer)
    case .comparison(let comparison):
      .comparison(
        .init(
          comparison.left.unbound, comparison.operator, comparison.right.unbound,
          modifier: comparison.modifier, options: comparison.options))
    case .and(let terms): .and(terms.map(\.unbound))
    case .or(let terms): .or(terms.map(\.unbound))
    case .not(let term): .not(term.unbound)
    case .block(let bound): .block(bound.block.reading(bound.operands.map(\.unbound)))
    }
  }

  /// The terms that must all hold.
  package var topLevelTerms: [BoundPredicate] {
    if case .and(let terms) = self { return terms.flatMap(\.topLevelTerms) }
    return [self]
  }
}

extension BoundExpression: CustomStringConvertible {
  public var description: String { self.unbound.description }

  fileprivate var unbound: FetchExpression {
    switch self {
    case .constant(let value): .constant(value)
    case .evaluatedObject: .evaluatedObject
    case .variable(let name): .variable(name)
    case .path(.evaluatedObject, let steps): .keyPath(steps.map(\.key))
    case .path(let root, let steps): .path(root.unbound, steps.map(\.key))
    case .index(let list, let index): .index(list.unbound, index.unbound)
    case .function(let function, let arguments): .function(function.rawValue, arguments.map(\.unbound))
    case .aggregate(let elements): .aggregate(elements.map(\.unbound))
    case .subquery(let list, let variable, let predicate):
      .subquery(list.unbound, variable: variable, predicate.unbound)
    case .conditional(let test, let yes, let no): .conditional(test.unbound, yes.unbound, no.unbound)
    case .setOperation(let operation, let left, let right):
      .setOperation(operation, left.unbound, right.unbound)
    }
  }
}

extension BoundIndex {
  fileprivate var unbound: FetchExpression.Index {
    switch self {
    case .at(let place): .at(place.unbound)
    case .first: .first
    case .last: .last
    case .size: .size
    }
  }
}

extension BoundStep {
  /// The step as a key.
  fileprivate var key: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .toOne(let relationship), .toMany(let relationship): relationship.name
    case .identity: "objectID"
    case .length: "length"
    case .collectionOperator(let name): name.rawValue
    case .key(let key): key
    }
  }
}

extension BoundSort: CustomStringConvertible {
  /// The key, its direction, and the comparison when it is not the plain one: `name descending [localized]`.
  public var description: String {
    let text = BoundExpression.path(.evaluatedObject, self.steps).description
    let plain = self.comparison == .scalar ? "" : " [\(self.comparison.rawValue)]"
    let comparison = self.comparator.map { " [\($0)]" } ?? plain
    return "\(text) \(self.ascending ? "ascending" : "descending")\(comparison)"
  }
}
