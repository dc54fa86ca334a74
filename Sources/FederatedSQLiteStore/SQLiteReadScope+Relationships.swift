internal import FederatedModel
internal import FederatedStore

extension SQLiteReadScope {
  /// One statement for all owners.
  func related(_ relationship: RelationshipID, of owners: [Int64]) throws(StoreError) -> RelatedRows {
    self.sqlite.counters.count(reads: 1)
    let answer = try self.destinations(relationship, of: owners)
    self.sqlite.counters.count(rows: answer.destinations.count)
    return answer
  }

  func destinations(_ id: RelationshipID, of owners: [Int64]) throws(StoreError) -> RelatedRows {
    let relationship = self.sqlite.model.relationship(id)
    let owner = try self.sqlite.place(of: id.entity)
    guard let destination = self.sqlite.layout[relationship.destination], !owners.isEmpty else {
      return RelatedRows(offsets: Array(repeating: 0, count: owners.count + 1))
    }
    let ownerTable = self.sqlite.layout.tables[owner.table]
    let table = self.sqlite.layout.tables[destination.table]
    let key = table.key.reference("d")
    let entity = table.discriminator.map { ", " + $0.number("d") } ?? ""
    let ownRows = table.ownRows("d").map { " AND " + $0 } ?? ""
    var compiler = PredicateCompiler(context: self.sqlite.compiler.context)
    func members(of place: KeyPlace, _ alias: String) -> SQLFragment {
      guard case .test(let fragment) = compiler.membership(of: place, alias, in: owners) else {
        return SQLFragment("0")
      }
      return fragment
    }

    let fragment: SQLFragment
    switch owner.relationships[id.index] {
    case .none: return RelatedRows(offsets: Array(repeating: 0, count: owners.count + 1))
    case .column(let slot):
      guard let way = owner.column(slot: slot)?.reference else { return RelatedRows() }
      let ownerKey = ownerTable.key.reference("o")
      fragment =
        "SELECT \(key), \(ownerKey)\(entity) FROM \(ownerTable.name.quotedName) AS o JOIN "
        + "\(table.name.quotedName) AS d ON \(table.key.matches("d", way.key.parts("o"))) WHERE "
        + members(of: ownerTable.key, "o") + ownRows + " ORDER BY \(ownerKey)"
    case .inverse(_, let place, let orderColumn):
      let back = place.reference("d")
      let order = [back] + (orderColumn.map { ["d.\($0.quotedName) NULLS LAST"] } ?? []) + [key]
      fragment =
        "SELECT \(key), \(back)\(entity) FROM \(table.name.quotedName) AS d WHERE "
        + members(of: place, "d") + ownRows
        + " ORDER BY \(order.joined(separator: ", "))"
    case .join(let join):
      let back = join.owner.reference("j")
      let order = [back] + (join.orderColumn.map { ["j.\($0.quotedName) NULLS LAST"] } ?? []) + [key]
      fragment =
        "SELECT \(key), \(back)\(entity) FROM \(join.table.quotedName) AS j JOIN \(table.name.quotedName) AS d "
        + "ON \(table.key.matches("d", join.member.parts("j"))) WHERE " + members(of: join.owner, "j")
        + ownRows
        + " ORDER BY \(order.joined(separator: ", "))"
    }

    // The statement answers owner after owner, so each owner's destinations are one run.
    var found: [RowIdentity] = []
    var runs: [Int64: Range<Int>] = [:]
    var current: Int64?
    var start = 0
    let select = CompiledSelect(fragment: fragment, lists: compiler.context.lists)
    try self.run(select) { (row) throws(StoreError) in
      let owner = row.int(1)
      if owner != current {
        if let current { runs[current] = start..<found.count }
        current = owner
        start = found.count
      }
      found.append(
        RowIdentity(
          entity: try self.entity(table, row, column: 2, fallback: relationship.destination),
          reference: row.int(0)))
    }
    if let current { runs[current] = start..<found.count }
    var answer = RelatedRows()
    for owner in owners { answer.append(found[runs[owner] ?? 0..<0]) }
    return answer
  }
}
