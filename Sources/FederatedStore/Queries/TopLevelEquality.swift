internal import FederatedModel

/// A condition that every row of an answer satisfies: an attribute equals one of some constants.
struct TopLevelEquality {
  var attribute: BoundAttribute
  var values: [Value]

  /// The equalities that are terms of the conjunction at the top of a predicate.
  static func all(in predicate: BoundPredicate) -> [TopLevelEquality] {
    switch predicate {
    case .and(let terms): terms.flatMap { self.all(in: $0) }
    case .comparison(let comparison): self.equality(comparison).map { [$0] } ?? []
    default: []
    }
  }

  private static func equality(_ comparison: BoundPredicate.Comparison) -> TopLevelEquality? {
    guard comparison.modifier == .direct,
      comparison.options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive, .localeSensitive])
    else { return nil }
    switch (comparison.operator, comparison.left, comparison.right) {
    case (.equal, let left, .constant(let value)):
      return self.attribute(left).map { TopLevelEquality(attribute: $0, values: [value]) }
    case (.equal, .constant(let value), let right):
      return self.attribute(right).map { TopLevelEquality(attribute: $0, values: [value]) }
    case (.in, let left, .constant(.list(let values))):
      return self.attribute(left).map { TopLevelEquality(attribute: $0, values: values) }
    case (.in, let left, .aggregate(let elements)):
      let values = elements.compactMap { if case .constant(let value) = $0 { value } else { nil } }
      guard values.count == elements.count else { return nil }
      return self.attribute(left).map { TopLevelEquality(attribute: $0, values: values) }
    default: return nil
    }
  }

  private static func attribute(_ expression: BoundExpression) -> BoundAttribute? {
    guard case .path(.evaluatedObject, let steps) = expression, steps.count == 1,
      case .attribute(let attribute)? = steps.first
    else { return nil }
    return attribute
  }
}
