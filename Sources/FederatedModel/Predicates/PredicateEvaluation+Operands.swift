/// What operands are worth.
extension PredicateEvaluation {
  func operand(_ operand: PreparedOperand) throws -> PredicateOperand {
    switch operand {
    case .constant(let value): return .value(value)
    case .evaluatedObject: return self.subject.predicateOperand
    case .variable(let name): return try self.element(named: name)
    case .path(.evaluatedObject, let steps): return try self.walkFromSubject(steps)
    case .path(let base, let steps): return try self.walk(steps[...], from: try self.operand(base))
    case .index(let base, let index): return try self.element(of: try self.operand(base), at: index)
    case .function(let function, let operands): return try self.call(function, operands)
    case .aggregate(let elements):
      return .collection(try elements.map { try self.operand($0) }, isOrdered: true)
    case .subquery(let source, let variable, let node): return try self.filter(source, variable, node)
    case .conditional(let node, let first, let second):
      return try self.operand(try self.holds(node) ? first : second)
    case .setOperation(let operation, let left, let right):
      return try self.combine(operation, try self.operand(left), try self.operand(right))
    }
  }

  private func element(named name: String) throws -> PredicateOperand {
    if let found = self.variables.last(where: { $0.name == name }) { return found.element }
    throw FetchPredicateError(
      .unboundVariable, subject: "$\(name)",
      "has no value: substitute every variable before the predicate is used")
  }

  // MARK: Paths

  /// The first step is asked of the subject as it is, so that it need not be boxed.
  private func walkFromSubject(_ steps: [BoundStep]) throws -> PredicateOperand {
    guard let first = steps.first, case .subject = self.subject.predicateOperand else {
      return try self.walk(steps[...], from: self.subject.predicateOperand)
    }
    return try self.walk(steps.dropFirst(), from: try self.subject.answer(first))
  }

  private func walk(_ steps: ArraySlice<BoundStep>, from start: PredicateOperand) throws -> PredicateOperand {
    var current = start
    for index in steps.indices {
      if case .collectionOperator(let collectionOperator) = steps[index] {
        return try self.gather(collectionOperator, steps[(index + 1)...], over: current)
      }
      current = try current.answer(steps[index])
    }
    return current
  }

  /// `@count`, `@sum.key` and their kin.
  private func gather(
    _ collectionOperator: CollectionOperator, _ steps: ArraySlice<BoundStep>, over source: PredicateOperand
  ) throws -> PredicateOperand {
    guard let elements = source.elements else {
      throw FetchPredicateError(
        .collectionExpected, subject: collectionOperator.rawValue, "is asked of \(source.kindName)")
    }
    if collectionOperator == .count { return .value(.int(Int64(elements.count))) }
    return try collectionOperator.combine(try elements.map { try self.walk(steps, from: $0) })
  }

  // MARK: Elements

  private func element(
    of base: PredicateOperand, at index: PreparedOperand.Index
  ) throws -> PredicateOperand {
    if case .value(.null) = base { return .null }
    if case .size = index {
      guard let elements = base.collectionElements else { throw self.notIndexable(base) }
      return .value(.int(Int64(elements.count)))
    }
    if case .at(let place) = index, case .subject(let subject) = base,
      let key = try self.operand(place).scalar?.text
    {
      return try subject.operand(forKey: key)
    }
    guard let elements = base.collectionElements else { throw self.notIndexable(base) }
    guard base.isOrdered else {
      throw FetchPredicateError(
        .predicateTypeMismatch, subject: "index",
        "an unordered collection has no first, last or numbered element")
    }
    switch index {
    case .first: return elements.first ?? .null
    case .last, .size: return elements.last ?? .null
    case .at(let place):
      let place = try self.operand(place)
      switch place.scalar {
      case .int(let number): return elements.indices.contains(Int(number)) ? elements[Int(number)] : .null
      case .null: return .null
      default:
        throw FetchPredicateError(.predicateTypeMismatch, subject: "index", "\(place.kindName) is no index")
      }
    }
  }

