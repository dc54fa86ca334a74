internal import FederatedModel
internal import FederatedStore

/// Questions that go from row to row, and rows that lead to entities with subentities.
extension StreamedXMLScope {
  /// Reads the records that a question touches into memory, for that question.
  func answerFromTable(_ question: StreamedXMLQuestion) throws(StoreError) -> (
    answer: StoreAnswer, rowsRead: Int
  ) {
    let table = try self.table(of: question.tableEntities(self.store))
    let query = question.query
    let rows = table.rows(of: query.entity, includingSubentities: query.includesSubentities)
    var answer = try InMemoryQuery(query, source: table).run(over: rows)
    if case .rows(let rows) = answer { answer = .rows(self.copied(rows)) }
    self.rememberNames(in: answer, table)
    return (answer, rows.count)
  }

  func table(of entities: [EntityID]) throws(StoreError) -> RowTable {
    var projection = XMLProjection(entities)
    for entity in entities {
      let relationships = self.store.model[entity].relationships.filter(\.isToMany)
      projection.lists.formUnion(relationships.map(\.id))
    }
    return try XMLPass(self.store, self.stamp, projection).table()
  }

  /// The rows without the table that they were in.
  private func copied(_ rows: RowSet) -> RowSet {
    var collector = XMLRowCollector(self.store.plan, self.store.names, url: self.store.file)
    for row in rows { collector.keepAgain(row, self.recordNumber(of: row)) }
    return collector.take()
  }

  // MARK: Names

  private func rememberNames(in answer: StoreAnswer, _ table: RowTable) {
    func remember(_ reference: Int64) {
      if let name = table.name(of: reference) { self.store.names.remember(name) }
    }
    switch answer {
    case .rows(let rows):
      for row in rows {
        remember(row.reference)
        for column in row.block.layout.columns where column.kind == .reference {
          if let destination = row.destination(column.slot) { remember(destination.reference) }
        }
      }
    case .identities(let identities): for identity in identities { remember(identity.reference) }
    case .values(let lines):
      for line in 0..<lines.count {
        for case .object(let id) in lines[line] { remember(id.reference) }
      }
    case .groups(let table):
      for group in table.groups { for case .object(let id) in group.keys { remember(id.reference) } }
    case .count: return
    }
  }

  func rememberNames(of identities: [RowIdentity], _ table: RowTable) {
    self.rememberNames(in: .identities(identities), table)
  }

  // MARK: Subentities

  /// The rows with the concrete entities of what their to-ones lead to.
  func resolvingDestinations(of rows: RowSet) throws -> RowSet {
    var wanted: [EntityID: Set<Int64>] = [:]
    for row in rows {
      for column in row.block.layout.columns {
        guard let declared = column.destination, self.store.model[declared].family.count > 1,
          let destination = row.destination(column.slot)
        else { continue }
        wanted[self.store.model[declared].root, default: []].insert(destination.reference)
      }
    }
    if wanted.isEmpty { return rows }
    let found = try self.concreteEntities(of: wanted)
    let model = self.store.model
    let blocks = rows.blocks.map { block in
      block.resolvingDestinations { column, reference, entity in
        guard let declared = column.destination, model[declared].family.count > 1,
          let concrete = found[model[declared].root]?[reference]
        else { return entity }
        return model[declared].family.contains(concrete) ? concrete : entity
      }
    }
    return RowSet(blocks, order: (0..<rows.count).map { rows.place(of: $0) })
  }

  /// The entities of rows by hierarchy and reference, in one pass.
  func concreteEntities(of wanted: [EntityID: Set<Int64>]) throws -> [EntityID: [Int64: EntityID]] {
    var projection = XMLProjection(wanted.keys.flatMap { self.store.model[$0].family })
    projection.slots = []
    var found: [EntityID: [Int64: EntityID]] = [:]
    var left = wanted.values.reduce(0) { $0 + $1.count }
    let read = try XMLPass(self.store, self.stamp, projection).run { batch in
      for row in batch.rows {
        let root = self.store.model[row.entity].root
        guard wanted[root]?.contains(row.reference) ?? false, found[root]?[row.reference] == nil else {
          continue
        }
        found[root, default: [:]][row.reference] = row.entity
        left -= 1
      }
      return left > 0
    }
    self.store.count(rows: 0, rowsRead: read)
    return found
  }
}
