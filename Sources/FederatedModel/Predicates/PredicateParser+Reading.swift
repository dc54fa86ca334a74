/// Where the parser stands, and what it says when it cannot go on.
extension PredicateParser {
  var token: PredicateToken { self.tokens[self.index] }

  mutating func expect(_ symbol: PredicateSymbol) throws(PredicateFormatError) {
    guard case .symbol(symbol) = self.token.kind else { throw self.expected("\"\(symbol.rawValue)\"") }
    self.index += 1
  }

  func isAt(_ symbol: PredicateSymbol) -> Bool { self.token.kind == .symbol(symbol) }

  /// The error that the current token is not what the grammar wants.
  func expected(_ what: String) -> PredicateFormatError {
    if self.format.allSatisfy(\.isWhitespace) { return self.error(.syntax, "a predicate", found: "nothing") }
    return self.error(.syntax, what, found: self.found)
  }

  func error(_ code: PredicateFormatError.Code, _ expected: String, found: String = "")
    -> PredicateFormatError
  {
    PredicateFormatError(
      code, format: self.format, column: self.format.predicateColumn(ofScalar: self.token.start),
      expected: expected, found: found)
  }

  private var found: String {
    switch self.token.kind {
    case .name(let text): return "\"\(text)\""
    case .keyword(_, let spelling):
      return "the reserved word \(spelling) (as a key it is written #\(spelling))"
    case .key(let text): return "\"#\(text)\""
    case .variable(let text): return "\"$\(text)\""
    case .collectionOperator(let text): return "\"\(text)\""
    case .number(let value): return value.description
    case .string(let text): return Value.string(text).description
    case .symbol(let symbol): return "\"\(symbol.rawValue)\""
    case .placeholder(.value): return "\"%@\""
    case .placeholder(.keyPath): return "\"%K\""
    case .placeholder: return "a printf conversion"
    case .end: return "the end"
    }
  }

  // MARK: Items

  func item(_ predicate: FetchPredicate, height: Int) throws(PredicateFormatError) -> Item {
    try self.check(height: height)
    return Item(content: .predicate(predicate), height: height)
  }

  func item(_ expression: FetchExpression, height: Int) throws(PredicateFormatError) -> Item {
    try self.check(height: height)
    return Item(content: .operand(expression), height: height)
  }

  func check(height: Int) throws(PredicateFormatError) {
    if height > PredicateDepth.limit {
      throw self.error(.nestedTooDeep, "at most \(PredicateDepth.limit) levels of nesting")
    }
  }

  /// Reads what `body` reads one level deeper.
  mutating func nested(
    _ body: (inout PredicateParser) throws(PredicateFormatError) -> Item
  ) throws(PredicateFormatError) -> Item {
    self.nesting += 1
    try self.check(height: self.nesting)
    let item = try body(&self)
    self.nesting -= 1
    return item
  }
}
