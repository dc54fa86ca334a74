internal import FederatedModel

/// Which rows of a table a query has to look at, and how they are found: by reference, by an index over a
/// column, or all of them.
struct TableAccess {
  let candidates: RowSet
  /// What is left to answer over the candidates.
  let rest: StoreQuery
  private let way: Way

  enum Way {
    case references
    case index(BoundAttribute, lookUps: Int)
    case scan
  }

  init(_ query: StoreQuery, in table: RowTable) {
    let finder = Finder(query: query, table: table)
    var rest = query
    if let references = query.references {
      self.candidates = finder.rows(references)
      self.way = .references
      rest.references = nil
    } else if let found = finder.rowsOfKeys() ?? finder.rowsOfConstants() {
      self.candidates = found.rows
      self.way = .index(found.attribute, lookUps: found.lookUps)
      if found.answersKeys { rest.keys = nil }
    } else {
      self.candidates = table.rows(of: query.entity, includingSubentities: query.includesSubentities)
      self.way = .scan
    }
    self.rest = rest
  }

  /// How the query is answered, in words.
  func explanation(in model: ManagedObjectModel) -> StoreExplanation {
    let name = model[self.rest.entity].name
    let rest = [
      self.rest.predicate.map { _ in "predicate" }, self.rest.keys.map { _ in "keys" },
      self.rest.order.isEmpty ? nil : "order",
    ].compactMap(\.self)
    switch self.way {
    case .references:
      return StoreExplanation(
        statement: "look-up of \(self.candidates.count) rows of \(name)", inMemory: rest)
    case .index(let attribute, let lookUps):
      return StoreExplanation(
        statement: "\(lookUps) look-ups of \(name) by \(attribute.name), \(self.candidates.count) rows",
        inMemory: rest, index: "\(model[attribute.entity].name).\(attribute.name)")
    case .scan:
      return StoreExplanation(statement: "scan of \(self.candidates.count) rows of \(name)", inMemory: rest)
    }
  }
}

/// Finds candidates for one query.
private struct Finder {
  let query: StoreQuery
  let table: RowTable

  struct Found {
    var rows: RowSet
    var attribute: BoundAttribute
    var lookUps: Int
    var answersKeys: Bool
  }

  func rows(_ references: [Int64]) -> RowSet {
    var places: [RowPlace] = []
    places.reserveCapacity(references.count)
    var last: Int64?
    for reference in references.sorted() where reference != last {
      last = reference
      guard let place = self.table.place(of: reference, inHierarchyOf: self.query.entity) else { continue }
      if self.isWanted(self.table.blocks[place.block].entity) { places.append(place) }
    }
    return RowSet(self.table.blocks, order: places)
  }

  /// The rows that the query's keys name, through an index over the first attribute.
  func rowsOfKeys() -> Found? {
    guard let keys = self.query.keys, let attribute = keys.attributes.first,
      let column = self.column(attribute)
    else { return nil }
    let filter = KeyFilter(keys)
    let index = self.table.indexes.index(of: column, in: self.table)
    var references: [Int64] = []
    for key in keys.keys {
      guard let hash = ColumnHash.of(key[0]) else { continue }
      index.forEach(hash: hash) { reference in
        if self.row(reference, of: column).map({ filter.equals($0, key, store: self.table.store) }) == true {
          references.append(reference)
        }
      }
    }
    return Found(
      rows: self.rows(references), attribute: attribute, lookUps: keys.keys.count, answersKeys: true)
  }

  /// The rows that an equality at the top of the predicate names.
  func rowsOfConstants() -> Found? {
    guard let predicate = self.query.predicate else { return nil }
    var best: (count: Int, column: ColumnKey, attribute: BoundAttribute, values: [Value])?
    for term in TopLevelEquality.all(in: predicate) {
      guard let column = self.column(term.attribute) else { continue }
      let kind = self.table.kind(of: column)
      guard term.values.allSatisfy({ ColumnEquality.isComparable($0, with: kind) }) else { continue }
      let index = self.table.indexes.index(of: column, in: self.table)
      let count = term.values.reduce(0) { count, value in
        count + (ColumnHash.of(value).map(index.candidateCount) ?? 0)
      }
      if best.map({ count < $0.count }) ?? true { best = (count, column, term.attribute, term.values) }
    }
    guard let best else { return nil }
    let index = self.table.indexes.index(of: best.column, in: self.table)
    let kind = self.table.kind(of: best.column)
    var references: [Int64] = []
    for value in best.values {
      guard let hash = ColumnHash.of(value) else { continue }
      index.forEach(hash: hash) { reference in
        guard let row = self.row(reference, of: best.column) else { return }
        let slot = best.column.slot
        if ColumnEquality.holds(row, slot: slot, kind: kind, value, store: self.table.store) {
          references.append(reference)
        }
      }
    }
    return Found(
      rows: self.rows(references), attribute: best.attribute, lookUps: best.values.count, answersKeys: false)
  }

  private func row(_ reference: Int64, of column: ColumnKey) -> Snapshot? {
    guard let row = self.table.row(reference, inHierarchyOf: column.entity) else { return nil }
    return self.isWanted(row.entity) ? row : nil
  }

  private func isWanted(_ entity: EntityID) -> Bool {
    if entity == self.query.entity { return true }
    return self.query.includesSubentities && self.table.model[self.query.entity].family.contains(entity)
  }

  /// The column of an attribute, by the entity that declares it.
  private func column(_ attribute: BoundAttribute) -> ColumnKey? {
    let entity = self.table.model[attribute.entity]
    guard let found = entity.attribute(named: attribute.name), let slot = found.slot else { return nil }
    return ColumnKey(entity: found.declaringEntity, slot: slot)
  }
}
