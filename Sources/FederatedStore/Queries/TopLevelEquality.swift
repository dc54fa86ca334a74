internal import FederatedModel

/// A condition that every row of an answer satisfies: a column, or the row itself, equals one of some constants.
struct TopLevelEquality {
  enum Side {
    case attribute(BoundAttribute)
    case toOne(BoundRelationship)
    /// The row itself.
    case identity
  }

  var side: Side
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
    case (.equal, let left, .constant(let value)): return self.equality(left, [value])
    case (.equal, .constant(let value), let right): return self.equality(right, [value])
    case (.in, let left, .constant(.list(let values))): return self.equality(left, values)
    case (.in, let left, .aggregate(let elements)):
      let values = elements.compactMap { if case .constant(let value) = $0 { value } else { nil } }
      return values.count == elements.count ? self.equality(left, values) : nil
    default: return nil
    }
  }

  private static func equality(_ expression: BoundExpression, _ values: [Value]) -> TopLevelEquality? {
    switch expression {
    case .evaluatedObject: return TopLevelEquality(side: .identity, values: values)
    case .path(.evaluatedObject, let steps) where steps.count == 1:
      switch steps[0] {
      case .attribute(let attribute): return TopLevelEquality(side: .attribute(attribute), values: values)
      case .toOne(let relationship): return TopLevelEquality(side: .toOne(relationship), values: values)
      case .identity: return TopLevelEquality(side: .identity, values: values)
      default: return nil
      }
    default: return nil
    }
  }
}
