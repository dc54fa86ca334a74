internal import FederatedModel
internal import FederatedStore

extension PredicateCompiler {
  /// One value against another, or against a collection.
  mutating func compare(
    _ left: SQLOperand, _ operator: FetchPredicate.Operator, _ right: SQLOperand,
    options: FetchPredicate.Options, in scope: inout SQLScope
  ) -> SQLCondition? {
    // Flags that change nothing leave a plain comparison.
    let options = options.folds || options.contains(.localeSensitive) ? options : []
    guard let left = self.settled(left), let right = self.settled(right) else { return nil }
    switch (`operator`, left, right) {
    // `value IN collection` is `ANY collection == value`.
    case (.in, _, .collection(let collection)):
      return self.exists(collection, in: &scope) { (compiler, element, scope) in
        compiler.compare(element, .equal, left, options: options, in: &scope)
      }
    case (.contains, .collection(let collection), _):
      return self.exists(collection, in: &scope) { (compiler, element, scope) in
        compiler.compare(element, .equal, right, options: options, in: &scope)
      }
    case (.in, _, .list(let values)): return self.membership(of: left, in: values, options, &scope)
    case (.contains, .list(let values), _): return self.membership(of: right, in: values, options, &scope)
    case (.in, _, .elements(let elements)):
      return self.membership(of: left, in: elements, options, &scope)
    case (.contains, .elements(let elements), _):
      return self.membership(of: right, in: elements, options, &scope)
    case (.between, _, .list(let bounds)) where bounds.count == 2:
      return self.between(left, .constant(bounds[0]), .constant(bounds[1]), options, &scope)
    case (.between, _, .elements(let bounds)) where bounds.count == 2:
      return self.between(left, bounds[0], bounds[1], options, &scope)
    default: return self.compareValues(left, `operator`, right, options)
    }
  }

  private mutating func between(
    _ value: SQLOperand, _ low: SQLOperand, _ high: SQLOperand, _ options: FetchPredicate.Options,
    _ scope: inout SQLScope
  ) -> SQLCondition? {
    guard
      let above = self.compare(value, .greaterOrEqual, low, options: options, in: &scope),
      let below = self.compare(value, .lessOrEqual, high, options: options, in: &scope)
    else { return nil }
    return .all([above, below])
  }

  /// An object as the key of its row.
  private func settled(_ operand: SQLOperand) -> SQLOperand? {
    if case .row(let row) = operand { return self.identity(of: row).map { .column($0) } }
    return operand
  }

  /// Columns and constants as they stand in the file, so that its indexes serve; anything else as computed.
  private func compareValues(
    _ left: SQLOperand, _ operator: FetchPredicate.Operator, _ right: SQLOperand,
    _ options: FetchPredicate.Options
  ) -> SQLCondition? {
    let condition: SQLCondition? =
      switch (left, right) {
      case (.column(let column), .constant(let value)): self.compare(column, `operator`, value, options)
      case (.constant(let value), .column(let column)):
        `operator`.mirrored.flatMap { self.compare(column, $0, value, options) }
      case (.column(let a), .column(let b)): self.compare(a, `operator`, b, options)
      default: nil
      }
    if let condition { return condition }
    guard let a = self.expression(left), let b = self.expression(right) else { return nil }
    return self.compare(a, `operator`, b, options)
  }

