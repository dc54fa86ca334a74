/// Calls: which functions there are, and what they take and give.
extension PredicateBinder {
  func call(_ name: String, _ operands: [Operand]) throws(FetchPredicateError) -> Operand {
    guard let function = FetchFunction(rawValue: name) else {
      throw self.error(.unsupportedFunction, name, "is no function of the predicate language")
    }
    guard function.arity.contains(operands.count) else {
      throw self.error(.unsupportedFunction, name, "takes another number of operands than \(operands.count)")
    }
    switch function {
    case .noindex: return operands[0]
    case .objectAtIndex: return try self.element(operands[0], .at(operands[1]))
    case .distance:
      throw self.error(.unsupportedFunction, name, "needs location values, which no store holds")
    case .function: try self.checkSelector(operands)
    case .cast: try self.checkCast(operands[1])
    default: break
    }
    let type = try self.resultType(function, operands.map(\.type))
    return Operand(.function(function, operands.map(\.expression)), type)
  }

  private func checkSelector(_ operands: [Operand]) throws(FetchPredicateError) {
    let known = FetchFunction.Selector.allCases.map(\.rawValue).joined(separator: ", ")
    guard case .constant(.string(let name)) = operands[1].expression,
      let selector = FetchFunction.Selector(rawValue: name)
    else {
      throw self.error(.unsupportedFunction, operands[1].expression.text, "FUNCTION sends only \(known)")
    }
    let count = selector == .dateByAddingTimeInterval ? 3 : 2
    guard operands.count == count else {
      throw self.error(.unsupportedFunction, name, "takes \(count - 2) operand(s), not \(operands.count - 2)")
    }
  }

  private func checkCast(_ type: Operand) throws(FetchPredicateError) {
    if case .constant(.string(let name)) = type.expression, CastType(rawValue: name) != nil { return }
    let known = CastType.allCases.map(\.rawValue).joined(separator: ", ")
    throw self.error(.unsupportedFunction, "CAST to \(type.expression.text)", "CAST knows only \(known)")
  }

  private func resultType(
    _ function: FetchFunction, _ types: [OperandType]
  ) throws(FetchPredicateError) -> OperandType {
    switch function {
    case .count: return .number
    case .sum, .average, .median, .stddev:
      for type in self.members(types) { try self.require(type, .number, by: function) }
      return .number
    case .mode: return .collection(OperandType.common(self.members(types)), isOrdered: true)
    case .min, .max:
      for type in self.members(types) where !type.mayBe(.number, .text, .date) {
        throw self.error(.predicateTypeMismatch, function.rawValue, "\(type.name) has no order")
      }
      return OperandType.common(self.members(types))
    case .uppercase, .lowercase, .canonical:
      try self.require(types[0], .text, by: function)
      return .text
    case .length:
      try self.require(types[0], .text, by: function)
      return .number
    case .cast, .function: return .unknown
    case .now: return .date
    default:
      for type in types { try self.require(type, .number, by: function) }
      return .number
    }
  }

  /// The values that a statistic is over: the elements of one collection, or the operands.
  private func members(_ types: [OperandType]) -> [OperandType] {
    if types.count == 1, case .collection(let element, _) = types[0] { return [element] }
    return types
  }

  private func require(
    _ type: OperandType, _ wanted: OperandType, by function: FetchFunction
  ) throws(FetchPredicateError) {
    if type.mayBe(wanted) { return }
    throw self.error(
      .predicateTypeMismatch, function.infix ?? function.rawValue, "takes \(wanted.name), not \(type.name)")
  }
}

/// What `CAST` can make.
enum CastType: String, CaseIterable {
  case date = "NSDate"
  case number = "NSNumber"
  case string = "NSString"
  case decimal = "NSDecimalNumber"
  case uuid = "NSUUID"
  case data = "NSData"
  case url = "NSURL"
}

extension BoundExpression {
  /// For messages.
  fileprivate var text: String {
    if case .constant(let value) = self { value.description } else { "an operand" }
  }
}

extension FetchPredicate.Comparison: CustomStringConvertible {
  public var description: String {
    var text = ""
    self.print(into: &text)
    return text
  }
}
