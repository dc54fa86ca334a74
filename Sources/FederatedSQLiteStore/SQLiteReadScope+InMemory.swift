internal import FederatedModel
internal import FederatedStore

extension SQLiteReadScope {
  /// Rows that are judged at once in memory.
  private static let batch = 512

  /// Whole rows by the terms that SQL can answer; the other terms in memory, batch after batch, until the
  /// window is full or, where SQL cannot sort, to the end.
  func finish(_ query: StoreQuery, _ place: EntityPlace) throws(StoreError) -> StoreAnswer {
    let plan = self.sqlite.plan(of: query, place)
    let select = self.compiler.compile(query, place, .rows(plan))
    var rest = query
    rest.references = nil
    rest.keys = nil
    rest.predicate = nil
    if select.pushesOrder { rest.order = [] }
    let needed = select.pushesOrder ? query.reach : nil
    var filter = StoreQuery(entity: query.entity)
    filter.predicate = select.memoryTerms.count == 1 ? select.memoryTerms[0] : .and(select.memoryTerms)
    let admitted = try self.rows(
      select, plan, admittedBy: InMemoryQuery(filter, source: self), needed: needed)
    return try InMemoryQuery(rest, source: self).run(over: admitted)
  }

  private func rows(
    _ select: CompiledSelect, _ plan: ReadPlan, admittedBy filter: InMemoryQuery, needed: Int?
  ) throws(StoreError) -> RowSet {
    var blocks: [RowBlock] = []
    var places: [RowPlace] = []
    let reader = RowReader(plan, file: self.sqlite.url)
    func judge() throws(StoreError) {
      guard case .rows(let rows) = try filter.run(over: reader.finish()), !rows.isEmpty else { return }
      let base = blocks.count
      blocks += rows.blocks
      for position in rows.indices {
        let place = rows.place(of: position)
        places.append(RowPlace(block: base + place.block, row: place.row))
      }
    }
    try self.scan(select) { (row) throws(StoreError) in
      try reader.read(row)
      if reader.count == SQLiteReadScope.batch { try judge() }
      return needed.map { places.count < $0 } ?? true
    }
    if reader.count > 0 { try judge() }
    return RowSet(blocks, order: places)
  }
}
