/// Where the parser stands, and what it says when it cannot go on.
extension PredicateParser {
  var token: PredicateToken { self.tokens[self.index] }

  mutating func expect(_ symbol: PredicateSymbol) throws(PredicateFormatError) {
    guard self.isAt(symbol) else { throw self.expected("\"\(symbol.rawValue)\"") }
    self.index += 1
  }

  func isAt(_ symbol: PredicateSymbol) -> Bool { self.token.kind == .symbol(symbol) }

  /// The error that the current token is not what the grammar wants.
  func expected(_ what: String) -> PredicateFormatError {
    if self.format.allSatisfy(\.isWhitespace) {
      let wanted = self.group.allowsPredicates ? "a predicate" : "an operand"
      return self.error(.syntax, wanted, found: "nothing")
    }
    return self.error(.syntax, what, found: self.found)
  }

  func unsupported(_ keyword: PredicateKeyword) -> PredicateFormatError {
    self.error(.unsupportedConstruct, "something else: \(keyword.rawValue) is not supported")
  }

  func error(
    _ code: PredicateFormatError.Code, at index: Int? = nil, _ expected: String, found: String = ""
  ) -> PredicateFormatError {
    PredicateFormatError(
      code, format: self.format,
      column: self.format.predicateColumn(ofScalar: self.tokens[index ?? self.index].start),
      expected: expected,
      found: found)
  }

  func check(height: Int) throws(PredicateFormatError) {
    if height > PredicateDepth.limit {
      throw self.error(.nestedTooDeep, "at most \(PredicateDepth.limit) levels of nesting")
    }
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
}
