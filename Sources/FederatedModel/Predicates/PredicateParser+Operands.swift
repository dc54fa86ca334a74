import Foundation

/// Operands: infix operators by precedence, signs, keys and indexes behind an operand.
extension PredicateParser {
  mutating func operand() throws(PredicateFormatError) -> Item { try self.infix(from: 1) }

  /// An operand where a predicate cannot stand.
  mutating func plainOperand() throws(PredicateFormatError) -> (FetchExpression, height: Int) {
    let item = try self.operand()
    guard case .operand(let expression) = item.content else {
      throw self.expected("an operand, not a predicate")
    }
    return (expression, item.height)
  }

  // MARK: Infix operators

  private enum Infix {
    case function(FetchFunction, precedence: Int)
    case set(FetchExpression.SetOperation)

    var precedence: Int {
      switch self {
      case .function(_, let precedence): precedence
      case .set: 5
      }
    }

    func callAsFunction(_ left: FetchExpression, _ right: FetchExpression) -> FetchExpression {
      switch self {
      case .function(let function, _): .function(function.rawValue, [left, right])
      case .set(let operation): .setOperation(operation, left, right)
      }
    }
  }

  private var infixOperator: Infix? {
    switch self.token.kind {
    case .symbol(.bitOr): .function(.bitwiseOr, precedence: 1)
    case .symbol(.bitXor): .function(.bitwiseXor, precedence: 2)
    case .symbol(.bitAnd): .function(.bitwiseAnd, precedence: 3)
    case .symbol(.leftShift): .function(.leftShift, precedence: 4)
    case .symbol(.rightShift): .function(.rightShift, precedence: 4)
    case .keyword(.union, _): .set(.union)
    case .keyword(.intersect, _): .set(.intersect)
    case .keyword(.minus, _): .set(.minus)
    case .symbol(.plus): .function(.add, precedence: 6)
    case .symbol(.minus): .function(.subtract, precedence: 6)
    case .symbol(.times): .function(.multiply, precedence: 7)
    case .symbol(.divide): .function(.divide, precedence: 7)
    case .symbol(.power): .function(.power, precedence: 8)
    default: nil
    }
  }

  /// Every operator is left-associative.
  private mutating func infix(from precedence: Int) throws(PredicateFormatError) -> Item {
    var left = try self.signed()
    while let infix = self.infixOperator, infix.precedence >= precedence {
      guard case .operand(let leftOperand) = left.content else {
        throw self.expected("AND, OR or the end behind a predicate")
      }
      self.index += 1
      let right = try self.infix(from: infix.precedence + 1)
      guard case .operand(let rightOperand) = right.content else {
        throw self.expected("an operand, not a predicate")
      }
      left = try self.item(infix(leftOperand, rightOperand), height: max(left.height, right.height) + 1)
    }
    return left
  }

  // MARK: Signs

  private mutating func signed() throws(PredicateFormatError) -> Item {
    var signs: [PredicateSymbol] = []
    while case .symbol(let symbol) = self.token.kind, symbol == .minus || symbol == .complement {
      signs.append(symbol)
      self.index += 1
    }
    if signs.isEmpty { return try self.postfix() }
    let beginsWithNumber = if case .number = self.token.kind { true } else { false }
    let item = try self.postfix()
    guard case .operand(var operand) = item.content else { throw self.expected("an operand behind the sign") }
    var isLiteral = beginsWithNumber
    for sign in signs.reversed() {
      if sign == .complement {
        operand = .function(FetchFunction.onesComplement.rawValue, [operand])
        isLiteral = false
      } else if isLiteral, case .constant(let value) = operand, let negated = value.negatedLiteral {
        operand = .constant(negated)
      } else {
        operand = .function(FetchFunction.multiply.rawValue, [.constant(.int(-1)), operand])
        isLiteral = false
      }
    }
    return try self.item(operand, height: item.height + signs.count)
  }

  // MARK: Keys and indexes

  private mutating func postfix() throws(PredicateFormatError) -> Item {
    var item = try self.atom()
    while true {
      switch self.token.kind {
      case .symbol(.dot):
        self.index += 1
        let keys = try self.keys()
        guard case .operand(let base) = item.content else { throw self.expected("AND, OR or the end") }
        item = try self.item(
          PredicateParser.path(base, isGrouped: item.isGrouped, keys),
          height: item.height + (item.isGrouped ? 1 : 0))
      case .symbol(.openBracket):
        guard case .operand(let base) = item.content else { throw self.expected("AND, OR or the end") }
        self.index += 1
        let (index, height) = try self.position()
        item = try self.item(.index(base, index), height: max(item.height, height) + 1)
      default: return item
      }
    }
  }

  /// Keys join the path that they follow, unless parentheses closed it.
  private static func path(_ base: FetchExpression, isGrouped: Bool, _ keys: [String]) -> FetchExpression {
    switch base {
    case .keyPath(let path) where !isGrouped: .keyPath(path + keys)
    case .path(let root, let path) where !isGrouped: .path(root, path + keys)
    default: .path(base, keys)
    }
  }

  private mutating func keys() throws(PredicateFormatError) -> [String] {
    switch self.token.kind {
    case .name(let name) where !name.contains(":"):
      self.index += 1
      return [name]
    case .key(let name), .collectionOperator(let name), .keyword(_, let name):
      self.index += 1
      return [name]
    case .placeholder(.keyPath): return try self.keyPathArgument()
    default: throw self.expected("a key behind the dot")
    }
  }

  private mutating func position() throws(PredicateFormatError) -> (FetchExpression.Index, height: Int) {
    let index: FetchExpression.Index
    var height = 1
    switch self.token.kind {
    case .keyword(.first, _): (index, self.index) = (.first, self.index + 1)
    case .keyword(.last, _): (index, self.index) = (.last, self.index + 1)
    case .keyword(.size, _): (index, self.index) = (.size, self.index + 1)
    default:
      let item = try self.nested { parser throws(PredicateFormatError) in try parser.operand() }
      guard case .operand(let expression) = item.content else { throw self.expected("an index") }
      (index, height) = (.at(expression), item.height)
    }
    try self.expect(.closeBracket)
    return (index, height)
  }
}

extension Value {
  /// The value of a literal behind a minus sign.
  fileprivate var negatedLiteral: Value? {
    switch self {
    case .int(let int): .int(-int)
    case .double(let double): .double(-double)
    // The magnitude of the smallest integer fits no integer.
    case .decimal(let decimal): decimal == Value.magnitudeOfSmallestInteger ? .int(.min) : .decimal(-decimal)
    default: nil
    }
  }

  private static let magnitudeOfSmallestInteger = Decimal(UInt64(1) << 63)
}
