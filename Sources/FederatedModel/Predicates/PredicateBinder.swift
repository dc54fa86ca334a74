/// Resolves a predicate's keys against one entity, and refuses what no row could answer.
///
/// Without an entity every key is kept as a name, and types are known only of constants.
struct PredicateBinder {
  let entity: Entity?
  let model: ManagedObjectModel?
  /// What is known of the variables of the enclosing subqueries.
  var variables: [String: OperandType] = [:]
  var depth = 0

  /// An operand, resolved, and what is known of its values.
  struct Operand {
    let expression: BoundExpression
    let type: OperandType

    init(_ expression: BoundExpression, _ type: OperandType) {
      self.expression = expression
      self.type = type
    }
  }

  func error(_ code: FetchPredicateError.Code, _ subject: String, _ detail: String) -> FetchPredicateError {
    FetchPredicateError(code, entity: self.entity?.name, subject: subject, detail)
  }

  mutating func bind(_ predicate: FetchPredicate) throws(FetchPredicateError) -> BoundPredicate {
    try self.descend(by: PredicateDepth.predicate)
    let bound: BoundPredicate
    switch predicate {
    case .constant(let answer): bound = .constant(answer)
    case .comparison(let comparison): bound = .comparison(try self.bind(comparison))
    case .and(let terms): bound = .and(try self.bind(terms))
    case .or(let terms): bound = .or(try self.bind(terms))
    case .not(let negated): bound = .not(try self.bind(negated))
    case .block(let block): bound = .block(BoundBlock(block, try self.bind(block.operands).map(\.expression)))
    }
    self.depth -= PredicateDepth.predicate
    return bound
  }

  private mutating func bind(_ terms: [FetchPredicate]) throws(FetchPredicateError) -> [BoundPredicate] {
    var bound: [BoundPredicate] = []
    bound.reserveCapacity(terms.count)
    for term in terms { bound.append(try self.bind(term)) }
    return bound
  }

  private mutating func bind(
    _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> BoundPredicate.Comparison {
    let left = try self.bind(comparison.left)
    let right = try self.bind(comparison.right)
    try self.check(comparison, left, right)
    return .init(
      left.expression, comparison.operator, right.expression, modifier: comparison.modifier,
      options: comparison.options)
  }

  private mutating func descend(by weight: Int) throws(FetchPredicateError) {
    self.depth += weight
    if self.depth > PredicateDepth.limit {
      throw self.error(
        .unsupportedConstruct, "predicate", "is nested deeper than \(PredicateDepth.limit) levels: split it")
    }
  }

  mutating func bind(_ expression: FetchExpression) throws(FetchPredicateError) -> Operand {
    try self.descend(by: PredicateDepth.operand)
    let operand: Operand
    switch expression {
    case .constant, .evaluatedObject, .variable, .keyPath: operand = try self.bindLeaf(expression)
    case .path(let base, let keys): operand = try self.path(try self.bind(base), keys)
    case .index(let base, let index): operand = try self.element(try self.bind(base), try self.bind(index))
    case .function(let name, let operands): operand = try self.call(name, try self.bind(operands))
    case .aggregate(let elements): operand = self.aggregate(try self.bind(elements))
    case .subquery: operand = try self.bindSubquery(expression)
    case .conditional: operand = try self.bindConditional(expression)
    case .setOperation(let operation, let left, let right):
      operand = try self.setOperation(operation, try self.bind([left, right]))
    }
    self.depth -= PredicateDepth.operand
    return operand
  }

  /// Each composite shape has its own function behind the recursion, so that a level of nesting costs little
  /// of the stack.
  private mutating func bind(_ expressions: [FetchExpression]) throws(FetchPredicateError) -> [Operand] {
    var operands: [Operand] = []
    operands.reserveCapacity(expressions.count)
    for expression in expressions { operands.append(try self.bind(expression)) }
    return operands
  }

  private mutating func bind(_ index: FetchExpression.Index) throws(FetchPredicateError) -> Position {
    switch index {
    case .first: .first
    case .last: .last
    case .size: .size
    case .at(let place): .at(try self.bind(place))
    }
  }

  private func bindLeaf(_ expression: FetchExpression) throws(FetchPredicateError) -> Operand {
    switch expression {
    case .constant(let value): return Operand(.constant(value), OperandType(value))
    case .variable(let name): return Operand(.variable(name), try self.type(ofVariable: name))
    case .keyPath(let keys):
      let (steps, type) = try self.steps(keys, from: self.evaluatedType)
      return Operand(.path(.evaluatedObject, steps), type)
    default: return Operand(.evaluatedObject, self.evaluatedType)
    }
  }

  private mutating func bindConditional(_ expression: FetchExpression) throws(FetchPredicateError) -> Operand
  {
    guard case .conditional(let predicate, let first, let second) = expression else {
      return try self.bindLeaf(expression)
    }
    let condition = try self.bind(predicate)
    let operands = try self.bind([first, second])
    return Operand(
      .conditional(condition, operands[0].expression, operands[1].expression),
      OperandType.common(operands.map(\.type)))
  }

  private mutating func bindSubquery(_ expression: FetchExpression) throws(FetchPredicateError) -> Operand {
    guard case .subquery(let source, let variable, let predicate) = expression else {
      return try self.bindLeaf(expression)
    }
    let bound = try self.bind(source)
    let outer = self.variables
    self.variables[variable] = try self.elementType(ofSource: bound)
    let condition = try self.bind(predicate)
    self.variables = outer
    return Operand(.subquery(bound.expression, variable: variable, condition), bound.type)
  }

  private func elementType(ofSource source: Operand) throws(FetchPredicateError) -> OperandType {
    if let element = source.type.element { return element }
    throw self.error(.collectionExpected, "SUBQUERY", "takes a collection, not \(source.type.name)")
  }

  private var evaluatedType: OperandType { self.entity.map { .object($0.id) } ?? .unknown }

  private func type(ofVariable name: String) throws(FetchPredicateError) -> OperandType {
    if let type = self.variables[name] { return type }
    throw self.error(
      .unboundVariable, "$\(name)", "has no value: substitute every variable before the predicate is used")
  }
}
