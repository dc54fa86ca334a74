/// Reads tokens into a predicate tree, without recursion.
///
/// Operators wait on one stack and finished items on another until an operator that binds less strongly, a
/// comma or a closing sign arrives. A parenthesis may hold a predicate or an operand; an item says which it
/// is, so nothing is read twice. Parentheses may be nested without end; ``PredicateDepth/limit`` bounds the
/// height of the tree.
struct PredicateParser {
  let format: String
  let tokens: [PredicateToken]
  let arguments: [any PredicateArgument]
  var index = 0
  var nextArgument = 0
  var items: [Item] = []
  var waiting: [Waiting] = []

  /// A finished part: a predicate or an operand, and how high its tree is.
  struct Item {
    enum Content {
      case predicate(FetchPredicate)
      case operand(FetchExpression)
    }
    var content: Content
    var height: Int
    /// Whether it stood in parentheses of its own.
    var isGrouped = false
    /// Whether it is a number as written: what a minus sign before it becomes part of.
    var isNumberLiteral = false

    var isPredicate: Bool { if case .predicate = self.content { true } else { false } }
  }

  static func predicate(
    _ format: String, _ arguments: [any PredicateArgument]
  ) throws(PredicateFormatError) -> FetchPredicate {
    let (item, parser) = try PredicateParser.item(format, arguments, allowsPredicates: true)
    guard case .predicate(let predicate) = item.content else {
      throw parser.expected("a comparison operator")
    }
    try parser.checkArguments()
    return predicate
  }

  static func expression(
    _ format: String, _ arguments: [any PredicateArgument]
  ) throws(PredicateFormatError) -> FetchExpression {
    let (item, parser) = try PredicateParser.item(format, arguments, allowsPredicates: false)
    guard case .operand(let expression) = item.content else { throw parser.expected("an operand") }
    try parser.checkArguments()
    return expression
  }

  private static func item(
    _ format: String, _ arguments: [any PredicateArgument], allowsPredicates: Bool
  ) throws(PredicateFormatError) -> (Item, PredicateParser) {
    var parser = PredicateParser(
      format: format, tokens: try PredicateLexer.tokens(of: format), arguments: arguments)
    parser.waiting.append(.open(Group(.whole, allowsPredicates: allowsPredicates)))
    // After an operand comes an operator, after most operators an operand, until the end closes the whole.
    var needsOperand = true
    while !parser.waiting.isEmpty {
      needsOperand = needsOperand ? try parser.readOperand() : try parser.readOperator()
    }
    return (parser.items[0], parser)
  }

  private func checkArguments() throws(PredicateFormatError) {
    let wanted = self.nextArgument
    if wanted < self.arguments.count {
      throw self.error(
        .arguments, "\(wanted) argument\(wanted == 1 ? "" : "s")", found: "\(self.arguments.count)")
    }
  }
}

extension PredicateParser {
  /// What waits for the items behind it.
  enum Waiting {
    case open(Group)
    /// `AND` or `OR`, with the number of terms before it: a chain is one compound.
    case compound(Connective, terms: Int)
    case not
    /// A quantifier whose operator has not come yet.
    case quantifier(Quantifier)
    case comparison(FetchPredicate.Operator, isNegated: Bool, FetchPredicate.Options, Quantifier?)
    case infix(PredicateInfix)
    /// A minus or a tilde.
    case sign(PredicateSymbol)

    /// How strongly it holds its operands; an opening sign holds everything behind it.
    var strength: Int {
      switch self {
      case .open: 0
      case .compound(let connective, _): connective.strength
      case .not: 3
      case .quantifier, .comparison: 4
      case .infix(let infix): 4 + infix.precedence
      case .sign: 13
      }
    }
  }

  enum Connective {
    case or, and
    var strength: Int { self == .or ? 1 : 2 }
  }

  enum Quantifier { case any, all, none }

  /// What an opening sign began.
  struct Group {
    enum Kind {
      case whole, parentheses, aggregate, index
      case call(FetchFunction)
      case subquery(variable: String?)
      case conditional, cast, selector
    }

    let kind: Kind
    /// Where the word before the sign stands.
    let start: Int
    /// The parts between commas that are finished.
    var parts: [Item] = []
    var allowsPredicates: Bool

    init(_ kind: Kind, allowsPredicates: Bool = false, start: Int = 0) {
      self.kind = kind
      self.allowsPredicates = allowsPredicates
      self.start = start
    }

    var close: PredicateSymbol? {
      switch kind {
      case .whole: nil
      case .aggregate: .closeBrace
      case .index: .closeBracket
      default: .close
      }
    }

    var takesCommas: Bool {
      switch kind {
      case .whole, .parentheses, .index: false
      default: true
      }
    }
  }

  /// The innermost group that is still open.
  var group: Group {
    for case .open(let group) in self.waiting.reversed() { return group }
    return Group(.whole)
  }
}