  private func notIndexable(_ base: PredicateOperand) -> FetchPredicateError {
    FetchPredicateError(.collectionExpected, subject: "index", "\(base.kindName) has no elements")
  }

  // MARK: Collections

  /// The elements for which the node holds. Bare keys in it are asked of the outer subject.
  private func filter(
    _ source: PreparedOperand, _ variable: String, _ node: PreparedNode
  ) throws -> PredicateOperand {
    let source = try self.operand(source)
    guard let elements = source.elements else {
      throw FetchPredicateError(
        .collectionExpected, subject: "SUBQUERY", "takes a collection, not \(source.kindName)")
    }
    var inner = self
    inner.variables.append((variable, .null))
    let place = inner.variables.count - 1
    var chosen: [PredicateOperand] = []
    for element in elements {
      inner.variables[place].element = element
      if try inner.holds(node) { chosen.append(element) }
    }
    return .collection(chosen, isOrdered: source.isOrdered)
  }

  private func combine(
    _ operation: FetchExpression.SetOperation, _ left: PredicateOperand, _ right: PredicateOperand
  ) throws -> PredicateOperand {
    guard let first = left.elements, let second = right.elements else {
      throw FetchPredicateError(
        .collectionExpected, subject: operation.rawValue,
        "takes two collections, not \(left.kindName) and \(right.kindName)")
    }
    let isIn = { (element: PredicateOperand) in try second.contains { try element.equals($0, []) } }
    let combined =
      switch operation {
      case .union: first + second
      case .intersect: try first.filter(isIn)
      case .minus: try first.filter { !(try isIn($0)) }
      }
    return .collection(try Statistics.distinct(combined), isOrdered: left.isOrdered)
  }
}

extension PredicateSubject {
  /// What one step from the subject arrives at.
  func answer(_ step: BoundStep) throws -> PredicateOperand {
    switch step {
    case .attribute(let attribute): return .value(try self.attribute(attribute))
    case .toOne(let relationship): return try self.toOne(relationship).map { .subject($0) } ?? .null
    case .toMany(let relationship):
      return .collection(
        try self.toMany(relationship).map { .subject($0) }, isOrdered: relationship.isOrdered)
    case .identity: return self.predicateIdentity.map { .value(.object($0)) } ?? .subject(self)
    case .key(let key): return try self.operand(forKey: key)
    case .length, .collectionOperator:
      throw FetchPredicateError(
        .unknownKeyPath, subject: "length", "an object has no length: ask a string for it")
    }
  }
}

extension PredicateOperand {
  /// What one step from the operand arrives at. A collection answers with what each element answers, flat.
  func answer(_ step: BoundStep) throws -> PredicateOperand {
    switch self {
    case .subject(let subject): return try subject.answer(step)
    case .value(.null): return .null
    case .collection, .value(.list):
      var found: [PredicateOperand] = []
      var isOrdered = self.isOrdered
      for element in self.collectionElements ?? [] {
        let operand = try element.answer(step)
        isOrdered = isOrdered && operand.isOrdered
        found.append(contentsOf: operand.collectionElements ?? [operand])
      }
      return .collection(found, isOrdered: isOrdered)
    case .value(let value): return .value(try value.answer(step))
    }
  }
}

extension Value {
  fileprivate func answer(_ step: BoundStep) throws -> Value {
    switch (step, self.text) {
    case (.length, let text?), (.key("length"), let text?): return .int(Int64(StringMatching.length(text)))
    case (.identity, _): return self
    case (.key(let key), _):
      throw FetchPredicateError(.unknownKeyPath, subject: key, "\(self.kindName) has no such key")
    default:
      throw FetchPredicateError(
        .predicateTypeMismatch, subject: self.description,
        "\(self.kindName) has no properties")
    }
  }
}
