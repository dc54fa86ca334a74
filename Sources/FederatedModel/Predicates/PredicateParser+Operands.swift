/// What may stand where an operand or a predicate begins.
extension PredicateParser {
  /// Reads one token, and what belongs to it.
  /// - Returns: whether an operand is still needed.
  mutating func readOperand() throws(PredicateFormatError) -> Bool {
    switch self.token.kind {
    case .symbol(.open): return self.open(Group(.parentheses, allowsPredicates: true))
    case .symbol(.openBrace):
      _ = self.open(Group(.aggregate))
      return try self.closeIfEmpty()
    case .symbol(.minus), .symbol(.complement):
      guard case .symbol(let sign) = self.token.kind else { break }
      self.waiting.append(.sign(sign))
      self.index += 1
      return true
    case .symbol(.not): return try self.readNegation()
    case .keyword(let keyword, _): return try self.readWord(keyword)
    case .name(let name):
      if self.tokens[self.index + 1].kind == .symbol(.open) { return try self.openCall(name) }
      if name.contains(":") {
        self.index += 1
        throw self.expected("\"(\" behind the function \(name)")
      }
      return try self.push(.keyPath([name]))
    case .number(let value):
      _ = try self.push(.constant(value))
      self.items[self.items.count - 1].isNumberLiteral = true
      return false
    case .string(let text): return try self.push(.constant(.string(text)))
    case .key(let name), .collectionOperator(let name): return try self.push(.keyPath([name]))
    case .variable(let name):
      if self.tokens[self.index + 1].kind == .symbol(.assign) {
        throw self.error(.unsupportedConstruct, "a comparison: assignment to a variable is not supported")
      }
      return try self.push(.variable(name))
    case .placeholder(let placeholder): return try self.push(try self.argument(placeholder))
    default: break
    }
    throw self.expected("an operand")
  }

  /// Takes the token as a finished operand.
  private mutating func push(_ expression: FetchExpression) throws(PredicateFormatError) -> Bool {
    self.items.append(Item(content: .operand(expression), height: PredicateDepth.operand))
    self.index += 1
    return false
  }

  private mutating func push(predicate: FetchPredicate) throws(PredicateFormatError) -> Bool {
    try self.requirePredicatePlace()
    self.items.append(Item(content: .predicate(predicate), height: PredicateDepth.predicate))
    self.index += 1
    return false
  }

  /// A predicate may begin at the start of a group that takes one, and behind AND, OR and NOT.
  private func requirePredicatePlace() throws(PredicateFormatError) {
    switch self.waiting.last {
    case .open(let group) where group.allowsPredicates: return
    case .compound, .not: return
    default: throw self.expected("an operand")
    }
  }

  private mutating func readNegation() throws(PredicateFormatError) -> Bool {
    try self.requirePredicatePlace()
    self.waiting.append(.not)
    self.index += 1
    return true
  }

  private mutating func readQuantifier(_ quantifier: Quantifier) throws(PredicateFormatError) -> Bool {
    try self.requirePredicatePlace()
    self.waiting.append(.quantifier(quantifier))
    self.index += 1
    return true
  }

  private mutating func readWord(_ keyword: PredicateKeyword) throws(PredicateFormatError) -> Bool {
    switch keyword {
    case .not: return try self.readNegation()
    case .any, .some: return try self.readQuantifier(.any)
    case .all: return try self.readQuantifier(.all)
    case .none: return try self.readQuantifier(.none)
    case .truePredicate: return try self.push(predicate: .constant(true))
    case .falsePredicate: return try self.push(predicate: .constant(false))
    case .itself: return try self.push(.evaluatedObject)
    case .null, .nil: return try self.push(.constant(.null))
    case .true, .yes: return try self.push(.constant(.bool(true)))
    case .false, .no: return try self.push(.constant(.bool(false)))
    case .subquery: return try self.open(.subquery(variable: nil))
    case .ternary: return try self.open(.conditional, allowsPredicates: true)
    case .cast: return try self.open(.cast)
    case .function: return try self.open(.selector)
    case .fetch, .anyKey, .utiConformsTo, .utiEquals: throw self.unsupported(keyword)
    default: throw self.expected("an operand")
    }
  }

  // MARK: Groups

  private mutating func open(_ group: Group) -> Bool {
    self.waiting.append(.open(group))
    self.index += 1
    return true
  }

  /// A word, and the parenthesis that must follow it.
  private mutating func open(_ kind: Group.Kind, allowsPredicates: Bool = false) throws(PredicateFormatError)
    -> Bool
  {
    let start = self.index
    self.index += 1
    try self.expect(.open)
    self.waiting.append(.open(Group(kind, allowsPredicates: allowsPredicates, start: start)))
    return true
  }

  private mutating func openCall(_ name: String) throws(PredicateFormatError) -> Bool {
    guard let function = FetchFunction(formatName: name) else {
      throw self.error(.unknownFunction, "a known function", found: "\"\(name)\"")
    }
    _ = try self.open(.call(function))
    return try self.closeIfEmpty()
  }

  /// Ends a group that has no parts.
  private mutating func closeIfEmpty() throws(PredicateFormatError) -> Bool {
    guard case .open(let group)? = self.waiting.last, let close = group.close, self.isAt(close) else {
      return true
    }
    self.index += 1
    self.waiting.removeLast()
    try self.finish(group)
    return false
  }
}
