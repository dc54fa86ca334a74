/// A predicate whose comparisons are ready.
indirect enum PreparedNode: Sendable {
  case constant(Bool)
  /// An attribute of the subject against constants.
  case test(AttributeTest)
  /// The same behind to-one steps; nil on the way is a nil attribute.
  case pathTest([BoundRelationship], AttributeTest)
  case comparison(PreparedComparison)
  case and([PreparedNode])
  case or([PreparedNode])
  case not(PreparedNode)
  case block(PredicateBlock, [PreparedOperand])

  init(_ predicate: BoundPredicate) throws(FetchPredicateError) {
    switch predicate {
    case .constant(let answer): self = .constant(answer)
    case .comparison(let comparison): self = try PreparedNode.comparison(comparison)
    case .and(let terms): self = .and(try PreparedNode.nodes(terms))
    case .or(let terms): self = .or(try PreparedNode.nodes(terms))
    case .not(let negated): self = .not(try PreparedNode(negated))
    case .block(let bound): self = .block(bound.block, try PreparedOperand.operands(bound.operands))
    }
  }

  private static func nodes(_ terms: [BoundPredicate]) throws(FetchPredicateError) -> [PreparedNode] {
    var nodes: [PreparedNode] = []
    nodes.reserveCapacity(terms.count)
    for term in terms { nodes.append(try PreparedNode(term)) }
    return nodes
  }

  private static func comparison(_ comparison: BoundPredicate.Comparison) throws(FetchPredicateError)
    -> PreparedNode
  {
    if comparison.modifier == .direct {
      if case .constant(let value) = comparison.right,
        let node = try self.test(comparison.left, comparison.operator, value, comparison.options)
      {
        return node
      }
      if case .constant(let value) = comparison.left, let mirrored = comparison.operator.mirrored,
        let node = try self.test(comparison.right, mirrored, value, comparison.options)
      {
        return node
      }
    }
    return .comparison(try PreparedComparison(comparison))
  }

  /// The node as tests that must all pass, and what must hold besides.
  var leadingTests: ([AttributeTest], PreparedNode?) {
    switch self {
    case .constant(true): return ([], nil)
    case .test(let test): return ([test], nil)
    case .and(let terms):
      var tests: [AttributeTest] = []
      for case .test(let test) in terms.prefix(while: \.isTest) { tests.append(test) }
      let rest = Array(terms.dropFirst(tests.count))
      return (tests, rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest))
    default: return ([], self)
    }
  }

  private var isTest: Bool { if case .test = self { true } else { false } }

  /// A comparison of an attribute with a constant; nil for any other.
  private static func test(
    _ operand: BoundExpression, _ comparator: FetchPredicate.Operator, _ constant: Value,
    _ options: FetchPredicate.Options
  ) throws(FetchPredicateError) -> PreparedNode? {
    guard case .path(.evaluatedObject, let steps) = operand, case .attribute(let attribute)? = steps.last
    else {
      return nil
    }
    var way: [BoundRelationship] = []
    for step in steps.dropLast() {
      guard case .toOne(let relationship) = step else { return nil }
      way.append(relationship)
    }
    guard let test = try AttributeTest(attribute, comparator, constant, options) else { return nil }
    return way.isEmpty ? .test(test) : .pathTest(way, test)
  }
}

/// An operand whose subqueries and conditions are ready.
indirect enum PreparedOperand: Sendable {
  case constant(Value)
  case evaluatedObject
  case variable(String)
  case path(PreparedOperand, [BoundStep])
  case index(PreparedOperand, Index)
  case function(FetchFunction, [PreparedOperand])
  case aggregate([PreparedOperand])
  case subquery(PreparedOperand, variable: String, PreparedNode)
  case conditional(PreparedNode, PreparedOperand, PreparedOperand)
  case setOperation(FetchExpression.SetOperation, PreparedOperand, PreparedOperand)

  enum Index: Sendable {
    case at(PreparedOperand)
    case first, last, size
  }

  init(_ expression: BoundExpression) throws(FetchPredicateError) {
    switch expression {
    case .constant(let value): self = .constant(value)
    case .evaluatedObject: self = .evaluatedObject
    case .variable(let name): self = .variable(name)
    case .path(let base, let steps): self = .path(try PreparedOperand(base), steps)
    case .index(let base, .first): self = .index(try PreparedOperand(base), .first)
    case .index(let base, .last): self = .index(try PreparedOperand(base), .last)
    case .index(let base, .size): self = .index(try PreparedOperand(base), .size)
    case .index(let base, .at(let place)):
      self = .index(try PreparedOperand(base), .at(try PreparedOperand(place)))
    case .function(let function, let operands):
      self = .function(function, try PreparedOperand.operands(operands))
    case .aggregate(let elements): self = .aggregate(try PreparedOperand.operands(elements))
    case .subquery(let source, let variable, let predicate):
      self = .subquery(try PreparedOperand(source), variable: variable, try PreparedNode(predicate))
    case .conditional(let predicate, let first, let second):
      self = .conditional(
        try PreparedNode(predicate), try PreparedOperand(first), try PreparedOperand(second))
    case .setOperation(let operation, let left, let right):
      self = .setOperation(operation, try PreparedOperand(left), try PreparedOperand(right))
    }
  }

  static func operands(_ expressions: [BoundExpression]) throws(FetchPredicateError)
    -> [PreparedOperand]
  {
    var operands: [PreparedOperand] = []
    operands.reserveCapacity(expressions.count)
    for expression in expressions { operands.append(try PreparedOperand(expression)) }
    return operands
  }
}

/// A comparison of any two operands, its constant side made ready.
final class PreparedComparison: Sendable {
  let left: PreparedOperand
  let comparator: FetchPredicate.Operator
  let right: PreparedOperand
  let modifier: FetchPredicate.Modifier
  let options: FetchPredicate.Options
  /// For a constant text on the right.
  let text: TextTest?
  /// For a constant list to the right of `IN` without options.
  let members: MatchSet?

  init(_ comparison: BoundPredicate.Comparison) throws(FetchPredicateError) {
    self.left = try PreparedOperand(comparison.left)
    self.comparator = comparison.operator
    self.right = try PreparedOperand(comparison.right)
    self.modifier = comparison.modifier
    self.options = comparison.options
    switch (comparison.operator, comparison.right) {
    case (.between, _): (self.text, self.members) = (nil, nil)
    case (_, .constant(.string(let pattern))), (_, .constant(.uri(let pattern))):
      self.text = try TextTest(comparison.operator, pattern, comparison.options)
      self.members = nil
    case (.in, .constant(.list(let elements))) where comparison.options.isEmpty:
      self.text = nil
      self.members = MatchSet(elements)
    default: (self.text, self.members) = (nil, nil)
    }
  }
}
