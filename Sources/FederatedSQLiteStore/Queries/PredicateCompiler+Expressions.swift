internal import FederatedModel

/// Computed values against each other.
extension PredicateCompiler {
  func compare(
    _ a: SQLExpression, _ operator: FetchPredicate.Operator, _ b: SQLExpression,
    _ options: FetchPredicate.Options
  ) -> SQLCondition? {
    if a.kind.isText, b.kind.isText, !options.isEmpty || `operator`.looksIntoText {
      return self.compareText(a.fragment, `operator`, b.fragment, options)
    }
    switch `operator` {
    case .equal: return self.equal(a, b)
    case .notEqual: return self.equal(a, b)?.negated
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return self.order(a, `operator`, b)
    default: return nil
    }
  }

  private func equal(_ a: SQLExpression, _ b: SQLExpression) -> SQLCondition? {
    switch (a.kind, b.kind) {
    case (.null, .null): return .always
    case (.null, _): return .test(b.fragment + " IS NULL")
    case (_, .null): return .test(a.fragment + " IS NULL")
    // Memory refuses it.
    case (.date, let kind) where kind.isNumber, (let kind, .date) where kind.isNumber: return nil
    case (.reference, .reference) where a.root != b.root: break
    case (let left, let right)
    where left == right || left.isText && right.isText || left.isNumber && right.isNumber:
      if a.kind == .exact || b.kind == .exact || (a.mayBeNaN && b.mayBeNaN) {
        return .test("\(ValueFunctions.equal)(" + a.fragment + ", " + b.fragment + ")")
      }
      // A constant is not null, and an equals sign is what an index knows best.
      let sign = a.isConstant || b.isConstant ? "=" : "IS"
      return .test(self.side(a, beside: b) + " \(sign) " + self.side(b, beside: a))
    default: break
    }
    // Values of unlike kinds are equal only when both are nil.
    return .test("(" + a.fragment + " IS NULL AND " + b.fragment + " IS NULL)")
  }

  private func order(_ a: SQLExpression, _ operator: FetchPredicate.Operator, _ b: SQLExpression)
    -> SQLCondition?
  {
    let sign = `operator`.rawValue
    switch (a.kind, b.kind) {
    case (.null, _), (_, .null): return .never
    case (let left, let right) where left.isNumber && right.isNumber:
      if left == .exact || right == .exact {
        return .test("\(ValueFunctions.order)(" + a.fragment + ", " + b.fragment + ") \(sign) 0")
      }
      let (left, right) = (
        a.mayBeNaN ? a.ordered : self.side(a, beside: b), b.mayBeNaN ? b.ordered : self.side(b, beside: a)
      )
      return .test(left + " \(sign) " + right)
    case (.date, .date), (.text, .text), (.text, .uri), (.uri, .text), (.uri, .uri):
      return .test(a.ordered + " \(sign) " + b.ordered)
    default: return nil
    }
  }

  /// Numbers as SQLite compares them, integers with reals exactly. A plus sign keeps an index from rounding one
  /// to the other's kind.
  private func side(_ side: SQLExpression, beside other: SQLExpression) -> SQLFragment {
    side.isColumn && side.kind.isNumber && side.kind != other.kind ? "+" + side.fragment : side.fragment
  }
}
