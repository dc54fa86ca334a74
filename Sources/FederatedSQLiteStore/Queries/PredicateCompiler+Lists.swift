internal import FederatedModel
internal import FederatedStore

extension PredicateCompiler {
  /// Longer lists than this are not compared one by one.
  private static let mostComparisons = 100

  /// A value in a list of constants.
  mutating func membership(
    of operand: SQLOperand, in values: [Value], _ options: FetchPredicate.Options, _ scope: inout SQLScope
  ) -> SQLCondition? {
    if case .column(let column) = operand, options.isEmpty || column.encoding != .text,
      let condition = self.membership(of: column, in: values)
    {
      return condition
    }
    if let value = self.expression(operand) {
      if value.kind.isText { return self.membership(ofText: value, in: values, options) }
      if value.kind.isNumber, value.kind != .exact { return self.membership(ofNumber: value, in: values) }
    }
    if values.count > PredicateCompiler.mostComparisons { return nil }
    return self.membership(of: operand, in: values.map { .constant($0) }, options, &scope)
  }

  /// A value in a list, one comparison for each element.
  mutating func membership(
    of operand: SQLOperand, in elements: [SQLOperand], _ options: FetchPredicate.Options,
    _ scope: inout SQLScope
  ) -> SQLCondition? {
    var conditions: [SQLCondition] = []
    for element in elements {
      guard let condition = self.compare(operand, .equal, element, options: options, in: &scope) else {
        return nil
      }
      conditions.append(condition)
    }
    return .any(conditions)
  }

  /// Text in a list: folded once for each row, whatever the length of the list.
  private mutating func membership(
    ofText value: SQLExpression, in values: [Value], _ options: FetchPredicate.Options
  ) -> SQLCondition? {
    var cells: [SQLValue] = []
    for text in values.compactMap(\.asText) { cells.append(.text(StringMatching.fold(text, options))) }
    let folded =
      options.folds ? "\(ValueFunctions.fold)(" + value.fragment + ", \(options.rawValue))" : value.fragment
    return self.membership(of: folded, cells: cells, orNull: values, value)
  }

  /// A computed number in a list; nil for dates among its elements, which memory refuses.
  private mutating func membership(ofNumber value: SQLExpression, in values: [Value]) -> SQLCondition? {
    var cells: [SQLValue] = []
    for element in values {
      switch element {
      case .int(let int): cells.append(.int(int))
      case .bool(let bool): cells.append(.int(bool ? 1 : 0))
      case .double(let double): if !double.isNaN { cells.append(.double(double)) }
      case .decimal(let decimal):
        if let int = Int64(DecimalCell.text(decimal)) {
          cells.append(.int(int))
        } else if element.matches(.double(decimal.nearestDouble)) {
          cells.append(.double(decimal.nearestDouble))
        }
      case .date: return nil
      default: continue
      }
    }
    return self.membership(of: value.fragment, cells: cells, orNull: values, value)
  }

  private mutating func membership(
    of fragment: SQLFragment, cells: [SQLValue], orNull values: [Value], _ value: SQLExpression
  ) -> SQLCondition {
    var seen: Set<SQLValue> = []
    let members = self.membership(of: fragment, cells: cells.filter { seen.insert($0).inserted })
    guard values.contains(.null) else { return members }
    return .any([members, .test(value.fragment + " IS NULL")])
  }

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
    if let key = column.key {
      let references = cells.compactMap { cell -> Int64? in
        if case .int(let reference) = cell { reference } else { nil }
      }
      return .any([self.membership(of: key, in: references), isNull])
    }
    return .any([self.membership(of: column.equalitySQL(to: cells), cells: cells), isNull])
  }

  /// Short lists are bound, in lengths that are powers of two so that their statements repeat; long ones go
  /// into a table.
  mutating func membership(of sql: String, cells: [SQLValue]) -> SQLCondition {
    self.membership(of: SQLFragment(sql), cells: cells)
  }

  private mutating func membership(of value: SQLFragment, cells: [SQLValue]) -> SQLCondition {
    if cells.isEmpty { return .never }
    if cells.count == 1 { return .test(value + SQLFragment(" = ?", cells)) }
    if cells.count > CompilationContext.longestInlineList {
      let table = self.context.table(for: KeyList(width: 1, values: cells))
      return .test(value + " IN (SELECT v0 FROM \(table))")
    }
    var length = 2
    while length < cells.count { length *= 2 }
    let padded = cells + Array(repeating: cells[cells.count - 1], count: length - cells.count)
    let marks = Array(repeating: "?", count: length).joined(separator: ", ")
    return .test(value + SQLFragment(" IN (\(marks))", padded))
  }
}