  private func compare(
    _ a: ColumnOperand, _ operator: FetchPredicate.Operator, _ b: ColumnOperand,
    _ options: FetchPredicate.Options
  ) -> SQLCondition? {
    if a.encoding != b.encoding { return self.compareNumbers(a, `operator`, b) }
    switch a.encoding {
    case .prefixedBlob, .decimal: return nil
    case .reference where a.root != b.root: return nil
    case .text where !options.isEmpty || `operator`.looksIntoText:
      return self.compareText(SQLFragment(a.sql), `operator`, SQLFragment(b.sql), options)
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

  /// Integers against doubles. The plus signs keep an index from rounding one to the other's kind.
  private func compareNumbers(_ a: ColumnOperand, _ operator: FetchPredicate.Operator, _ b: ColumnOperand)
    -> SQLCondition?
  {
    let numbers: [ColumnEncoding] = [.int, .bool, .double]
    guard numbers.contains(a.encoding), numbers.contains(b.encoding) else { return nil }
    let sign: String
    switch `operator` {
    case .equal: sign = "IS"
    case .notEqual: sign = "IS NOT"
    case .less, .lessOrEqual, .greater, .greaterOrEqual: sign = `operator`.rawValue
    default: return nil
    }
    return .test(SQLFragment("+\(a.sql) \(sign) +\(b.sql)"))
  }

  private func compare(
    _ column: ColumnOperand, _ operator: FetchPredicate.Operator, _ value: Value,
    _ options: FetchPredicate.Options
  ) -> SQLCondition? {
    if column.encoding == .text, let text = value.asText {
      if options.isEmpty, let condition = self.substring(column, `operator`, text) { return condition }
      if !options.isEmpty || `operator`.looksIntoText {
        return self.compareText(SQLFragment(column.sql), `operator`, SQLFragment("?", [.text(text)]), options)
      }
    }
    switch `operator` {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: break
    // Nothing looks like nil.
    default: return column.encoding == .text && value == .null ? .never : nil
    }
    if column.encoding == .int || column.encoding == .bool, case .decimal(let decimal) = value,
      let below = DecimalCell.wholeBelow(decimal)
    {
      return self.compareWhole(column.sql, `operator`, below)
    }
    guard
      let constant = ColumnConstant(value, for: column, store: self.context.store, model: self.context.model)
    else { return nil }
    switch (`operator`, constant) {
    case (.equal, .null): return .test(SQLFragment("\(column.sql) IS NULL"))
    case (.notEqual, .null): return .test(SQLFragment("\(column.sql) IS NOT NULL"))
    case (.equal, .never): return .never
    case (.notEqual, .never): return .always
    case (.equal, .value(.int(let reference))) where column.key != nil:
      return column.key.map { self.equals($0, reference) }
    case (.equal, .value(let cell)):
      let test = SQLFragment("\(column.equalitySQL(to: [cell])) = ?", [cell])
      return .test(column.narrowed(test, `operator`, cell))
    case (.notEqual, .value(let cell)): return .test(SQLFragment("\(column.sql) IS NOT ?", [cell]))
    // Nothing is less or greater than nil.
    case (_, .null): return column.encoding.isOrdered ? .never : nil
    case (_, .never): return nil
    case (_, .value(let cell)):
      guard column.encoding.isOrdered else { return nil }
      if column.encoding == .decimal { return self.compareDecimal(column.sql, `operator`, cell) }
      return .test(
        column.narrowed(SQLFragment("\(column.sql) \(`operator`.rawValue) ?", [cell]), `operator`, cell))
    }
  }

  /// Whole numbers against a decimal between `below` and the next one.
  private func compareWhole(_ sql: String, _ operator: FetchPredicate.Operator, _ below: Int64)
    -> SQLCondition?
  {
    switch `operator` {
    case .equal: .never
    case .notEqual: .always
    case .less, .lessOrEqual: .test(SQLFragment("\(sql) <= ?", [.int(below)]))
    case .greater, .greaterOrEqual: .test(SQLFragment("\(sql) > ?", [.int(below)]))
    default: nil
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
      // Most cells are floating-point numbers, and SQLite compares two of them faster than one with an integer.
      let number = cell.asDouble ?? cell
      let byDigits = "\(SQLFunctions.decimalOrder)(\(sql), ?) \(sign) 0"
      switch `operator` {
      case .greater, .greaterOrEqual:
        return .test(
          SQLFragment("(\(sql) \(sign) ? AND (\(sql) < x'' OR \(byDigits)))", [number, cell]))
      default:
        return .test(SQLFragment("(\(sql) \(sign) ? OR (\(sql) >= x'' AND \(byDigits)))", [number, cell]))
      }
    }
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

extension ColumnEncoding {
  /// Whether SQLite sorts the cells as sort keys say: by value, by bytes.
  var isSortable: Bool {
    switch self {
    case .prefixedBlob, .reference: false
    default: true
    }
  }
}

extension SQLValue {
  /// An integer as the floating-point number of the same worth; nil when there is none.
  fileprivate var asDouble: SQLValue? {
    guard case .int(let value) = self, let double = Double(exactly: value) else { return nil }
    return .double(double)
  }
}

extension Value {
  /// The text of a string or URI.
  var asText: String? {
    switch self {
    case .string(let text), .uri(let text): text
    default: nil
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
