internal import FederatedModel

/// Finds the rows that one query can be about, without a scan.
struct CandidateFinder {
  let query: StoreQuery
  let table: RowTable

  struct Found {
    var rows: RowSet
    var way: TableAccess.Way
  }

  /// The rows of these references that the query's entity has, ascending and each once.
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
      let column = self.column(of: attribute)
    else { return nil }
    let index = self.table.indexes.index(of: column, in: self.table)
    var references: [Int64] = []
    for key in keys.keys {
      guard let hash = ColumnHash.of(key[0]) else { continue }
      index.forEach(hash: hash) { reference in
        guard let row = self.row(reference, of: column) else { return }
        if KeyFilter.equals(row, keys.attributes, key, store: self.table.store) {
          references.append(reference)
        }
      }
    }
    let way = TableAccess.Way.index(entity: column.entity, property: attribute.name, lookUps: keys.keys.count)
    return Found(rows: self.rows(references), way: way)
  }

  /// The rows that an equality at the top of the predicate names: the one with the fewest.
  func rowsOfConstants() -> Found? {
    guard let predicate = self.query.predicate else { return nil }
    var best: (count: Int, term: ColumnTerm)?
    for equality in TopLevelEquality.all(in: predicate) {
      guard let term = self.term(equality) else {
        if case .identity = equality.side, let rows = self.rows(ofObjects: equality.values) {
          return Found(rows: rows, way: .references)
        }
        continue
      }
      let index = self.table.indexes.index(of: term.column, in: self.table)
      let count = term.values.reduce(0) { count, value in
        count + (ColumnHash.of(value).map(index.candidateCount) ?? 0)
      }
      if best.map({ count < $0.count }) ?? true { best = (count, term) }
    }
    return best.map { self.rows(of: $0.term) }
  }

  // MARK: Terms

  private struct ColumnTerm {
    var column: ColumnKey
    var kind: SlotKind
    var property: String
    var values: [Value]
  }

  /// The term as a look-up; nil when only an evaluation can answer it.
  private func term(_ equality: TopLevelEquality) -> ColumnTerm? {
    switch equality.side {
    case .identity: return nil
    case .attribute(let attribute):
      guard let column = self.column(of: attribute), let kind = attribute.type.slotKind,
        equality.values.allSatisfy({ ColumnEquality.isComparable($0, with: kind) })
      else { return nil }
      return ColumnTerm(column: column, kind: kind, property: attribute.name, values: equality.values)
    case .toOne(let relationship):
      let found = self.table.model[relationship.entity].relationships[relationship.index]
      // A dangling destination counts as nil, and no index tells which are dangling.
      guard let slot = found.slot, self.areObjects(equality.values) else { return nil }
      let column = ColumnKey(entity: found.declaringEntity, slot: slot)
      return ColumnTerm(column: column, kind: .reference, property: found.name, values: equality.values)
    }
  }

  private func rows(of term: ColumnTerm) -> Found {
    let index = self.table.indexes.index(of: term.column, in: self.table)
    let slot = term.column.slot
    var references: [Int64] = []
    for value in term.values {
      guard let hash = ColumnHash.of(value) else { continue }
      index.forEach(hash: hash) { reference in
        guard let row = self.row(reference, of: term.column) else { return }
        // Objects are compared by the predicate: their entity may be named by an ancestor.
        if term.kind == .reference
          || ColumnEquality.holds(row, slot: slot, kind: term.kind, value, store: self.table.store)
        {
          references.append(reference)
        }
      }
    }
    let way = TableAccess.Way.index(
      entity: term.column.entity, property: term.property, lookUps: term.values.count)
    return Found(rows: self.rows(references), way: way)
  }

  private func areObjects(_ values: [Value]) -> Bool {
    values.allSatisfy { if case .object = $0 { true } else { false } }
  }

  private func rows(ofObjects values: [Value]) -> RowSet? {
    guard self.areObjects(values) else { return nil }
    return self.rows(
      values.compactMap { value in
        guard case .object(let identity) = value, identity.store == self.table.store else { return nil }
        return identity.reference
      })
  }

  // MARK: Rows

  private func row(_ reference: Int64, of column: ColumnKey) -> Snapshot? {
    guard let row = self.table.row(reference, inHierarchyOf: column.entity) else { return nil }
    return self.isWanted(row.entity) ? row : nil
  }

  private func isWanted(_ entity: EntityID) -> Bool {
    if entity == self.query.entity { return true }
    return self.query.includesSubentities && self.table.model[self.query.entity].family.contains(entity)
  }

  /// The column of an attribute, by the entity that declares it.
  private func column(of attribute: BoundAttribute) -> ColumnKey? {
    let entity = self.table.model[attribute.entity]
    guard let found = entity.attribute(named: attribute.name), let slot = found.slot else { return nil }
    return ColumnKey(entity: found.declaringEntity, slot: slot)
  }
}
