internal import FederatedModel
internal import FederatedStore

extension PredicateCompiler {
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
