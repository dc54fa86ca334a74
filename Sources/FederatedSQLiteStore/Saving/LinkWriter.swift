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
    case .inverse(let destination, let back, let orderColumn):
      guard let orderColumn, let order = change.order else { return }
      let table = self.store.layout.tables[try self.store.place(of: destination).table]
      try self.number(
        order, of: change.owner.reference, table: table.name, owner: back, member: table.key,
        order: orderColumn)
    case .join(let join):
      try self.remove(change.removed, of: change.owner, join)
      try self.add(change.added, of: change.owner, join)
      guard let orderColumn = join.orderColumn, let order = change.order else { return }
      try self.number(
        order, of: change.owner.reference, table: join.table, owner: join.owner, member: join.member,
        order: orderColumn)
    }
  }

  private func add(_ members: [RowIdentity], of owner: RowIdentity, _ join: JoinPlace) throws(StoreError) {
    if members.isEmpty { return }
    let columns = (join.owner.columns + join.member.columns).map(\.quotedName)
    let (list, marks) = (columns.joined(separator: ", "), columns.map { _ in "?" }.joined(separator: ", "))
    // A file of others may have constraints that must not be passed over, and none that keeps pairs unique.
    let statement = try self.connection.statement(
      self.store.columns == nil
        ? "INSERT OR IGNORE INTO \(join.table.quotedName) (\(list)) VALUES (\(marks))"
        : "INSERT INTO \(join.table.quotedName) (\(list)) SELECT \(columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")) "
          + "WHERE NOT EXISTS (SELECT 1 FROM \(join.table.quotedName) WHERE "
          + "\(columns.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")))")
    defer { statement.reset() }
    try self.run(statement, members, owner, join)
  }

  private func remove(_ members: [RowIdentity], of owner: RowIdentity, _ join: JoinPlace) throws(StoreError) {
    if members.isEmpty { return }
    let statement = try self.connection.statement(
      "DELETE FROM \(join.table.quotedName) WHERE \(self.test(join.owner)) AND \(self.test(join.member))")
    defer { statement.reset() }
    try self.run(statement, members, owner, join)
  }

  private func test(_ key: KeyPlace) -> String {
    key.tests.joined(separator: " AND ")
  }

  private func run(_ statement: Statement, _ members: [RowIdentity], _ owner: RowIdentity, _ join: JoinPlace)
    throws(StoreError)
  {
    for member in members {
      for (a, b) in [(owner.reference, member.reference), (member.reference, owner.reference)] {
        try statement.bind(try self.cells(a, join.owner) + self.cells(b, join.member))
        do throws(StoreError) { try statement.run() } catch {
          throw error.at(.cell(table: join.table, row: nil, column: nil), rows: [owner, member])
        }
        if !join.isReflexive { break }
      }
    }
  }

  private func cells(_ reference: Int64, _ key: KeyPlace) throws(StoreError) -> [SQLValue] {
    if let cells = key.values(of: reference) { return cells }
    throw StoreError(
      .unstorableValue, store: self.store.url,
      "a relationship leads to a row that this store has never seen; fetch it first")
  }

  /// Gives the members of a list increasing numbers, changing as few as it can.
  private func number(
    _ members: [RowIdentity], of owner: Int64, table: String, owner ownerKey: KeyPlace, member: KeyPlace,
    order: String
  ) throws(StoreError) {
    var current: [Int64: Int64] = [:]
    var others: [(order: Int64, member: Int64)] = []
    let known = Set(members.map(\.reference))
    let ownerCells = try self.cells(owner, ownerKey)
    try self.connection.query(
      "SELECT \(member.reference("t0")), t0.\(order.quotedName) FROM \(table.quotedName) AS t0 WHERE "
        + "\(self.test(ownerKey))", ownerCells
    ) { (row) throws(StoreError) in
      if !row.isNull(1) { current[row.int(0)] = row.int(1) }
      if !known.contains(row.int(0)) { others.append((row.isNull(1) ? .max : row.int(1), row.int(0))) }
    }
    // Members that others added follow, in their order.
    let list = members.map(\.reference) + others.sorted { $0 < $1 }.map(\.member)
    let numbers = OrderNumbers.numbers(for: list.map { current[$0] })
    let statement = try self.connection.statement(
      "UPDATE \(table.quotedName) SET \(order.quotedName) = ? WHERE \(self.test(ownerKey)) AND \(self.test(member))"
    )
    defer { statement.reset() }
    for (reference, number) in zip(list, numbers) where current[reference] != number {
      try statement.bind([.int(number)] + ownerCells + self.cells(reference, member))
      try statement.run()
    }
  }

  /// Removes every pair that a row takes part in.
  func removeAll(of block: RowBlock) throws(StoreError) {
    for pair in self.store.pairs(of: block.entity) {
      let statement = try self.connection.statement(
        "DELETE FROM \(pair.table.quotedName) WHERE \(self.test(pair.key))")
      defer { statement.reset() }
      for index in 0..<block.count {
        try statement.bind(try self.cells(block[index].reference, pair.key))
        try statement.run()
      }
    }
  }
}

extension SQLiteStore {
  struct PairColumns: Hashable {
    let table: String
    let key: KeyPlace
  }

  /// The columns of tables of pairs that may name rows of an entity.
  func pairs(of entity: EntityID) -> Set<PairColumns> {
    var pairs: Set<PairColumns> = []
    for place in self.layout.entities.compactMap(\.self) {
      for case .join(let join) in place.relationships {
        if place.entity == entity { pairs.insert(PairColumns(table: join.table, key: join.owner)) }
        if self.model[join.destination].family.contains(entity) {
          pairs.insert(PairColumns(table: join.table, key: join.member))
        }
      }
    }
    return pairs
  }
}
