internal import FederatedModel
internal import FederatedStore
internal import Foundation

extension PredicateCompiler {
  func compareOptionsMatter(_ options: FetchPredicate.Options, _ column: ColumnOperand) -> Bool {
    !options.isEmpty && column.encoding == .text
  }

  /// One value against another, or against a list.
  mutating func compare(
    _ left: SQLOperand, _ operator: FetchPredicate.Operator, _ right: SQLOperand,
    options: FetchPredicate.Options
  ) -> SQLCondition? {
    switch (left, right) {
    case (.column(let column), .constant(let value)):
      return self.compare(column, `operator`, value, options)
    case (.constant(let value), .column(let column)):
      return `operator`.mirrored.flatMap { self.compare(column, $0, value, options) }
    case (.column(let column), .list(let values)):
      if self.compareOptionsMatter(options, column) { return nil }
      switch `operator` {
      case .in: return self.membership(of: column, in: values)
      case .between where values.count == 2:
        guard let low = self.compare(column, .greaterOrEqual, values[0], []),
          let high = self.compare(column, .lessOrEqual, values[1], [])
        else { return nil }
        return .all([low, high])
      default: return nil
      }
    case (.column(let a), .column(let b)):
      return self.compare(a, `operator`, b, options)
    default: return nil
    }
  }

  private func compare(
    _ a: ColumnOperand, _ operator: FetchPredicate.Operator, _ b: ColumnOperand,
    _ options: FetchPredicate.Options
  ) -> SQLCondition? {
    guard a.encoding == b.encoding, a.type.map({ "\($0)" }) == b.type.map({ "\($0)" }) || a.encoding != .text,
      !self.compareOptionsMatter(options, a)
    else { return nil }
    switch a.encoding {
    case .prefixedBlob, .decimal: return nil
    case .reference where a.root != b.root: return nil
    default: break
    }
    switch `operator` {
    case .equal: return .test(SQLFragment("\(a.sql) IS \(b.sql)"))
    case .notEqual: return .test(SQLFragment("\(a.sql) IS NOT \(b.sql)"))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard a.encoding.isOrdered else { return nil }
      return .test(SQLFragment("\(a.sql) \(`operator`.rawValue) \(b.sql)"))
    default: return nil
    }
  }

  private func compare(
    _ column: ColumnOperand, _ operator: FetchPredicate.Operator, _ value: Value,
    _ options: FetchPredicate.Options
  ) -> SQLCondition? {
    if self.compareOptionsMatter(options, column), !value.isNull { return nil }
    switch `operator` {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: break
    case .contains, .beginsWith: return self.substring(column, `operator`, value)
    default: return nil
    }
    guard
      let constant = ColumnConstant(value, for: column, store: self.context.store, model: self.context.model)
    else { return nil }
    switch (`operator`, constant) {
    case (.equal, .null): return .test(SQLFragment("\(column.sql) IS NULL"))
    case (.notEqual, .null): return .test(SQLFragment("\(column.sql) IS NOT NULL"))
    case (.equal, .never): return .never
    case (.notEqual, .never): return .always
    case (.equal, .value(let cell)): return .test(SQLFragment("\(column.sql) = ?", [cell]))
    case (.notEqual, .value(let cell)): return .test(SQLFragment("\(column.sql) IS NOT ?", [cell]))
    // Nothing is less or greater than nil.
    case (_, .null): return column.encoding.isOrdered ? .never : nil
    case (_, .never): return nil
    case (_, .value(let cell)):
      guard column.encoding.isOrdered else { return nil }
      if column.encoding == .decimal { return self.compareDecimal(column.sql, `operator`, cell) }
      return .test(SQLFragment("\(column.sql) \(`operator`.rawValue) ?", [cell]))
    }
  }

