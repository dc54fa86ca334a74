/// Calls and other groups that have all their parts.
extension PredicateParser {
  /// Says what the next part of a group may be, behind a comma.
  mutating func prepareNextPart(of group: inout Group) throws(PredicateFormatError) {
    switch group.kind {
    case .subquery(nil):
      guard case .variable(let variable) = self.token.kind else {
        throw self.expected("a variable, as $each")
      }
      self.index += 1
      try self.expect(.comma)
      var next = Group(.subquery(variable: variable), allowsPredicates: true, start: group.start)
      next.parts = group.parts
      group = next
    case .subquery: throw self.expected("\")\"")
    case .conditional:
      group.allowsPredicates = false
      if group.parts.count > 2 { throw self.expected("\")\"") }
    case .cast: if group.parts.count > 1 { throw self.expected("\")\"") }
    default: break
    }
  }

  /// Makes an item of a closed group.
  mutating func finish(_ group: Group) throws(PredicateFormatError) {
    if case .parentheses = group.kind {
      var item = group.parts[0]
      item.isGrouped = true
      item.isNumberLiteral = false
      self.items.append(item)
      return
    }
    var operands: [FetchExpression] = []
    var height = PredicateDepth.operand
    for part in group.parts {
      if case .operand(let operand) = part.content { operands.append(operand) }
      height = max(height, part.height + PredicateDepth.operand)
    }
    switch group.kind {
    case .whole, .parentheses: break
    case .aggregate: try self.push(.aggregate(operands), height: height)
    case .index: try self.finishIndex(operands, height)
    case .call(let function): try self.finish(call: function, operands, height, group)
    case .subquery(let variable): try self.finishSubquery(variable, operands, height, group)
    case .conditional: try self.finishConditional(operands, height, group)
    case .cast: try self.finishCast(operands, height, group)
    case .selector: try self.finishSelector(operands, height)
    }
  }

  private mutating func finishIndex(_ operands: [FetchExpression], _ height: Int) throws(PredicateFormatError)
  {
    let base = self.items.removeLast()
    guard case .operand(let operand) = base.content else { throw self.expected("an operand") }
    try self.push(
      .index(operand, .at(operands[0])), height: max(base.height + PredicateDepth.operand, height))
  }

  private mutating func finish(
    call function: FetchFunction, _ operands: [FetchExpression], _ height: Int, _ group: Group
  ) throws(PredicateFormatError) {
    guard function.arity.contains(operands.count) else {
      let least = function.arity.lowerBound
      let wanted = function.arity.upperBound == .max ? "at least \(least)" : "\(least)"
      throw self.error(
        .syntax, at: group.start, "\(wanted) operand(s) for \(function.rawValue)", found: "\(operands.count)")
    }
    try self.push(.function(function.rawValue, operands), height: height)
  }

  private mutating func finishSubquery(
    _ variable: String?, _ operands: [FetchExpression], _ height: Int, _ group: Group
  ) throws(PredicateFormatError) {
    guard let variable, group.parts.count == 2, case .predicate(let predicate) = group.parts[1].content else {
      throw self.error(.syntax, at: group.start, "SUBQUERY(collection, $variable, predicate)")
    }
    try self.push(.subquery(operands[0], variable: variable, predicate), height: height)
  }

  private mutating func finishConditional(
    _ operands: [FetchExpression], _ height: Int, _ group: Group
  ) throws(PredicateFormatError) {
    guard operands.count == 2, case .predicate(let predicate) = group.parts[0].content else {
      throw self.error(.syntax, at: group.start, "TERNARY(predicate, operand, operand)")
    }
    try self.push(.conditional(predicate, operands[0], operands[1]), height: height)
  }

  /// `CAST("…", "NSUUID")` and its kin are how constants without a literal are written.
  private mutating func finishCast(
    _ operands: [FetchExpression], _ height: Int, _ group: Group
  ) throws(PredicateFormatError) {
    guard operands.count == 2, case .constant(.string(let type)) = operands[1] else {
      throw self.error(.syntax, at: group.start, "CAST(operand, \"NSDate\") with the name of a type")
    }
    switch CastLiteral(operands[0], type) {
    case .constant(let value): try self.push(.constant(value), height: PredicateDepth.operand)
    case .malformed(let expected):
      throw self.error(
        .syntax, at: group.start, "\(expected) in a CAST to \(type)", found: operands[0].description)
    case nil: try self.push(.function(FetchFunction.cast.rawValue, operands), height: height)
    }
  }

  private mutating func finishSelector(_ operands: [FetchExpression], _ height: Int)
    throws(PredicateFormatError)
  {
    guard operands.count >= 2, case .constant(.string) = operands[1] else {
      throw self.expected("FUNCTION(receiver, \"selector\", …) with the name of a selector")
    }
    try self.push(.function(FetchFunction.function.rawValue, operands), height: height)
  }
}
