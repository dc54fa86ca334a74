/// The canonical text of a predicate: the same tree has one text, and the text reads back as the same tree.
///
/// Three things are printed that do not read back: a block, which is code, the identifier of an object, which has no
/// text outside its coordinator, and a key that is spelled like a variable (`%K` with `$single`), which prints as the tradition
/// prints it. A compound of fewer than two terms prints as what it means.
extension FetchPredicate: CustomStringConvertible {
  public var description: String {
    var text = ""
    self.print(into: &text)
    return text
  }

  private var isCompound: Bool {
    switch self {
    case .and(let terms), .or(let terms): terms.count > 1
    default: false
    }
  }

  func print(into text: inout String) {
    switch self {
    case .constant(let answer): text += answer ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.print(into: &text)
    case .and(let terms): FetchPredicate.print(terms, " AND ", ifNone: true, into: &text)
    case .or(let terms): FetchPredicate.print(terms, " OR ", ifNone: false, into: &text)
    case .not(let negated):
      text += "NOT "
      negated.printNested(into: &text)
    case .block(let block): text += block.description
    }
  }

  private static func print(
    _ terms: [FetchPredicate], _ connective: String, ifNone empty: Bool, into text: inout String
  ) {
    if terms.count < 2 {
      (terms.first ?? .constant(empty)).print(into: &text)
      return
    }
    for (index, term) in terms.enumerated() {
      if index > 0 { text += connective }
      term.printNested(into: &text)
    }
  }

  private func printNested(into text: inout String) {
    if self.isCompound { text += "(" }
    self.print(into: &text)
    if self.isCompound { text += ")" }
  }
}

extension FetchPredicate.Comparison {
  func print(into text: inout String) {
    if self.modifier != .direct { text += self.modifier.rawValue + " " }
    self.left.print(into: &text)
    text += " " + self.operator.rawValue + self.options.description + " "
    self.right.print(into: &text)
  }
}

extension FetchPredicate.Options: CustomStringConvertible {
  /// `[cd]`; empty when there is none.
  public var description: String {
    if self.isEmpty { return "" }
    var text = "["
    if self.contains(.caseInsensitive) { text += "c" }
    if self.contains(.diacriticInsensitive) { text += "d" }
    if self.contains(.normalized) { text += "n" }
    if self.contains(.localeSensitive) { text += "l" }
    return text + "]"
  }
}
