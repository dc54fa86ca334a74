internal import FederatedModel
internal import FederatedStore

/// Writes rows: one statement for each entity and set of columns, bound row after row.
struct RowWriter {
  let store: SQLiteStore
  let connection: Connection
  private let cells: CellBinding
  /// Rows that are gone or of another version than the save knew.
  var conflicts: [RowIdentity] = []

  init(_ store: SQLiteStore, _ connection: Connection) {
    self.store = store
    self.connection = connection
    self.cells = CellBinding(layout: store.layout)
  }

  // MARK: Insert

  func insert(_ block: RowBlock) throws(StoreError) {
    if block.count == 0 { return }
    if let mapped = MappedRowWriter(self.store, self.connection) { return try mapped.insert(block) }
    let place = try self.store.place(of: block.entity)
    let table = self.store.layout.tables[place.table]
    let columns = place.columns.filter { !$0.isDerived }
    var names = table.key.columns
    if let version = table.version { names.append(version) }
    if let discriminator = table.discriminator { names.append(discriminator.column) }
    for column in columns {
      names.append(column.column)
      if let entity = column.reference?.entityColumn { names.append(entity) }
    }
    let statement = try self.connection.statement(
      "INSERT INTO \(table.name.quotedName) (\(names.map(\.quotedName).joined(separator: ", "))) VALUES "
        + "(\(names.map { _ in "?" }.joined(separator: ", ")))")
    defer { statement.reset() }
    let (hasVersion, hasDiscriminator) = (table.version != nil, table.discriminator != nil)
    let discriminator = place.discriminatorValue ?? 0
    let cells = columns.map(CellBinding.Cell.init)
    try unsafe block.withArena { (arena) throws(StoreError) in
      for index in 0..<block.count {
        let row = block[index]
        var next = 1
        try statement.bind(int: row.reference, at: next)
        if hasVersion {
          next += 1
          try statement.bind(int: row.version, at: next)
        }
        if hasDiscriminator {
          next += 1
          try statement.bind(int: discriminator, at: next)
        }
        for cell in cells {
          next += 1
          try unsafe self.cells.bind(row, cell, to: statement, at: next, arena: arena)
          if cell.hasEntity {
            next += 1
            try self.cells.bindEntity(row, cell, to: statement, at: next)
          }
        }
        do throws(StoreError) { try statement.run() } catch { throw self.refined(error, row) }
        if columns.count < place.columns.count { self.connection.rewritten.note(RowIdentity(row)) }
      }
    }
  }

  // MARK: Update

  mutating func update(_ rows: UpdatedRows) throws(StoreError) {
    let block = rows.after
    if block.count == 0 { return }
    if let mapped = MappedRowWriter(self.store, self.connection) {
      self.conflicts += try mapped.update(rows)
      return
    }
    let place = try self.store.place(of: block.entity)
    let columns = place.columns.filter { !$0.isDerived }
    for index in 0..<block.count {
      let (before, after) = (rows.before[index], block[index])
      let changed = columns.filter { CellBinding.differs(before, after, $0) }
      try self.update(before, after, changed, place)
    }
  }

  private mutating func update(
    _ before: Snapshot, _ after: Snapshot, _ changed: [ColumnPlace], _ place: EntityPlace
  )
    throws(StoreError)
  {
    let table = self.store.layout.tables[place.table]
    var sets: [String] = []
    if let version = table.version { sets.append("\(version.quotedName) = ?") }
    for column in changed {
      sets.append("\(column.column.quotedName) = ?")
      if let entity = column.reference?.entityColumn { sets.append("\(entity.quotedName) = ?") }
      // A place in the old owner's list says nothing in the new one's.
      if let order = column.reference?.orderColumn { sets.append("\(order.quotedName) = NULL") }
    }
    if sets.isEmpty { return }
    let statement = try self.connection.statement(
      "UPDATE \(table.name.quotedName) SET \(sets.joined(separator: ", ")) WHERE \(self.condition(table))")
    defer { statement.reset() }
    try unsafe after.block.withArena { (arena) throws(StoreError) in
      var next = 0
      if table.version != nil {
        next += 1
        try statement.bind(int: after.version, at: next)
      }
      for cell in changed.map(CellBinding.Cell.init) {
        next += 1
        try unsafe self.cells.bind(after, cell, to: statement, at: next, arena: arena)
        if cell.hasEntity {
          next += 1
          try self.cells.bindEntity(after, cell, to: statement, at: next)
        }
      }
      try self.bindCondition(before, table, to: statement, after: next)
      do throws(StoreError) { try statement.run() } catch { throw self.refined(error, after) }
    }
    if self.connection.changes == 0 { self.conflicts.append(RowIdentity(before)) }
    if place.columns.contains(where: \.isDerived) { self.connection.rewritten.note(RowIdentity(after)) }
  }

