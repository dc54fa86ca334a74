internal import FederatedModel
internal import FederatedStore

extension PredicateCompiler {
  /// Text under flags or by a pattern: by the code that evaluates in memory.
  func compareText(
    _ text: SQLFragment, _ operator: FetchPredicate.Operator, _ other: SQLFragment,
    _ options: FetchPredicate.Options
  ) -> SQLCondition? {
    let isConstant = other.text == "?"
    switch `operator` {
    case .equal, .contains, .beginsWith, .endsWith, .like, .matches:
      // A pattern that a row holds may be wrong, and says so where it is evaluated.
      if `operator` == .matches, !isConstant { return nil }
      guard let code = TextFunctions.code(`operator`, options) else { return nil }
      let test = "\(TextFunctions.test)(" + text + ", " + other + ", \(code))"
      // nil equals nil.
      if `operator` == .equal, !isConstant {
        return .test("(" + test + " OR (" + text + " IS NULL AND " + other + " IS NULL))")
      }
      return .test(test)
    case .notEqual: return self.compareText(text, .equal, other, options)?.negated
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return .test(
        "\(TextFunctions.order)(" + text + ", " + other + ", \(options.rawValue)) \(`operator`.rawValue) 0")
    // Text in a longer text.
    case .in: return self.compareText(other, .contains, text, options)
    case .between: return nil
    }
  }

  /// `CONTAINS` and `BEGINSWITH` without flags, on Unicode scalars as SQLite has them; a prefix as a range, so
  /// that an index serves.
  func substring(
    _ column: ColumnOperand, _ operator: FetchPredicate.Operator, _ needle: String
  ) -> SQLCondition? {
    switch `operator` {
    case .contains, .beginsWith: break
    default: return nil
    }
    if needle.isEmpty { return .test(SQLFragment("\(column.sql) IS NOT NULL")) }
    if `operator` == .contains { return .test(SQLFragment("instr(\(column.sql), ?) > 0", [.text(needle)])) }
    let sql = column.equalitySQL
    guard let end = needle.endOfPrefixRange else {
      return .test(SQLFragment("\(sql) >= ?", [.text(needle)]))
    }
    return .test(SQLFragment("(\(sql) >= ? AND \(sql) < ?)", [.text(needle), .text(end)]))
  }
}

extension FetchPredicate.Operator {
  /// Whether the operator looks into text.
  var looksIntoText: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith, .like, .matches, .in: true
    default: false
    }
  }
}

extension String {
  /// The first text above all texts that begin with this one; nil when there is none.
  var endOfPrefixRange: String? {
    var scalars = Array(self.unicodeScalars)
    while let last = scalars.popLast() {
      if last.value == 0x10FFFF { continue }
      // Surrogates are no scalars.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { return nil }
      scalars.append(scalar)
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }
    return nil
  }
}
