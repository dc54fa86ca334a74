/// Reads tokens into a predicate tree.
///
/// One pass, no way back: a parenthesis may hold a predicate or an operand, so every rule answers an ``Item``
/// that says which it met. Compounds are gathered flat, and ``PredicateDepth/limit`` bounds both the nesting
/// of the text and the height of the tree, so that nothing that walks a parsed tree can end the stack.
struct PredicateParser {
  let format: String
  let tokens: [PredicateToken]
  let arguments: [any PredicateArgument]
  var index = 0
  var nextArgument = 0
  var nesting = 0

  /// What a rule met: a predicate or an operand, and how high its tree is.
  struct Item {
    enum Content {
      case predicate(FetchPredicate)
      case operand(FetchExpression)
    }
    var content: Content
    var height: Int
    /// Whether it stood in parentheses of its own.
    var isGrouped = false
  }

  static func predicate(
    _ format: String, _ arguments: [any PredicateArgument]
  ) throws(PredicateFormatError) -> FetchPredicate {
    var parser = PredicateParser(
      format: format, tokens: try PredicateLexer.tokens(of: format), arguments: arguments)
    let item = try parser.disjunction()
    guard case .predicate(let predicate) = item.content else {
      throw parser.expected("a comparison operator")
    }
    try parser.finish()
    return predicate
  }

  static func expression(
    _ format: String, _ arguments: [any PredicateArgument]
  ) throws(PredicateFormatError) -> FetchExpression {
    var parser = PredicateParser(
      format: format, tokens: try PredicateLexer.tokens(of: format), arguments: arguments)
    let item = try parser.operand()
    guard case .operand(let expression) = item.content else { throw parser.expected("an operand") }
    try parser.finish()
    return expression
  }

  private func finish() throws(PredicateFormatError) {
    guard case .end = self.token.kind else { throw self.expected("AND, OR or the end") }
    if self.nextArgument < self.arguments.count {
      throw self.error(
        .arguments, "\(self.nextArgument) argument\(self.nextArgument == 1 ? "" : "s")",
        found: "\(self.arguments.count)")
    }
  }

  // MARK: Compounds

  /// `a OR b AND c …`, gathered flat.
  mutating func disjunction() throws(PredicateFormatError) -> Item {
    var item = try self.negation()
    guard self.connective() != nil else { return item }
    var terms: [FetchPredicate] = []
    var factors: [FetchPredicate] = []
    var height = 0
    while true {
      guard case .predicate(let predicate) = item.content else {
        throw self.expected("a comparison operator")
      }
      height = max(height, item.height)
      factors.append(predicate)
      let connective = self.connective()
      if connective != .and {
        terms.append(factors.count == 1 ? factors[0] : .and(factors))
        factors = []
      }
      if connective == nil { break }
      self.index += 1
      item = try self.negation()
    }
    return try self.item(terms.count == 1 ? terms[0] : .or(terms), height: height + 2)
  }

  private func connective() -> PredicateKeyword? {
    switch self.token.kind {
    case .keyword(.and, _), .symbol(.and): .and
    case .keyword(.or, _), .symbol(.or): .or
    default: nil
    }
  }

  private mutating func negation() throws(PredicateFormatError) -> Item {
    var count = 0
    loop: while true {
      switch self.token.kind {
      case .keyword(.not, _), .symbol(.not):
        self.index += 1
        count += 1
      default: break loop
      }
    }
    let item = try self.comparison()
    if count == 0 { return item }
    guard case .predicate(var predicate) = item.content else { throw self.expected("a comparison operator") }
    try self.check(height: item.height + count)
    for _ in 0..<count { predicate = .not(predicate) }
    return try self.item(predicate, height: item.height + count)
  }

  // MARK: Comparisons

  private enum Quantifier { case any, all, none }

  private mutating func quantifier() -> Quantifier? {
    let found: Quantifier
    switch self.token.kind {
    case .keyword(.any, _), .keyword(.some, _): found = .any
    case .keyword(.all, _): found = .all
    case .keyword(.none, _): found = .none
    default: return nil
    }
    self.index += 1
    return found
  }

  private mutating func comparison() throws(PredicateFormatError) -> Item {
    switch self.token.kind {
    case .keyword(.truePredicate, _):
      self.index += 1
      return try self.item(FetchPredicate.constant(true), height: 1)
    case .keyword(.falsePredicate, _):
      self.index += 1
      return try self.item(FetchPredicate.constant(false), height: 1)
    default: break
    }
    let quantifier = self.quantifier()
    let left = try self.operand()
    guard case .operand(let leftOperand) = left.content else {
      if quantifier != nil { throw self.expected("an operand behind ANY, ALL or NONE") }
      return left
    }
    guard let (comparator, isNegated) = try self.comparisonOperator() else {
      if quantifier == nil { return left }
      throw self.expected("a comparison operator")
    }
    let options = try self.options()
    let right = try self.operand()
    guard case .operand(let rightOperand) = right.content else {
      throw self.expected("an operand, not a predicate")
    }
    return try self.item(
      PredicateParser.comparison(quantifier, leftOperand, comparator, isNegated, rightOperand, options),
      height: max(left.height, right.height) + 2)
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

  private mutating func comparisonOperator() throws(PredicateFormatError) -> (FetchPredicate.Operator, Bool)?
  {
    var isNegated = false
    if case .keyword(.not, _) = self.token.kind {
      isNegated = true
      self.index += 1
    }
    guard let found = self.token.kind.comparisonOperator else {
      if isNegated { throw self.expected("IN or another comparison operator behind NOT") }
      return nil
    }
    self.index += 1
    return (found, isNegated)
  }

  private mutating func options() throws(PredicateFormatError) -> FetchPredicate.Options {
    guard case .symbol(.openBracket) = self.token.kind else { return [] }
    self.index += 1
    guard let letters = self.token.kind.spelling, !letters.isEmpty else {
      throw self.expected("c, d, n or l")
    }
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
}

extension PredicateToken.Kind {
  var comparisonOperator: FetchPredicate.Operator? {
    switch self {
    case .symbol(.equal), .symbol(.doubleEqual): .equal
    case .symbol(.notEqual), .symbol(.lessGreater): .notEqual
    case .symbol(.less): .less
    case .symbol(.lessOrEqual), .symbol(.equalLess): .lessOrEqual
    case .symbol(.greater): .greater
    case .symbol(.greaterOrEqual), .symbol(.equalGreater): .greaterOrEqual
    case .keyword(.between, _): .between
    case .keyword(.in, _): .in
    case .keyword(.contains, _): .contains
    case .keyword(.beginsWith, _): .beginsWith
    case .keyword(.endsWith, _): .endsWith
    case .keyword(.like, _): .like
    case .keyword(.matches, _): .matches
    default: nil
    }
  }

  /// A word as it was written, keyword or not.
  var spelling: String? {
    switch self {
    case .name(let text), .keyword(_, let text): text
    default: nil
    }
  }
}