  /// Numbers of a decimal column compare as SQLite compares them; the few that stand as blobs, which SQLite
  /// puts above all numbers, are compared by their digits.
  private func compareDecimal(_ sql: String, _ operator: FetchPredicate.Operator, _ cell: SQLValue)
    -> SQLCondition
  {
    let sign = `operator`.rawValue
    switch cell {
    case .blob(let digits):
      return .test(SQLFragment("\(SQLFunctions.decimalOrder)(\(sql), ?) \(sign) 0", [.blob(digits)]))
    default:
      let byDigits = "\(SQLFunctions.decimalOrder)(\(sql), ?) \(sign) 0"
      switch `operator` {
      case .greater, .greaterOrEqual:
        return .test(
          SQLFragment("(\(sql) \(sign) ? AND (typeof(\(sql)) <> 'blob' OR \(byDigits)))", [cell, cell]))
      default:
        return .test(SQLFragment("(\(sql) \(sign) ? OR (\(sql) >= x'' AND \(byDigits)))", [cell, cell]))
      }
    }
  }

  /// `CONTAINS` and `BEGINSWITH` without flags, on Unicode scalars as SQLite has them.
  private func substring(_ column: ColumnOperand, _ operator: FetchPredicate.Operator, _ value: Value)
    -> SQLCondition?
  {
    guard column.encoding == .text, column.type == .string, case .string(let needle) = value else {
      return nil
    }
    if needle.isEmpty { return .test(SQLFragment("\(column.sql) IS NOT NULL")) }
    if `operator` == .contains { return .test(SQLFragment("instr(\(column.sql), ?) > 0", [.text(needle)])) }
    guard let end = needle.endOfPrefixRange else {
      return .test(SQLFragment("\(column.sql) >= ?", [.text(needle)]))
    }
    return .test(
      SQLFragment("(\(column.sql) >= ? AND \(column.sql) < ?)", [.text(needle), .text(end)]))
  }

  // MARK: Lists

  /// `column IN (…)`; nil in the list matches nil.
  mutating func membership(of column: ColumnOperand, in values: [Value]) -> SQLCondition? {
    var cells: [SQLValue] = []
    var seen: Set<SQLValue> = []
    var hasNull = false
    for value in values {
      switch ColumnConstant(value, for: column, store: self.context.store, model: self.context.model) {
      case nil: return nil
      case .null?: hasNull = true
      case .never?: continue
      case .value(let cell)?: if seen.insert(cell).inserted { cells.append(cell) }
      }
    }
    let isNull: SQLCondition = hasNull ? .test(SQLFragment("\(column.sql) IS NULL")) : .never
    return .any([self.membership(of: column.sql, cells: cells), isNull])
  }

  /// Short lists are bound, in lengths that are powers of two so that their statements repeat; long ones go
  /// into a table.
  mutating func membership(of sql: String, cells: [SQLValue]) -> SQLCondition {
    if cells.isEmpty { return .never }
    if cells.count == 1 { return .test(SQLFragment("\(sql) = ?", cells)) }
    if cells.count > CompilationContext.longestInlineList {
      let table = self.context.table(for: KeyList(width: 1, values: cells))
      return .test(SQLFragment("\(sql) IN (SELECT v0 FROM \(table))"))
    }
    var length = 2
    while length < cells.count { length *= 2 }
    let padded = cells + Array(repeating: cells[cells.count - 1], count: length - cells.count)
    let marks = Array(repeating: "?", count: length).joined(separator: ", ")
    return .test(SQLFragment("\(sql) IN (\(marks))", padded))
  }
}

extension ColumnEncoding {
  /// Whether values have an order that SQLite shares.
  var isOrdered: Bool {
    switch self {
    case .int, .bool, .double, .date, .decimal, .text: true
    case .blob, .uuid, .prefixedBlob, .reference: false
    }
  }
}

extension FetchPredicate.Operator {
  /// The operator with its sides changed; nil for those that have none.
  var mirrored: FetchPredicate.Operator? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
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
