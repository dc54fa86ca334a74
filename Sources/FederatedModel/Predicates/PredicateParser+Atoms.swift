/// The smallest operands: literals, keys, variables, calls, and what stands in parentheses or braces.
extension PredicateParser {
  mutating func atom() throws(PredicateFormatError) -> Item {
    switch self.token.kind {
    case .symbol(.open): return try self.group()
    case .symbol(.openBrace): return try self.aggregate()
    case .keyword(let keyword, let spelling): return try self.word(keyword, spelling)
    case .name(let name):
      self.index += 1
      if self.isAt(.open) { return try self.call(name) }
      if name.contains(":") { throw self.expected("\"(\" behind the function \(name)") }
      return try self.item(.keyPath([name]), height: 1)
    case .placeholder(let placeholder): return try self.argument(placeholder)
    default: break
    }
    let expression: FetchExpression
    switch self.token.kind {
    case .number(let value): expression = .constant(value)
    case .string(let text): expression = .constant(.string(text))
    case .key(let name), .collectionOperator(let name): expression = .keyPath([name])
    case .variable(let name):
      if self.tokens[self.index + 1].kind == .symbol(.assign) {
        throw self.error(.unsupportedConstruct, "a comparison: assignment to a variable is not supported")
      }
      expression = .variable(name)
    default: throw self.expected("an operand")
    }
    self.index += 1
    return try self.item(expression, height: 1)
  }

  /// `(…)`: a predicate or an operand.
  private mutating func group() throws(PredicateFormatError) -> Item {
    self.index += 1
    self.nesting += 1
    try self.check(height: self.nesting)
    var item = try self.disjunction()
    self.nesting -= 1
    try self.expect(.close)
    item.isGrouped = true
    return item
  }

  /// `{a, b, c}`.
  private mutating func aggregate() throws(PredicateFormatError) -> Item {
    self.index += 1
    let (elements, height) = try self.operands(upTo: .closeBrace)
    return try self.item(.aggregate(elements), height: height + 1)
  }

  /// Operands between commas, and the sign that ends them.
  private mutating func operands(
    upTo end: PredicateSymbol
  ) throws(PredicateFormatError) -> ([FetchExpression], height: Int) {
    var elements: [FetchExpression] = []
    var height = 0
    self.nesting += 1
    try self.check(height: self.nesting)
    if !self.isAt(end) {
      while true {
        let (element, elementHeight) = try self.plainOperand()
        elements.append(element)
        height = max(height, elementHeight)
        guard self.isAt(.comma) else { break }
        self.index += 1
      }
    }
    self.nesting -= 1
    try self.expect(end)
    return (elements, height)
  }

  // MARK: Words

  private mutating func word(_ keyword: PredicateKeyword, _ spelling: String) throws(PredicateFormatError)
    -> Item
  {
    let constant: FetchExpression
    switch keyword {
    case .itself: constant = .evaluatedObject
    case .null, .nil: constant = .constant(.null)
    case .true, .yes: constant = .constant(.bool(true))
    case .false, .no: constant = .constant(.bool(false))
    case .subquery: return try self.subquery()
    case .ternary: return try self.conditional()
    case .cast: return try self.cast()
    case .function: return try self.selectorCall()
    case .fetch, .anyKey, .utiConformsTo, .utiEquals:
      throw self.error(.unsupportedConstruct, "another operand: \(keyword.rawValue) is not supported")
    default: throw self.expected("an operand")
    }
    self.index += 1
    return try self.item(constant, height: 1)
  }

  private mutating func begin() throws(PredicateFormatError) {
    self.index += 1
    try self.expect(.open)
    self.nesting += 1
    try self.check(height: self.nesting)
  }

  private mutating func end() throws(PredicateFormatError) {
    self.nesting -= 1
    try self.expect(.close)
  }

  private mutating func plainPredicate() throws(PredicateFormatError) -> (FetchPredicate, height: Int) {
    let item = try self.disjunction()
    guard case .predicate(let predicate) = item.content else { throw self.expected("a comparison operator") }
    return (predicate, item.height)
  }

  private mutating func subquery() throws(PredicateFormatError) -> Item {
    try self.begin()
    let (source, sourceHeight) = try self.plainOperand()
    try self.expect(.comma)
    guard case .variable(let variable) = self.token.kind else { throw self.expected("a variable, as $each") }
    self.index += 1
    try self.expect(.comma)
    let (predicate, height) = try self.plainPredicate()
    try self.end()
    return try self.item(
      .subquery(source, variable: variable, predicate), height: max(sourceHeight, height) + 1)
  }

  private mutating func conditional() throws(PredicateFormatError) -> Item {
    try self.begin()
    let (predicate, height) = try self.plainPredicate()
    try self.expect(.comma)
    let (first, firstHeight) = try self.plainOperand()
    try self.expect(.comma)
    let (second, secondHeight) = try self.plainOperand()
    try self.end()
    return try self.item(
      .conditional(predicate, first, second), height: max(height, firstHeight, secondHeight) + 1)
  }

  /// `CAST("…", "NSUUID")` and its kin are how constants without a literal are written.
  private mutating func cast() throws(PredicateFormatError) -> Item {
    try self.begin()
    let start = self.index
    let (operand, height) = try self.plainOperand()
    try self.expect(.comma)
    let type = try self.text("the name of a type, as \"NSDate\"")
    try self.end()
    switch CastLiteral(operand, type) {
    case .constant(let value): return try self.item(FetchExpression.constant(value), height: 1)
    case .malformed(let expected):
      self.index = start
      throw self.expected(expected)
    case nil:
      return try self.item(
        .function(FetchFunction.cast.rawValue, [operand, .constant(.string(type))]), height: height + 1)
    }
  }

  private mutating func selectorCall() throws(PredicateFormatError) -> Item {
    try self.begin()
    let (receiver, height) = try self.plainOperand()
    try self.expect(.comma)
    var operands = [receiver, .constant(.string(try self.text("a selector, as \"length\"")))]
    var highest = height
    while self.isAt(.comma) {
      self.index += 1
      let (operand, height) = try self.plainOperand()
      operands.append(operand)
      highest = max(highest, height)
    }
    try self.end()
    return try self.item(.function(FetchFunction.function.rawValue, operands), height: highest + 1)
  }

  private mutating func text(_ expected: String) throws(PredicateFormatError) -> String {
    if case .string(let text) = self.token.kind {
      self.index += 1
      return text
    }
    guard case .placeholder(.value) = self.token.kind,
      case .operand(.constant(.string(let text))) = try self.argument(.value).content
    else { throw self.expected(expected) }
    return text
  }

  // MARK: Calls

  private mutating func call(_ name: String) throws(PredicateFormatError) -> Item {
    self.index -= 1
    guard let function = FetchFunction(formatName: name) else {
      throw self.error(.unknownFunction, "a known function", found: "\"\(name)\"")
    }
    let start = self.index
    self.index += 2
    let (operands, height) = try self.operands(upTo: .close)
    guard function.arity.contains(operands.count) else {
      self.index = start
      let wanted =
        function.arity.upperBound == .max
        ? "at least \(function.arity.lowerBound)" : "\(function.arity.lowerBound)"
      throw self.error(.syntax, "\(wanted) operand(s) for \(function.rawValue)", found: "\(operands.count)")
    }
    return try self.item(.function(function.rawValue, operands), height: height + 1)
  }
}
