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
    try self.descend()
    defer { self.depth -= 1 }
    switch predicate {
    case .constant(let answer): return .constant(answer)
    case .comparison(let comparison): return .comparison(try self.bind(comparison))
    case .and(let terms): return .and(try self.bind(terms))
    case .or(let terms): return .or(try self.bind(terms))
    case .not(let negated): return .not(try self.bind(negated))
    }
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

  mutating func descend() throws(FetchPredicateError) {
    self.depth += 1
    if self.depth > PredicateDepth.limit {
      throw self.error(
        .unsupportedConstruct, "predicate", "is nested deeper than \(PredicateDepth.limit) levels: split it")
    }
  }

  mutating func bind(_ expression: FetchExpression) throws(FetchPredicateError) -> Operand {
    try self.descend()
    defer { self.depth -= 1 }
    switch expression {
    case .constant(let value): return Operand(.constant(value), OperandType(value))
    case .evaluatedObject: return Operand(.evaluatedObject, self.evaluatedType)
    case .variable(let name): return Operand(.variable(name), try self.type(ofVariable: name))
    case .keyPath(let keys):
      let (steps, type) = try self.steps(keys, from: self.evaluatedType)
      return Operand(.path(.evaluatedObject, steps), type)
    case .path(let base, let keys): return try self.bindPath(base, keys)
    case .index(let base, let index): return try self.bindIndex(base, index)
    case .function(let name, let operands): return try self.bindCall(name, operands)
    case .aggregate(let elements): return try self.bindAggregate(elements)
    case .subquery(let source, let variable, let predicate):
      return try self.bindSubquery(source, variable, predicate)
    case .conditional(let predicate, let first, let second):
      let condition = try self.bind(predicate)
      let (first, second) = (try self.bind(first), try self.bind(second))
      return Operand(
        .conditional(condition, first.expression, second.expression),
        OperandType.common([first.type, second.type]))
    case .setOperation(let operation, let left, let right):
      return try self.bindSetOperation(operation, left, right)
    }
  }

  private var evaluatedType: OperandType { self.entity.map { .object($0.id) } ?? .unknown }

  private func type(ofVariable name: String) throws(FetchPredicateError) -> OperandType {
    if let type = self.variables[name] { return type }
    throw self.error(
      .unboundVariable, "$\(name)", "has no value: substitute every variable before the predicate is used")
  }

  // MARK: Composite operands

  private mutating func bindPath(_ base: FetchExpression, _ keys: [String]) throws(FetchPredicateError)
    -> Operand
  {
    let base = try self.bind(base)
    if case .constant(.null) = base.expression { return Operand(.constant(.null), .null) }
    if case .constant(.object) = base.expression {
      if keys == ["objectID"] || keys == ["SELF"] { return base }
      throw self.error(
        .unsupportedConstruct, keys.joined(separator: "."),
        "starts at an object that is a constant: read the value first and pass it instead")
    }
    let (steps, type) = try self.steps(keys, from: base.type)
    return Operand(.path(base.expression, steps), type)
  }

  private mutating func bindIndex(
    _ base: FetchExpression, _ index: FetchExpression.Index
  ) throws(FetchPredicateError) -> Operand {
    let base = try self.bind(base)
    if index == .size {
      guard base.type.element != nil else { throw self.notIndexable(base) }
      return Operand(.index(base.expression, .size), .number)
    }
    if case .collection(_, isOrdered: false) = base.type {
      throw self.error(
        .predicateTypeMismatch, "index", "an unordered collection has no first, last or numbered element")
    }
    let bound: BoundIndex
    switch index {
    case .first: bound = .first
    case .last: bound = .last
    case .size: bound = .size
    case .at(let place):
      let place = try self.bind(place)
      let wanted: [OperandType] = base.type.isCollection ? [.number] : [.number, .text]
      guard place.type.mayBe(.number) || wanted.contains(place.type) else {
        throw self.error(.predicateTypeMismatch, "index", "\(place.type.name) is no index")
      }
      bound = .at(place.expression)
    }
    guard let element = base.type.element else { throw self.notIndexable(base) }
    return Operand(.index(base.expression, bound), element)
  }

  private func notIndexable(_ base: Operand) -> FetchPredicateError {
    self.error(.collectionExpected, "index", "\(base.type.name) has no elements")
  }

  private mutating func bindAggregate(_ elements: [FetchExpression]) throws(FetchPredicateError) -> Operand {
    var operands: [Operand] = []
    var constants: [Value]? = []
    for element in elements {
      let operand = try self.bind(element)
      operands.append(operand)
      if case .constant(let value) = operand.expression { constants?.append(value) } else { constants = nil }
    }
    let type = OperandType.collection(OperandType.common(operands.map(\.type)), isOrdered: true)
    if let constants { return Operand(.constant(.list(constants)), type) }
    return Operand(.aggregate(operands.map(\.expression)), type)
  }

  private mutating func bindSubquery(
    _ source: FetchExpression, _ variable: String, _ predicate: FetchPredicate
  ) throws(FetchPredicateError) -> Operand {
    let source = try self.bind(source)
    guard let element = source.type.element else {
      throw self.error(.collectionExpected, "SUBQUERY", "takes a collection, not \(source.type.name)")
    }
    let outer = self.variables
    self.variables[variable] = element
    let predicate = try self.bind(predicate)
    self.variables = outer
    return Operand(.subquery(source.expression, variable: variable, predicate), source.type)
  }

  private mutating func bindSetOperation(
    _ operation: FetchExpression.SetOperation, _ left: FetchExpression, _ right: FetchExpression
  ) throws(FetchPredicateError) -> Operand {
    let (left, right) = (try self.bind(left), try self.bind(right))
    guard let first = left.type.element, let second = right.type.element else {
      throw self.error(.collectionExpected, operation.rawValue, "takes two collections")
    }
    let isOrdered = if case .collection(_, let isOrdered) = left.type { isOrdered } else { true }
    return Operand(
      .setOperation(operation, left.expression, right.expression),
      .collection(OperandType.common([first, second]), isOrdered: isOrdered))
  }
}
