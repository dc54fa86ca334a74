internal import FederatedModel
internal import FederatedStore

/// Columns and groups.
extension SQLiteReadScope {
  /// One statement wherever cells are all that is needed of the rows; else columns are made in memory of whole rows.
  func columns(
    _ query: StoreQuery, _ select: CompiledSelect, _ place: EntityPlace
  ) throws(StoreError) -> StoreAnswer {
    guard let plan = select.cells, select.pushesOrder else { return try self.overRows(query) }
    guard select.memoryTerms.isEmpty else { return try self.columnsOfChosen(query) }
    switch query.shape {
    case .values(let columns): return .values(try self.lines(query, columns, select, plan))
    case .groups(let grouping):
      if let groups = try self.groups(grouping, select, plan) { return .groups(groups) }
      let rows = self.compiler.compile(query, place, .cells(query.shape, isGrouped: false))
      return .groups(try self.groupsOfRows(grouping, rows, plan.ungrouped))
    case .rows, .identities, .count: return try self.overRows(query)
    }
  }

  /// Memory chooses the rows, and a second statement selects the cells of those.
  private func columnsOfChosen(_ query: StoreQuery) throws(StoreError) -> StoreAnswer {
    let steps = query.choosingRows
    var rest = steps.rest
    guard case .identities(let rows) = try self.answer(steps.chosen) else { return try self.overRows(query) }
    rest.references = rows.map(\.reference)
    return try self.answer(rest)
  }

  /// Lines of cells and of what is computed from them.
  private func lines(
    _ query: StoreQuery, _ columns: ValueColumns, _ select: CompiledSelect, _ plan: CellPlan
  ) throws(StoreError) -> ValueRows {
    let reader = try LineReader(plan, self)
    var lines = ValueRows(width: columns.columns.count)
    // SQL has cut the window already, unless lines are left out after it.
    var skipped = columns.isDistinct ? query.offset : 0
    let limit = columns.isDistinct ? query.limit ?? .max : .max
    var seen = DistinctLines()
    if limit == 0 { return lines }
    try self.scan(select) { (row) throws(StoreError) in
      let line = try reader.line(row)
      if columns.isDistinct {
        guard seen.insert(line) else { return true }
        if skipped > 0 {
          skipped -= 1
          return true
        }
      }
      lines.append(line)
      return lines.count < limit
    }
    return lines
  }

  /// The groups of the statement; nil when it makes none, or a cell holds what only memory can judge.
  private func groups(
    _ grouping: BoundGrouping, _ select: CompiledSelect, _ plan: CellPlan
  ) throws(StoreError) -> GroupTable? {
    guard let cells = plan.grouping else { return nil }
    var table = GroupTable(grouping)
    var readers: [CellReader] = []
    var index: Int32 = 0
    for cell in cells.keys {
      readers.append(CellReader(cell: cell, index: index, store: self.store, file: self.sqlite.url))
      index += Int32(cell.texts.count)
    }
    let check = Int32(cells.texts.count - 1)
    var isSound = true
    try self.scan(select) { (row) throws(StoreError) in
      guard row.isNull(check) || row.int(check) == 0 else {
        isSound = false
        return false
      }
      var keys: [Value] = []
      var states: [AggregateState] = []
      for reader in readers { keys.append(try reader.value(row)) }
      for aggregate in cells.aggregates {
        states.append(try aggregate.state(row, store: self.store, file: self.sqlite.url))
      }
      do { try table.add(keys: keys, states: states) } catch { throw StoreError.evaluating(error) }
      return true
    }
    return isSound ? table : nil
  }

  /// Groups made in memory of the cells of rows.
  private func groupsOfRows(
    _ grouping: BoundGrouping, _ select: CompiledSelect, _ plan: CellPlan
  ) throws(StoreError) -> GroupTable {
    let reader = try LineReader(plan, self)
    var table = GroupTable(grouping)
    let keys = grouping.keys.count
    try self.run(select) { (row) throws(StoreError) in
      let line = try reader.line(row)
      do { try table.add(keys: line.prefix(keys), operands: line.dropFirst(keys)) } catch {
        throw StoreError.evaluating(error)
      }
    }
    return table
  }
}

extension StoreQuery {
  /// A query for columns in two steps where memory judges rows: which rows, and the cells of those.
  ///
  /// The second step gets the rows' references when they are known.
  var choosingRows: (chosen: StoreQuery, rest: StoreQuery) {
    var chosen = self
    chosen.shape = .identities
    var rest = self
    if self.windowIsOfRows {
      rest.offset = 0
      rest.limit = nil
    } else {
      chosen.offset = 0
      chosen.limit = nil
    }
    rest.predicate = nil
    rest.keys = nil
    rest.references = nil
    return (chosen, rest)
  }
}
