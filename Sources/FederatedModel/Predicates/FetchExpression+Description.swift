extension FetchExpression: CustomStringConvertible {
  /// The canonical text, as in the text of a ``FetchPredicate``.
  public var description: String {
    var text = ""
    self.print(into: &text)
    return text
  }

  func print(into text: inout String) {
    switch self {
    case .constant(let value): value.printLiteral(into: &text)
    case .evaluatedObject: text += "SELF"
    case .variable(let name): text += "$" + name
    case .keyPath(let keys): FetchExpression.print(keys, mayBeginWithDollar: true, into: &text)
    case .path(let base, let keys): base.print(pathOf: keys, into: &text)
    case .index(let base, let index): base.print(elementAt: index, into: &text)
    case .function(let name, let operands): FetchExpression.print(call: name, operands, into: &text)
    case .aggregate(let elements): FetchExpression.print(elements, "{", "}", into: &text)
    case .subquery(let source, let variable, let predicate):
      source.print(asSourceOf: variable, predicate, into: &text)
    case .conditional(let predicate, let first, let second):
      FetchExpression.print(conditional: predicate, [first, second], into: &text)
    case .setOperation(let operation, let left, let right):
      FetchExpression.print(infix: operation.rawValue, left, right, into: &text)
    }
  }

  private func print(pathOf keys: [String], into text: inout String) {
    self.printBase(into: &text)
    text += "."
    FetchExpression.print(keys, mayBeginWithDollar: false, into: &text)
  }

  private func print(elementAt index: Index, into text: inout String) {
    self.printIndexed(into: &text)
    index.print(into: &text)
  }

  private func print(asSourceOf variable: String, _ predicate: FetchPredicate, into text: inout String) {
    text += "SUBQUERY("
    self.print(into: &text)
    text += ", $"
    text += variable
    text += ", "
    predicate.print(into: &text)
    text += ")"
  }

  private static func print(
    conditional predicate: FetchPredicate, _ operands: [FetchExpression], into text: inout String
  ) {
    text += "TERNARY("
    predicate.print(into: &text)
    text += ", "
    FetchExpression.print(operands, "", ")", into: &text)
  }

  // MARK: Calls and operators

  private var isInfix: Bool {
    switch self {
    case .setOperation: true
    case .function(let name, let operands): operands.count == 2 && FetchFunction(rawValue: name)?.infix != nil
    default: false
    }
  }

  private static func print(call name: String, _ operands: [FetchExpression], into text: inout String) {
    if operands.count == 2, let infix = FetchFunction(rawValue: name)?.infix {
      FetchExpression.print(infix: infix, operands[0], operands[1], into: &text)
    } else {
      let opening = FetchExpression.isPlainCast(name, operands) ? "CAST(" : name + "("
      FetchExpression.print(operands, opening, ")", into: &text)
    }
  }

  /// A call that, written as CAST, would be read as a constant is written under its long name.
  private static func isPlainCast(_ name: String, _ operands: [FetchExpression]) -> Bool {
    guard name == FetchFunction.cast.rawValue, operands.count == 2,
      case .constant(.string(let type)) = operands[1]
    else { return false }
    return CastLiteral(operands[0], type) == nil
  }

  private static func print(
    _ elements: [FetchExpression], _ open: String, _ close: String, into text: inout String
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      if index > 0 { text += ", " }
      element.print(into: &text)
    }
    text += close
  }

  private static func print(
    infix sign: String, _ left: FetchExpression, _ right: FetchExpression, into text: inout String
  ) {
    left.printGrouped(left.isInfix, into: &text)
    text += " " + sign + " "
    right.printGrouped(right.isInfix, into: &text)
  }

  private func printGrouped(_ isGrouped: Bool, into text: inout String) {
    if isGrouped { text += "(" }
    self.print(into: &text)
    if isGrouped { text += ")" }
  }

  // MARK: Paths

  /// What a key follows: parentheses keep a finished path apart from the keys behind it.
  private func printBase(into text: inout String) {
    switch self {
    case .keyPath, .path: self.printGrouped(true, into: &text)
    default: self.printIndexed(into: &text)
    }
  }

  private func printIndexed(into text: inout String) {
    switch self {
    case .constant(.string), .constant(.null), .constant(.list): self.print(into: &text)
    case .constant: self.printGrouped(true, into: &text)
    default: self.printGrouped(self.isInfix, into: &text)
    }
  }

  private static func print(_ keys: [String], mayBeginWithDollar: Bool, into text: inout String) {
    for (index, key) in keys.enumerated() {
      if index > 0 { text += "." }
      key.printKey(mayBeginWithDollar: mayBeginWithDollar && index == 0, into: &text)
    }
  }
}

extension FetchExpression.Index {
  func print(into text: inout String) {
    switch self {
    case .first: text += "[FIRST]"
    case .last: text += "[LAST]"
    case .size: text += "[SIZE]"
    case .at(let expression):
      text += "["
      expression.print(into: &text)
      text += "]"
    }
  }
}
