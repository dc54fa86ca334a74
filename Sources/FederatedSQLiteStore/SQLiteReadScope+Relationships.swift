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
    let key = "d.\(table.key.quotedName)"
    let entity = table.discriminator.map { ", d.\($0.column.quotedName)" } ?? ""
    var compiler = PredicateCompiler(context: self.sqlite.compiler.context)
    let cells = Array(Set(owners)).sorted().map { SQLValue.int($0) }
    func members(of sql: String) -> SQLFragment {
      guard case .test(let fragment) = compiler.membership(of: sql, cells: cells) else {
        return SQLFragment("0")
      }
      return fragment
    }

    let fragment: SQLFragment
    switch owner.relationships[id.index] {
    case .none: return RelatedRows(offsets: Array(repeating: 0, count: owners.count + 1))
    case .column(let slot):
      guard let column = owner.column(slot: slot)?.column.quotedName else { return RelatedRows() }
      let ownerKey = "o.\(ownerTable.key.quotedName)"
      fragment =
        "SELECT \(key), \(ownerKey)\(entity) FROM \(ownerTable.name.quotedName) AS o JOIN "
        + "\(table.name.quotedName) AS d ON \(key) = o.\(column) WHERE " + members(of: ownerKey)
        + " ORDER BY \(ownerKey)"
    case .inverse(_, let column, let orderColumn):
      let back = "d.\(column.quotedName)"
      let order = [back] + (orderColumn.map { ["d.\($0.quotedName)"] } ?? []) + [key]
      fragment =
        "SELECT \(key), \(back)\(entity) FROM \(table.name.quotedName) AS d WHERE " + members(of: back)
        + " ORDER BY \(order.joined(separator: ", "))"
    case .join(let join):
      let back = "j.\(join.ownerColumn.quotedName)"
      let order = [back] + (join.orderColumn.map { ["j.\($0.quotedName)"] } ?? []) + [key]
      fragment =
        "SELECT \(key), \(back)\(entity) FROM \(join.table.quotedName) AS j JOIN \(table.name.quotedName) AS d "
        + "ON \(key) = j.\(join.destinationColumn.quotedName) WHERE " + members(of: back)
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
