/// One attribute compared with constants, made ready once for all rows of a run.
public final class AttributeTest: Sendable {
  public let attribute: BoundAttribute
  let rule: Rule
  /// What the test answers for nil.
  let acceptsNull: Bool
  /// How a row answers without taking the value out of its slot.
  let inPlace: InPlaceTest
  let slot: Int

  enum Rule: Sendable {
    /// The value stands to the constant in one of these ways.
    case compare(Value, ComparisonOutcomes)
    case text(TextTest, ifNotText: Value, FetchPredicate.Operator)
    case member(MatchSet)
    /// Both comparisons hold: BETWEEN.
    case range(Value, Value)
  }

  /// - Returns: nil when the comparison needs the general way.
  init?(
    _ attribute: BoundAttribute, _ comparator: FetchPredicate.Operator, _ constant: Value,
    _ options: FetchPredicate.Options
  ) throws(FetchPredicateError) {
    self.attribute = attribute
    let isText = OperandType(attribute.type) == .text
    switch (comparator, constant) {
    case (.in, .list(let elements)):
      if isText, !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive]) { return nil }
      self.rule = .member(MatchSet(elements))
    case (.between, .list(let bounds)):
      guard bounds.count == 2, options.isEmpty || !isText else { return nil }
      self.rule = .range(bounds[0], bounds[1])
    case (_, .list): return nil
    case (_, .string(let pattern)), (_, .uri(let pattern)):
      guard isText else { return nil }
      self.rule = .text(try TextTest(comparator, pattern, options), ifNotText: constant, comparator)
    default:
      guard comparator.isEquality || comparator.isOrder else { return nil }
      self.rule = .compare(constant, ComparisonOutcomes(comparator))
    }
    self.acceptsNull =
      switch self.rule {
      case .compare(let constant, let outcomes):
        outcomes.contains(constant.isNull && comparator.isEquality ? .equal : .unordered)
      case .text: comparator == .notEqual
      case .member(let members): try members.contains(.null)
      case .range: false
      }
    self.inPlace = InPlaceTest(attribute.type, self.rule)
    self.slot = attribute.slot
  }

  /// Answers for a boxed value.
  public func accepts(_ value: Value) throws(FetchPredicateError) -> Bool {
    if value.isNull { return self.acceptsNull }
    switch self.rule {
    case .compare(let constant, let outcomes):
      if outcomes.isSuperset(of: [.less, .greater]) || outcomes == .equal {
        let isEqual = try ValueComparison.equal(value, constant, [])
        return outcomes.contains(isEqual ? .equal : .unordered)
      }
      return outcomes.contains(ComparisonOutcomes(order: try value.order(constant)))
    case .text(let test, let constant, let comparator):
      if let text = value.text { return test.accepts(text) }
      return try ValueComparison.holds(value, comparator, constant, [])
    case .member(let members): return try members.contains(value)
    case .range(let low, let high): return try ValueComparison.between(value, low, high, [])
    }
  }
}

/// The elements of an `IN` list, found by hash.
struct MatchSet: Sendable {
  private let keys: Set<MatchKey>
  private let hasDates: Bool
  private let hasNumbers: Bool

  init(_ elements: [Value]) {
    let kinds = Set(elements.map { OperandType($0) })
    self.hasDates = kinds.contains(.date)
    self.hasNumbers = kinds.contains(.number)
    self.keys = Set(elements.map { MatchKey($0) }.filter(\.isMatchable))
  }

  /// - Throws: `predicateTypeMismatch` for a date asked among numbers, and for a number among dates.
  func contains(_ value: Value) throws(FetchPredicateError) -> Bool {
    if self.hasDates || self.hasNumbers {
      let kind = OperandType(value)
      if self.hasNumbers, kind == .date { throw ValueComparison.dateWithNumber(value) }
      if self.hasDates, kind == .number { throw ValueComparison.dateWithNumber(value) }
    }
    let key = MatchKey(value)
    return key.isMatchable && self.keys.contains(key)
  }
}
