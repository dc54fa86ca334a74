/// Which comparisons have an answer.
extension PredicateBinder {
  func check(_ comparison: FetchPredicate.Comparison, _ left: Operand, _ right: Operand)
    throws(FetchPredicateError)
  {
    let place = ComparisonPlace(comparison)
    var leftType = left.type
    if comparison.modifier != .direct {
      guard let element = leftType.element else {
        throw self.error(
          .collectionExpected, place.text,
          "\(comparison.modifier.rawValue) takes a collection on its left side, not \(leftType.name)")
      }
      leftType = element
    }
    try self.checkShape(comparison, left, leftType, right, place)
    try self.checkKinds(comparison, leftType, right.type, place)
    try self.checkConstants(comparison, right, place)
  }

  /// Collections stand only where an operator takes one.
  private func checkShape(
    _ comparison: FetchPredicate.Comparison, _ left: Operand, _ leftType: OperandType, _ right: Operand,
    _ place: ComparisonPlace
  ) throws(FetchPredicateError) {
    let isEquality = comparison.operator == .equal || comparison.operator == .notEqual
    let bothAreLists =
      leftType.isCollection && right.type.isCollection && !left.expression.isToManyPath
      && !right.expression.isToManyPath
    if isEquality, bothAreLists { return }
    if leftType.isCollection, comparison.operator != .contains {
      throw self.error(
        .toManyKeyNeedsModifier, place.text,
        "\(comparison.left) has many values: put ANY, ALL or NONE before it, or ask with IN or @count")
    }
    if right.type.isCollection, comparison.operator != .in, comparison.operator != .between {
      if right.expression.isToManyPath {
        throw self.error(
          .toManyKeyNeedsModifier, place.text,
          "\(comparison.right) has many values: put it on the left behind ANY, ALL or NONE, or use IN")
      }
      throw self.error(.predicateTypeMismatch, place.text, "a list stands to the right of IN or BETWEEN only")
    }
  }

  private func checkKinds(
    _ comparison: FetchPredicate.Comparison, _ left: OperandType, _ right: OperandType,
    _ place: ComparisonPlace
  ) throws(FetchPredicateError) {
    switch comparison.operator {
    case .equal, .notEqual: try self.checkEquality(left, right, place)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: try self.checkOrder(left, right, place)
    case .between:
      guard let bound = right.element else {
        throw self.error(.invalidRange, place.text, "BETWEEN takes a list of two bounds, not \(right.name)")
      }
      try self.checkOrder(left, bound, place)
    case .in:
      if right == .text {
        guard left.mayBe(.text) else {
          throw self.error(.predicateTypeMismatch, place.text, "only text is IN text, not \(left.name)")
        }
      } else if let element = right.element {
        try self.checkEquality(left, element, place)
      } else {
        throw self.error(
          .predicateTypeMismatch, place.text,
          "IN takes a collection or text on its right side, not \(right.name)")
      }
    case .contains:
      if case .collection(let element, _) = left {
        try self.checkEquality(element, right, place)
      } else {
        try self.checkText(left, right, place)
      }
    case .beginsWith, .endsWith, .like, .matches: try self.checkText(left, right, place)
    }
  }

  private func checkEquality(_ left: OperandType, _ right: OperandType, _ place: ComparisonPlace)
    throws(FetchPredicateError)
  {
    switch (left, right) {
    case (.date, .number), (.number, .date):
      throw self.error(
        .predicateTypeMismatch, place.text, "a date is compared with a number: write CAST(number, \"NSDate\")"
      )
    default: break
    }
  }

  private func checkOrder(_ left: OperandType, _ right: OperandType, _ place: ComparisonPlace)
    throws(FetchPredicateError)
  {
    try self.checkEquality(left, right, place)
    for type in [left, right] where !type.mayBe(.number, .text, .date) {
      throw self.error(.predicateTypeMismatch, place.text, "\(type.name) has no order")
    }
    if left != right, ![.unknown, .null].contains(left), ![.unknown, .null].contains(right) {
      throw self.error(.predicateTypeMismatch, place.text, "\(left.name) has no order with \(right.name)")
    }
  }

  private func checkText(_ left: OperandType, _ right: OperandType, _ place: ComparisonPlace)
    throws(FetchPredicateError)
  {
    for type in [left, right] where !type.mayBe(.text) {
      throw self.error(.predicateTypeMismatch, place.text, "compares text, not \(type.name)")
    }
  }

  private func checkConstants(
    _ comparison: FetchPredicate.Comparison, _ right: Operand, _ place: ComparisonPlace
  ) throws(FetchPredicateError) {
    switch (comparison.operator, right.expression) {
    case (.matches, .constant(.string(let pattern))):
      do throws(FetchPredicateError) {
        _ = try RegularExpressionMatch(pattern, comparison.options)
      } catch {
        throw FetchPredicateError(error.code, entity: self.entity?.name, subject: error.subject, error.detail)
      }
    case (.between, .constant(.list(let bounds))):
      if bounds.count != 2 {
        throw self.error(.invalidRange, place.text, "BETWEEN takes two bounds, not \(bounds.count)")
      }
    case (.between, .aggregate(let bounds)):
      if bounds.count != 2 {
        throw self.error(.invalidRange, place.text, "BETWEEN takes two bounds, not \(bounds.count)")
      }
    default: break
    }
  }
}

/// A comparison for messages: printed only when there is one, and not at full length.
struct ComparisonPlace {
  private let comparison: FetchPredicate.Comparison

  init(_ comparison: FetchPredicate.Comparison) { self.comparison = comparison }

  var text: String {
    let text = self.comparison.description
    return text.count <= 200 ? text : text.prefix(200) + "…"
  }
}

extension BoundExpression {
  /// Whether the operand is a path that ends in many values.
  var isToManyPath: Bool {
    switch self {
    case .path(_, let steps):
      for step in steps.reversed() {
        switch step {
        case .toMany: return true
        case .collectionOperator: return false
        default: continue
        }
      }
      return false
    case .subquery: return true
    default: return false
    }
  }
}
