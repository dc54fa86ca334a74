import FederatedModel

/// The printed form of explanations: lines, each under the one that it belongs to.
struct ExplanationText {
  private(set) var lines: [String] = []
  private var depth = 0

  var text: String { self.lines.joined(separator: "\n") }

  mutating func line(_ text: String) {
    self.lines.append(String(repeating: "  ", count: self.depth) + text)
  }

  /// A line of a name and parts; none when there are no parts.
  mutating func list(_ name: String, _ parts: [String]) {
    if !parts.isEmpty { self.line("\(name): \(parts.joined(separator: "; "))") }
  }

  /// Lines one step further in.
  mutating func under(_ body: (inout ExplanationText) -> Void) {
    self.depth += 1
    body(&self)
    self.depth -= 1
  }

  // MARK: Words

  /// A number and what it counts: `1 row`, `2 rows`.
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// A text of one line; of a long one, the beginning, the end and how much is between them.
  static func short(_ text: String, to limit: Int = 600) -> String {
    let line = text.replacing("\n", with: "\\n")
    guard line.count > limit else { return line }
    let kept = limit / 2
    return "\(line.prefix(kept)) … \(line.count - 2 * kept) more characters … \(line.suffix(kept))"
  }

  /// The first of many values.
  static func values(_ values: [Value], atMost limit: Int = 12) -> String {
    let shown = values.prefix(limit).map { self.short("\($0)", to: 80) }
    let rest = values.count > limit ? ["… \(values.count - limit) more"] : []
    return (shown + rest).joined(separator: ", ")
  }

  /// What is asked for, in the words of a query.
  static func question(
    _ entity: String, _ predicate: String?, keys: String? = nil, _ order: [String], offset: Int, limit: Int?
  ) -> String {
    let conditions = [predicate.map { self.short($0, to: 200) }, keys].compactMap(\.self)
    var text = entity
    if !conditions.isEmpty { text += " where " + conditions.joined(separator: " and ") }
    if !order.isEmpty { text += " by " + order.joined(separator: ", ") }
    if offset > 0 { text += " from \(offset + 1) on" }
    if let limit { text += " at most \(limit)" }
    return text
  }
}
