/// Operands made of other operands, once those are bound.
extension PredicateBinder {
  /// Where in a collection, resolved.
  enum Position {
    case at(Operand)
    case first, last, size
  }

  func path(_ base: Operand, _ keys: [String]) throws(FetchPredicateError) -> Operand {
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

  func element(_ base: Operand, _ position: Position) throws(FetchPredicateError) -> Operand {
    guard let element = base.type.element else {
      throw self.error(.collectionExpected, "index", "\(base.type.name) has no elements")
    }
    if case .size = position { return Operand(.index(base.expression, .size), .number) }
    if case .collection(_, isOrdered: false) = base.type {
      throw self.error(
        .predicateTypeMismatch, "index", "an unordered collection has no first, last or numbered element")
    }
    return Operand(.index(base.expression, try self.index(position, of: base)), element)
  }

  private func index(_ position: Position, of base: Operand) throws(FetchPredicateError) -> BoundIndex {
    switch position {
    case .first: return .first
    case .last: return .last
    case .size: return .size
    case .at(let place):
      // A subject without an entity takes a key in brackets.
      if place.type.mayBe(.number) || (place.type == .text && !base.type.isCollection) {
        return .at(place.expression)
      }
      throw self.error(.predicateTypeMismatch, "index", "\(place.type.name) is no index")
    }
  }

  func aggregate(_ operands: [Operand]) -> Operand {
    let type = OperandType.collection(OperandType.common(operands.map(\.type)), isOrdered: true)
    var constants: [Value] = []
    for operand in operands {
      guard case .constant(let value) = operand.expression else {
        return Operand(.aggregate(operands.map(\.expression)), type)
      }
      constants.append(value)
    }
    return Operand(.constant(.list(constants)), type)
  }

  func setOperation(
    _ operation: FetchExpression.SetOperation, _ operands: [Operand]
  ) throws(FetchPredicateError) -> Operand {
    guard let first = operands[0].type.element, let second = operands[1].type.element else {
      throw self.error(.collectionExpected, operation.rawValue, "takes two collections")
    }
    let isOrdered = if case .collection(_, let isOrdered) = operands[0].type { isOrdered } else { true }
    return Operand(
      .setOperation(operation, operands[0].expression, operands[1].expression),
      .collection(OperandType.common([first, second]), isOrdered: isOrdered))
  }
}
