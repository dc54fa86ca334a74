internal import FederatedModel
internal import FederatedStore

/// Writes pairs of many-to-many relationships and the order of ordered ones.
struct LinkWriter {
  let store: SQLiteStore
  let connection: Connection

  func write(_ change: LinkChange) throws(StoreError) {
    let place = try self.store.place(of: change.relationship.entity)
    guard place.relationships.indices.contains(change.relationship.index) else { return }
    switch place.relationships[change.relationship.index] {
    case .none, .column: return
    case .inverse(let destination, let column, let orderColumn):
      guard let orderColumn, let order = change.order else { return }
      let table = self.store.layout.tables[try self.store.place(of: destination).table]
      try self.number(
        order, of: change.owner.reference, table: table.name, owner: column, member: table.key,
        order: orderColumn)
    case .join(let join):
      try self.remove(change.removed, of: change.owner, join)
      try self.add(change.added, of: change.owner, join)
      guard let orderColumn = join.orderColumn, let order = change.order else { return }
      try self.number(
        order, of: change.owner.reference, table: join.table, owner: join.ownerColumn,
        member: join.destinationColumn,
        order: orderColumn)
    }
  }

  private func add(_ members: [RowIdentity], of owner: RowIdentity, _ join: JoinPlace) throws(StoreError) {
    if members.isEmpty { return }
    let statement = try self.connection.statement(
      "INSERT OR IGNORE INTO \(join.table.quotedName) (\(join.ownerColumn.quotedName), "
        + "\(join.destinationColumn.quotedName)) VALUES (?, ?)")
    defer { statement.reset() }
    try self.run(statement, members, owner, join)
  }

  private func remove(_ members: [RowIdentity], of owner: RowIdentity, _ join: JoinPlace) throws(StoreError) {
    if members.isEmpty { return }
    let statement = try self.connection.statement(
      "DELETE FROM \(join.table.quotedName) WHERE \(join.ownerColumn.quotedName) = ? AND "
        + "\(join.destinationColumn.quotedName) = ?")
    defer { statement.reset() }
    try self.run(statement, members, owner, join)
  }

  private func run(_ statement: Statement, _ members: [RowIdentity], _ owner: RowIdentity, _ join: JoinPlace)
    throws(StoreError)
  {
    for member in members {
      for (a, b) in [(owner.reference, member.reference), (member.reference, owner.reference)] {
        try statement.bind(int: a, at: 1)
        try statement.bind(int: b, at: 2)
        try statement.run()
        if !join.isReflexive { break }
      }
    }
  }

  /// Gives the members of a list increasing numbers, changing as few as it can.
  private func number(
    _ members: [RowIdentity], of owner: Int64, table: String, owner ownerColumn: String, member: String,
    order: String
  ) throws(StoreError) {
    var current: [Int64: Int64] = [:]
    var others: [(order: Int64, member: Int64)] = []
    let known = Set(members.map(\.reference))
    try self.connection.query(
      "SELECT \(member.quotedName), \(order.quotedName) FROM \(table.quotedName) WHERE \(ownerColumn.quotedName) = ?",
      [.int(owner)]
    ) { (row) throws(StoreError) in
      if !row.isNull(1) { current[row.int(0)] = row.int(1) }
      if !known.contains(row.int(0)) { others.append((row.isNull(1) ? .max : row.int(1), row.int(0))) }
    }
    // Members that others added follow, in their order.
    let list = members.map(\.reference) + others.sorted { $0 < $1 }.map(\.member)
    let numbers = OrderNumbers.numbers(for: list.map { current[$0] })
    let statement = try self.connection.statement(
      "UPDATE \(table.quotedName) SET \(order.quotedName) = ? WHERE \(ownerColumn.quotedName) = ? AND "
        + "\(member.quotedName) = ?")
    defer { statement.reset() }
    for (member, number) in zip(list, numbers) where current[member] != number {
      try statement.bind(int: number, at: 1)
      try statement.bind(int: owner, at: 2)
      try statement.bind(int: member, at: 3)
      try statement.run()
    }
  }

  /// Removes every pair that a row takes part in.
  func removeAll(of block: RowBlock) throws(StoreError) {
    for pair in self.store.pairs(of: block.entity) {
      let statement = try self.connection.statement(
        "DELETE FROM \(pair.table.quotedName) WHERE \(pair.column.quotedName) = ?")
      defer { statement.reset() }
      for index in 0..<block.count {
        try statement.bind(int: block[index].reference, at: 1)
        try statement.run()
      }
    }
  }
}

extension SQLiteStore {
  struct PairColumn: Hashable {
    let table: String
    let column: String
  }

  /// The columns of tables of pairs that may name rows of an entity.
  func pairs(of entity: EntityID) -> Set<PairColumn> {
    var pairs: Set<PairColumn> = []
    for place in self.layout.entities.compactMap(\.self) {
      for case .join(let join) in place.relationships {
        if place.entity == entity { pairs.insert(PairColumn(table: join.table, column: join.ownerColumn)) }
        if self.model[join.destination].family.contains(entity) {
          pairs.insert(PairColumn(table: join.table, column: join.destinationColumn))
        }
      }
    }
    return pairs
  }
}
