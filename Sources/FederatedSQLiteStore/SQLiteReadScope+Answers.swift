internal import FederatedModel
internal import FederatedStore

extension SQLiteReadScope {
  func answer(_ query: StoreQuery) throws(StoreError) -> StoreAnswer {
    let place = try self.sqlite.place(of: query.entity)
    if let rows = try self.rowsOfKey(query, place) { return .rows(rows) }
    let select = self.compiler.compile(query, place, self.columns(of: query, place))
    if select.isNever { return self.empty(query.shape) }
    switch query.shape {
    case .rows, .identities, .count: break
    case .values, .groups: return try self.columns(query, select, place)
    }
    guard select.isComplete else { return try self.finish(query, place) }
    switch query.shape {
    case .rows: return .rows(try self.rows(select, self.sqlite.plan(of: query, place)))
    case .identities: return .identities(try self.identities(select, place))
    case .count:
      var count = 0
      try self.run(select) { (row) throws(StoreError) in count = Int(row.int(0)) }
      count = max(0, count - query.offset)
      return .count(query.limit.map { min($0, count) } ?? count)
    case .values, .groups: return try self.columns(query, select, place)
    }
  }

  /// Columns and groups made in memory of the rows that the query is about.
  func overRows(_ query: StoreQuery) throws(StoreError) -> StoreAnswer {
    let steps = query.overRows
    guard case .rows(let rows) = try self.answer(steps.rows) else { return self.empty(query.shape) }
    return try InMemoryQuery(steps.rest, source: self).run(over: rows)
  }

  func columns(of query: StoreQuery, _ place: EntityPlace) -> SelectCompiler.Columns {
    switch query.shape {
    case .rows: .rows(self.sqlite.plan(of: query, place))
    case .values, .groups: .cells(query.shape, isGrouped: true)
    case .identities: .identities
    case .count: .count
    }
  }

  private func empty(_ shape: StoreQuery.Shape) -> StoreAnswer {
    switch shape {
    case .rows: .rows(RowSet([]))
    case .identities: .identities([])
    case .count: .count(0)
    case .values(let columns): .values(ValueRows(width: columns.columns.count))
    case .groups(let grouping): .groups(GroupTable(grouping))
    }
  }

  func rows(_ select: CompiledSelect, _ plan: ReadPlan) throws(StoreError) -> RowSet {
    let reader = RowReader(plan, file: self.sqlite.url)
    try self.run(select) { (row) throws(StoreError) in try reader.read(row) }
    return reader.finish()
  }

  private func identities(_ select: CompiledSelect, _ place: EntityPlace) throws(StoreError) -> [RowIdentity]
  {
    let table = self.sqlite.layout.tables[place.table]
    var identities: [RowIdentity] = []
    try self.run(select) { (row) throws(StoreError) in
      if row.isNull(0) { throw table.missingKey(in: self.sqlite.url) }
      identities.append(
        RowIdentity(
          entity: try self.entity(table, row, column: 1, fallback: place.entity), reference: row.int(0)))
    }
    return identities
  }

  /// The concrete entity that a row's discriminator names.
  func entity(_ table: Table, _ row: Statement, column: Int32, fallback: EntityID) throws(StoreError)
    -> EntityID
  {
    guard let discriminator = table.discriminator else { return table.onlyEntity ?? fallback }
    let number = row.int(column)
    guard let entity = discriminator.entities[number] else {
      throw StoreError(
        .malformed, store: self.sqlite.url,
        place: .cell(table: table.name, row: row.int(0), column: discriminator.column),
        "the row is of entity number \(number), which the model does not have here")
    }
    return entity
  }

  func stream(_ query: StoreQuery, batch: Int, _ consume: (RowSet) throws -> Void) throws {
    precondition(batch > 0, "a batch has at least one row")
    var query = query
    query.shape = .rows
    self.sqlite.counters.count(reads: 1)
    let place = try self.sqlite.place(of: query.entity)
    let plan = self.sqlite.plan(of: query, place)
    let select = self.sqlite.compiler.compile(query, place, .rows(plan))
    if select.isNever { return }
    guard select.isComplete else {
      guard case .rows(let rows) = try self.finish(query, place) else { return }
      self.sqlite.counters.count(rows: rows.count)
      return try consume(rows)
    }
    let reader = RowReader(plan, file: self.sqlite.url, capacity: batch)
    try self.stream(select) { row in
      try reader.read(row)
      if reader.count == batch {
        self.sqlite.counters.count(rows: batch)
        try consume(reader.finish())
      }
    }
    if reader.count > 0 {
      self.sqlite.counters.count(rows: reader.count)
      try consume(reader.finish())
    }
  }
}
