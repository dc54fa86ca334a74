import Foundation

/// One predicate asked of one subject.
struct PredicateEvaluation<Subject: PredicateSubject> {
  let subject: Subject
  let now: Date
  /// The elements that the enclosing subqueries are at, innermost last.
  var variables: [(name: String, element: PredicateOperand)] = []

  init(subject: Subject, now: Date) {
    self.subject = subject
    self.now = now
  }

  func holds(_ node: PreparedNode) throws -> Bool {
    switch node {
    case .constant(let answer): return answer
    case .test(let test): return try self.subject.passes(test)
    case .pathTest(let way, let test): return try self.holds(way, test)
    case .comparison(let comparison): return try self.holds(comparison)
    case .and(let terms):
      for term in terms where !(try self.holds(term)) { return false }
      return true
    case .or(let terms):
      for term in terms where try self.holds(term) { return true }
      return false
    case .not(let negated): return !(try self.holds(negated))
    case .block(let block, let operands): return try self.holds(block, operands)
    }
  }

  private func holds(_ way: [BoundRelationship], _ test: AttributeTest) throws -> Bool {
    guard var current = try self.subject.toOne(way[0]) else { return test.acceptsNull }
    for relationship in way.dropFirst() {
      guard let next = try current.toOne(relationship) else { return test.acceptsNull }
      current = next
    }
    return try current.passes(test)
  }

  private func holds(_ block: PredicateBlock, _ operands: [PreparedOperand]) throws -> Bool {
    try block.holds(try operands.map { try self.operand($0).value })
  }

  // MARK: Comparisons

  private func holds(_ comparison: PreparedComparison) throws -> Bool {
    let left = try self.operand(comparison.left)
    let right = try self.operand(comparison.right)
    if comparison.modifier == .direct { return try comparison.holds(left, right) }
    guard let elements = left.elements else {
      throw FetchPredicateError(
        .collectionExpected, subject: comparison.modifier.rawValue,
        "takes a collection on its left side, not \(left.kindName)")
    }
    let isAny = comparison.modifier == .any
    for element in elements where try comparison.holds(element, right) == isAny { return isAny }
    return !isAny
  }
}

extension PreparedComparison {
  func holds(_ left: PredicateOperand, _ right: PredicateOperand) throws -> Bool {
    if let value = left.scalar {
      if let text = value.text, let test = self.text { return test.accepts(text) }
      // Behind a to-one without an object there is no collection; it has no members of any kind.
      if value.isNull, self.comparator == .contains { return false }
      if let members = self.members { return try members.contains(value) }
      if let constant = right.scalar {
        return try ValueComparison.holds(value, self.comparator, constant, self.options)
      }
    }
    return try self.holdsOfOthers(left, right)
  }

  /// Collections, and objects without identity.
  private func holdsOfOthers(_ left: PredicateOperand, _ right: PredicateOperand) throws -> Bool {
    switch self.comparator {
    case .in:
      guard let elements = right.collectionElements else { throw self.collectionRefused(right) }
      guard !left.isCollection else { throw self.manyRefused(left) }
      return try elements.contains { try left.equals($0, self.options) }
    case .contains:
      guard let elements = left.collectionElements else { throw self.collectionRefused(left) }
      return try elements.contains { try $0.equals(right, self.options) }
    case .between:
      guard let bounds = right.collectionElements, bounds.count == 2, let low = bounds[0].scalar,
        let high = bounds[1].scalar
      else {
        throw FetchPredicateError(
          .invalidRange, subject: self.comparator.rawValue,
          "BETWEEN takes a list of two bounds, the lower one first")
      }
      guard let value = left.scalar else { throw self.manyRefused(left) }
      return try ValueComparison.between(value, low, high, self.options)
    case .equal, .notEqual:
      if left.isCollection != right.isCollection, left.scalar?.isNull != true, right.scalar?.isNull != true {
        throw self.manyRefused(left.isCollection ? left : right)
      }
      return try left.equals(right, self.options) == (self.comparator == .equal)
    default: throw self.manyRefused(left.scalar == nil ? left : right)
    }
  }

  private func manyRefused(_ operand: PredicateOperand) -> FetchPredicateError {
    if operand.isCollection {
      return FetchPredicateError(
        .toManyKeyNeedsModifier, subject: self.comparator.rawValue,
        "an operand has many values: put ANY, ALL or NONE before it, or ask with IN or @count")
    }
    return FetchPredicateError(
      .predicateTypeMismatch, subject: self.comparator.rawValue,
      "\(operand.kindName) has no order and no text")
  }

  private func collectionRefused(_ operand: PredicateOperand) -> FetchPredicateError {
    FetchPredicateError(
      .predicateTypeMismatch, subject: self.comparator.rawValue,
      "takes a collection or text, not \(operand.kindName)")
  }
}
