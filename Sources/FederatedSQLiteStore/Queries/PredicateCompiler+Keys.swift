internal import FederatedModel
internal import FederatedStore

/// Rows by their references.
extension PredicateCompiler {
  /// Rows whose key, or one that they point with, makes one of the references.
  mutating func membership(of key: KeyPlace, _ alias: String, in references: some Sequence<Int64>)
    -> SQLCondition
  {
    let sorted = Array(Set(references)).sorted()
    if let operand = KeyOperand(key, alias) { return self.membership(of: operand, in: sorted) }
    return self.membership(of: key.parts(alias)[0], cells: sorted.map { .int($0) })
  }

  /// The same where references stand for keys: the keys themselves are what the file can look up.
  mutating func membership(of key: KeyOperand, in references: [Int64]) -> SQLCondition {
    // A number that stands for no key is nobody's.
    let keys = references.compactMap { key.shape.parts(of: $0) }
    if keys.isEmpty { return .never }
    if key.parts.count == 1 { return self.membership(of: key.parts[0], cells: keys.map { $0[0] }) }
    if keys.count == 1 { return .test(self.equals(key, keys[0])) }
    let list = self.context.table(for: KeyList(width: key.parts.count, values: keys.flatMap(\.self)))
    let columns = key.parts.indices.map { "v\($0)" }.joined(separator: ", ")
    return .test(SQLFragment("(\(key.parts.joined(separator: ", "))) IN (SELECT \(columns) FROM \(list))"))
  }

  func equals(_ key: KeyOperand, _ reference: Int64) -> SQLCondition {
    guard let parts = key.shape.parts(of: reference) else { return .never }
    return .test(self.equals(key, parts))
  }

  private func equals(_ key: KeyOperand, _ parts: [SQLValue]) -> SQLFragment {
    .balanced(zip(key.parts, parts).map { SQLFragment("\($0) = ?", [$1]) }[...], by: "AND")
  }
}
