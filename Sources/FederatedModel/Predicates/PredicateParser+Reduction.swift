import Foundation

/// Operators that have all their operands become items.
extension PredicateParser {
  /// Finishes every waiting operator of the strength given or more.
  mutating func reduce(downTo strength: Int) throws(PredicateFormatError) {
    while let last = self.waiting.last, last.strength >= strength {
      self.waiting.removeLast()
      switch last {
      case .open: return
      case .compound(let connective, let terms): try self.finish(connective, terms: terms + 1)
      case .not: try self.finishNegation()
      case .quantifier: throw self.expected("a comparison operator")
      case .comparison(let comparator, let isNegated, let options, let quantifier):
        try self.finish(comparator, isNegated, options, quantifier)
      case .infix(let infix): try self.finish(infix)
      case .sign(let sign): try self.finish(sign)
      }
    }
  }

  mutating func push(_ expression: FetchExpression, height: Int) throws(PredicateFormatError) {
    try self.check(height: height)
    self.items.append(Item(content: .operand(expression), height: height))
  }

  private mutating func push(_ predicate: FetchPredicate, height: Int) throws(PredicateFormatError) {
    try self.check(height: height)
    self.items.append(Item(content: .predicate(predicate), height: height))
  }

  private mutating func finish(_ connective: Connective, terms count: Int) throws(PredicateFormatError) {
    var terms: [FetchPredicate] = []
    var height = 0
    for item in self.items.suffix(count) {
      guard case .predicate(let term) = item.content else { throw self.expected("a comparison operator") }
      terms.append(term)
      height = max(height, item.height)
    }
    self.items.removeLast(count)
    try self.push(connective == .and ? .and(terms) : .or(terms), height: height + PredicateDepth.predicate)
  }

  private mutating func finishNegation() throws(PredicateFormatError) {
    let item = self.items.removeLast()
    guard case .predicate(let predicate) = item.content else {
      self.items.append(item)
      throw self.expected("a comparison operator")
    }
    try self.push(.not(predicate), height: item.height + PredicateDepth.predicate)
  }

  private mutating func finish(
    _ comparator: FetchPredicate.Operator, _ isNegated: Bool, _ options: FetchPredicate.Options,
    _ quantifier: Quantifier?
  ) throws(PredicateFormatError) {
    let (left, right, height) = try self.takeOperands()
    let predicate = PredicateParser.comparison(quantifier, left, comparator, isNegated, right, options)
    try self.push(predicate, height: height + PredicateDepth.predicate)
  }

  /// `NONE` and `NOT op` are spelled out: "some element is not in" is "not every element is in".
  private static func comparison(
    _ quantifier: Quantifier?, _ left: FetchExpression, _ comparator: FetchPredicate.Operator,
    _ isNegated: Bool,
    _ right: FetchExpression, _ options: FetchPredicate.Options
  ) -> FetchPredicate {
    func plain(_ modifier: FetchPredicate.Modifier) -> FetchPredicate {
      .comparison(.init(left, comparator, right, modifier: modifier, options: options))
    }
    switch (quantifier, isNegated) {
    case (nil, false): return plain(.direct)
    case (nil, true): return .not(plain(.direct))
    case (.any, false): return plain(.any)
    case (.any, true): return .not(plain(.all))
    case (.all, false): return plain(.all)
    case (.all, true), (.none?, false): return .not(plain(.any))
    case (.none?, true): return plain(.all)
    }
  }

  private mutating func finish(_ infix: PredicateInfix) throws(PredicateFormatError) {
    let (left, right, height) = try self.takeOperands()
    try self.push(infix.expression(left, right), height: height + PredicateDepth.operand)
  }

  private mutating func takeOperands() throws(PredicateFormatError) -> (
    FetchExpression, FetchExpression, height: Int
  ) {
    let right = self.items.removeLast()
    let left = self.items.removeLast()
    guard case .operand(let leftOperand) = left.content, case .operand(let rightOperand) = right.content
    else {
      self.items.append(right)
      throw self.expected("an operand, not a predicate")
    }
    return (leftOperand, rightOperand, max(left.height, right.height))
  }

  /// A minus before a number is part of the number; before anything else it is a multiplication by -1.
  private mutating func finish(_ sign: PredicateSymbol) throws(PredicateFormatError) {
    let item = self.items.removeLast()
    guard case .operand(let operand) = item.content else { throw self.expected("an operand behind the sign") }
    if sign == .complement {
      try self.push(
        .function(FetchFunction.onesComplement.rawValue, [operand]),
        height: item.height + PredicateDepth.operand)
    } else if item.isNumberLiteral, case .constant(let value) = operand, let negated = value.negatedLiteral {
      try self.push(.constant(negated), height: item.height)
      self.items[self.items.count - 1].isNumberLiteral = true
    } else {
      try self.push(
        .function(FetchFunction.multiply.rawValue, [.constant(.int(-1)), operand]),
        height: item.height + PredicateDepth.operand)
    }
  }
}

extension Value {
  /// The value of a literal behind a minus sign.
  fileprivate var negatedLiteral: Value? {
    switch self {
    case .int(let int): int == .min ? .decimal(Value.magnitudeOfSmallestInteger) : .int(-int)
    case .double(let double): .double(-double)
    // The magnitude of the smallest integer fits no integer.
    case .decimal(let decimal): decimal == Value.magnitudeOfSmallestInteger ? .int(.min) : .decimal(-decimal)
    default: nil
    }
  }

  private static let magnitudeOfSmallestInteger = Decimal(UInt64(1) << 63)
}
