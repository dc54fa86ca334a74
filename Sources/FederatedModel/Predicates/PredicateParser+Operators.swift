/// What may stand behind an operand or a predicate.
extension PredicateParser {
  /// Reads one token, and what belongs to it.
  /// - Returns: whether an operand is needed next.
  mutating func readOperator() throws(PredicateFormatError) -> Bool {
    switch self.token.kind {
    case .symbol(.dot):
      try self.readKeys()
      return false
    case .symbol(.openBracket): return try self.readIndex()
    case .symbol(.comma):
      try self.readComma()
      return true
    case .symbol(.close), .symbol(.closeBrace), .symbol(.closeBracket), .end:
      try self.readClose()
      return false
    case .keyword(.and, _), .symbol(.and):
      try self.read(.and)
      return true
    case .keyword(.or, _), .symbol(.or):
      try self.read(.or)
      return true
    default: break
    }
    if let infix = PredicateInfix(self.token.kind) {
      try self.reduce(downTo: 4 + infix.precedence)
      try self.requireOperand()
      self.waiting.append(.infix(infix))
      self.index += 1
    } else {
      try self.readComparison()
    }
    return true
  }

  private func requireOperand() throws(PredicateFormatError) {
    if self.items[self.items.count - 1].isPredicate {
      throw self.expected("AND, OR or the end behind a predicate")
    }
  }

  /// What the innermost group can still take, for messages.
  private var continuation: String {
    let group = self.group
    if let close = group.close { return "\"\(close.rawValue)\"" }
    return self.items[self.items.count - 1].isPredicate ? "AND, OR or the end" : "an operator"
  }

  // MARK: Compounds

  /// A chain of the same connective gathers its terms; the stronger connective is finished first.
  private mutating func read(_ connective: Connective) throws(PredicateFormatError) {
    try self.reduce(downTo: connective.strength + 1)
    guard self.items[self.items.count - 1].isPredicate else { throw self.expected("a comparison operator") }
    guard self.group.allowsPredicates else { throw self.expected(self.continuation) }
    if case .compound(connective, let terms)? = self.waiting.last {
      self.waiting[self.waiting.count - 1] = .compound(connective, terms: terms + 1)
    } else {
      self.waiting.append(.compound(connective, terms: 1))
    }
    self.index += 1
  }

  // MARK: Comparisons

  private mutating func readComparison() throws(PredicateFormatError) {
    let start = self.index
    var isNegated = false
    if case .keyword(.not, _) = self.token.kind {
      isNegated = true
      self.index += 1
    }
    guard let comparator = self.token.kind.comparisonOperator else {
      if isNegated { throw self.expected("IN or another comparison operator behind NOT") }
      if case .keyword(let keyword, _) = self.token.kind, keyword == .utiConformsTo || keyword == .utiEquals {
        throw self.unsupported(keyword)
      }
      throw self.expected(self.continuation)
    }
    self.index = start
    try self.reduce(downTo: 5)
    try self.requireOperand()
    guard self.group.allowsPredicates else { throw self.expected(self.continuation) }
    var quantifier: Quantifier?
    switch self.waiting.last {
    case .quantifier(let found):
      quantifier = found
      self.waiting.removeLast()
    case .comparison: throw self.expected("AND, OR or the end behind a comparison")
    default: break
    }
    self.index = start + (isNegated ? 2 : 1)
    self.waiting.append(.comparison(comparator, isNegated: isNegated, try self.options(), quantifier))
  }

  private mutating func options() throws(PredicateFormatError) -> FetchPredicate.Options {
    guard self.isAt(.openBracket) else { return [] }
    self.index += 1
    guard let letters = self.token.kind.spelling else { throw self.expected("c, d, n or l") }
    var options: FetchPredicate.Options = []
    for letter in letters {
      switch letter {
      case "c", "C": options.insert(.caseInsensitive)
      case "d", "D": options.insert(.diacriticInsensitive)
      case "n", "N": options.insert(.normalized)
      case "l", "L": options.insert(.localeSensitive)
      default: throw self.expected("c, d, n or l")
      }
    }
    self.index += 1
    try self.expect(.closeBracket)
    return options
  }

  // MARK: Keys and indexes

  /// Keys join the path that they follow, unless parentheses closed it.
  private mutating func readKeys() throws(PredicateFormatError) {
    self.index += 1
    let keys = try self.keys()
    let item = self.items.removeLast()
    guard case .operand(let base) = item.content else { throw self.expected("AND, OR or the end") }
    switch base {
    case .keyPath(let path) where !item.isGrouped: try self.push(.keyPath(path + keys), height: item.height)
    case .path(let root, let path) where !item.isGrouped:
      try self.push(.path(root, path + keys), height: item.height)
    default: try self.push(.path(base, keys), height: item.height + PredicateDepth.operand)
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
    case .placeholder(.keyPath):
      let keys = try self.keyPathArgument()
      self.index += 1
      return keys
    default: throw self.expected("a key behind the dot")
    }
  }

  private mutating func readIndex() throws(PredicateFormatError) -> Bool {
    try self.requireOperand()
    self.index += 1
    let place: FetchExpression.Index
    switch self.token.kind {
    case .keyword(.first, _): place = .first
    case .keyword(.last, _): place = .last
    case .keyword(.size, _): place = .size
    default:
      self.waiting.append(.open(Group(.index)))
      return true
    }
    self.index += 1
    try self.expect(.closeBracket)
    let item = self.items.removeLast()
    guard case .operand(let base) = item.content else { throw self.expected("an operand") }
    try self.push(.index(base, place), height: item.height + PredicateDepth.operand)
    return false
  }

  // MARK: Commas and closing signs

  private mutating func readComma() throws(PredicateFormatError) {
    try self.reduce(downTo: 1)
    guard case .open(var group)? = self.waiting.last, group.takesCommas else {
      throw self.expected(self.continuation)
    }
    // Parts that two hold are copied at every comma: a list of n would cost n².
    self.waiting.removeLast()
    group.parts.append(try self.part(of: group))
    self.index += 1
    try self.prepareNextPart(of: &group)
    self.waiting.append(.open(group))
  }

  private mutating func readClose() throws(PredicateFormatError) {
    try self.reduce(downTo: 1)
    guard case .open(var group)? = self.waiting.last else { throw self.expected(self.continuation) }
    guard self.token.kind == group.close.map({ .symbol($0) }) ?? .end else {
      throw self.expected(self.continuation)
    }
    if case .whole = group.kind {
      self.waiting.removeLast()
      return
    }
    group.parts.append(try self.part(of: group))
    self.index += 1
    self.waiting.removeLast()
    try self.finish(group)
  }

  /// Takes the item that ends at a comma or closing sign.
  private mutating func part(of group: Group) throws(PredicateFormatError) -> Item {
    let item = self.items.removeLast()
    if case .parentheses = group.kind { return item }
    if group.allowsPredicates != item.isPredicate {
      throw self.expected(group.allowsPredicates ? "a comparison operator" : "an operand, not a predicate")
    }
    return item
  }
}
