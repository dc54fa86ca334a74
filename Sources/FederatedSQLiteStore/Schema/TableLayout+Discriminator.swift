internal import FederatedStore

extension Table.Discriminator {
  /// An expression for the number of a row's entity; 0 for rows of none of them.
  func number(_ alias: String) -> String {
    let cell = "\(alias).\(self.column.quotedName)"
    guard let words = self.words else { return cell }
    let cases = words.sorted { $0.key < $1.key }.map { "WHEN \($0.value.literal) THEN \($0.key)" }
    return "CASE \(cell) \(cases.joined(separator: " ")) ELSE 0 END"
  }

  /// A condition that a row is of one of the entities.
  func condition(_ alias: String, _ numbers: [Int64]) -> String {
    // Entity numbers belong to the file, not to the question: written out, they keep the statement's text.
    let texts = numbers.sorted().map { self.words?[$0]?.literal ?? String($0) }
    let list = texts.count == 1 ? "= \(texts[0])" : "IN (\(texts.joined(separator: ", ")))"
    return "\(alias).\(self.column.quotedName) \(list)"
  }
}

extension DiscriminatorValue {
  /// The value as SQL writes it.
  var literal: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text): "'" + text.replacing("'", with: "''") + "'"
    }
  }

  var cell: SQLValue {
    switch self {
    case .number(let number): .int(number)
    case .text(let text): .text(text)
    }
  }
}