  /// Empties the changed columns of uniqueness constraints, so that the rows may exchange values.
  func releaseUniqueValues(_ rows: UpdatedRows) throws(StoreError) {
    let place = try self.store.place(of: rows.after.entity)
    let table = self.store.layout.tables[place.table]
    var unique: Set<String> = []
    var entity: Entity? = self.store.model[rows.after.entity]
    while let current = entity {
      unique.formUnion(current.description.uniquenessConstraints.flatMap(\.self))
      entity = current.parent.map { self.store.model[$0] }
    }
    if self.store.columns != nil { return }
    for column in place.columns where unique.contains(column.property) {
      for index in 0..<rows.after.count
      where CellBinding.differs(rows.before[index], rows.after[index], column) {
        try self.connection.run(
          "UPDATE \(table.name.quotedName) SET \(column.column.quotedName) = NULL WHERE \(self.key(table)) = ?",
          [.int(rows.before[index].reference)])
      }
    }
  }

  // MARK: Delete

  mutating func delete(_ block: RowBlock) throws(StoreError) {
    if block.count == 0 { return }
    if let mapped = MappedRowWriter(self.store, self.connection) {
      self.conflicts += try mapped.delete(block)
      return
    }
    let place = try self.store.place(of: block.entity)
    let table = self.store.layout.tables[place.table]
    let statement = try self.connection.statement(
      "DELETE FROM \(table.name.quotedName) WHERE \(self.condition(table))")
    defer { statement.reset() }
    for index in 0..<block.count {
      try self.bindCondition(block[index], table, to: statement, after: 0)
      try statement.run()
      if self.connection.changes == 0 { self.conflicts.append(RowIdentity(block[index])) }
    }
  }

  // MARK: The row as the save knew it

  /// The rows of before-images that are gone or of another version.
  func staleRows(_ block: RowBlock) throws(StoreError) -> [RowIdentity] {
    if block.count == 0 { return [] }
    if let mapped = MappedRowWriter(self.store, self.connection) {
      return try mapped.staleRows((0..<block.count).map { block[$0] })
    }
    let table = self.store.layout.tables[try self.store.place(of: block.entity).table]
    let statement = try self.connection.statement(
      "SELECT 1 FROM \(table.name.quotedName) WHERE \(self.condition(table))")
    defer { statement.reset() }
    var stale: [RowIdentity] = []
    for index in 0..<block.count {
      try self.bindCondition(block[index], table, to: statement, after: 0)
      if try !statement.step() { stale.append(RowIdentity(block[index])) }
      statement.rewind()
    }
    return stale
  }

  /// The rows of expectations that are gone or of another version.
  func missing(_ expected: [RowExpectation]) throws(StoreError) -> [RowIdentity] {
    var missing: [RowIdentity] = []
    let mapped = MappedRowWriter(self.store, self.connection)
    for expectation in expected {
      if let mapped {
        if try !mapped.hasRow(expectation.row) { missing.append(expectation.row) }
        continue
      }
      let table = self.store.layout.tables[try self.store.place(of: expectation.row.entity).table]
      let version = table.version.map { "IFNULL(\($0.quotedName), 0)" } ?? "0"
      let found = try self.connection.number(
        "SELECT \(version) FROM \(table.name.quotedName) WHERE \(self.key(table)) = ?",
        [.int(expectation.row.reference)])
      let isThere =
        found != nil && (expectation.version == nil || table.version == nil || found == expectation.version)
      if !isThere { missing.append(expectation.row) }
    }
    return missing
  }

  private func key(_ table: Table) -> String { table.key.columns[0].quotedName }

  private func condition(_ table: Table) -> String {
    "\(self.key(table)) = ?" + (table.version.map { " AND IFNULL(\($0.quotedName), 0) = ?" } ?? "")
  }

  private func bindCondition(_ row: Snapshot, _ table: Table, to statement: Statement, after index: Int)
    throws(StoreError)
  {
    try statement.bind(int: row.reference, at: index + 1)
    if table.version != nil { try statement.bind(int: row.version, at: index + 2) }
  }

  private func refined(_ error: StoreError, _ row: Snapshot) -> StoreError {
    guard error.code == .duplicateKey else { return error }
    let place = StoreError.Place.property(
      entity: self.store.model[row.entity].name, reference: row.reference, property: nil)
    if self.connection.violatesPrimaryKey {
      return StoreError(
        .changedUnderneath, store: self.store.url, place: place, rows: [RowIdentity(row)], underlying: error,
        "another program took the row's number while this save was made; save again")
    }
    return error.at(place, rows: [RowIdentity(row)])
  }
}

extension RowBlock {
  /// The arena, in place for as long as `body` runs.
  func withArena<R>(_ body: (UnsafeRawBufferPointer) throws(StoreError) -> R) throws(StoreError) -> R {
    let result: Result<R, StoreError> = unsafe self.arena.withUnsafeBytes { bytes in
      do throws(StoreError) { return .success(try unsafe body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
