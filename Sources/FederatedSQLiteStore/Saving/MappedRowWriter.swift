internal import FederatedModel
internal import FederatedStore

/// Writes rows of a file that somebody else made: into its own columns, in its own formats.
///
/// No column counts versions there. An update or delete finds its row only while every column still holds what the
/// save knew.
struct MappedRowWriter {
  let store: SQLiteStore
  let connection: Connection
  let columns: MappedColumns

  /// - Returns: nil for a store of the own layout.
  init?(_ store: SQLiteStore, _ connection: Connection) {
    guard let columns = store.columns else { return nil }
    self.store = store
    self.connection = connection
    self.columns = columns
  }

  private func writable(_ entity: EntityID) throws(StoreError) -> (EntityPlace, Table) {
    let place = try self.store.place(of: entity)
    let table = self.store.layout.tables[place.table]
    guard !table.isView else {
      throw StoreError(
        .readOnly, store: self.store.url, place: .cell(table: table.name, row: nil, column: nil),
        "\(table.name) is a view, and its rows can only be read; map \(self.store.model[entity].name) to a table to "
          + "write")
    }
    return (place, table)
  }

  // MARK: Insert

  func insert(_ block: RowBlock) throws(StoreError) {
    if block.count == 0 { return }
    let (place, table) = try self.writable(block.entity)
    let styles = try self.styles(of: place, table)
    for index in 0..<block.count {
      let row = block[index]
      var cells = MappedCells(table, self.store, RowIdentity(row))
      try cells.setKey(row.reference)
      if let discriminator = table.discriminator, let number = place.discriminatorValue,
        let word = discriminator.words?[number]
      {
        try cells.set(discriminator.column, to: word.cell, by: "the kind of row")
      }
      for column in place.columns where !column.isDerived {
        try self.set(&cells, column, of: row, like: styles[column.column])
      }
      // What is nil is left to the column's default, as whoever made the file meant it.
      let written = cells.values.filter { $0.value != .null }.sorted { $0.key < $1.key }
      let names = written.map(\.key.quotedName).joined(separator: ", ")
      let marks = written.map { _ in "?" }.joined(separator: ", ")
      do throws(StoreError) {
        try self.connection.run(
          "INSERT INTO \(table.name.quotedName) (\(names)) VALUES (\(marks))", written.map(\.value))
      } catch { throw self.placed(error, RowIdentity(row), table) }
    }
  }

  /// A text of each column whose texts may be written in several ways, so that new ones look like those that are there.
  private func styles(of place: EntityPlace, _ table: Table) throws(StoreError) -> [String: String] {
    var styles: [String: String] = [:]
    for column in place.columns {
      guard let mapped = column.mapped, mapped.hasStyles else { continue }
      let name = column.column.quotedName
      styles[column.column] = try self.connection.texts(
        "SELECT \(name) FROM \(table.name.quotedName) WHERE typeof(\(name)) = 'text' LIMIT 1"
      ).first
    }
    return styles
  }

  private func set(
    _ cells: inout MappedCells, _ column: ColumnPlace, of row: Snapshot, like old: String?
  ) throws(StoreError) {
    if let reference = column.reference {
      let parts = try self.parts(of: row.destination(column.slot)?.reference, reference.key, row)
      for (name, part) in zip(reference.key.columns, parts) {
        try cells.set(name, to: part, by: column.property)
      }
      return
    }
    guard let mapped = column.mapped else { return }
    let conversion = self.columns.cells[mapped.number]
    let value = row.value(column.slot, mapped.type)
    guard let cell = conversion.cell(of: value, like: old) else {
      throw conversion.unstorable(value, RowIdentity(row))
    }
    try cells.set(column.column, to: cell, by: column.property)
  }

  /// The key that a to-one holds; nothing in every part for none.
  private func parts(of reference: Int64?, _ key: KeyPlace, _ row: Snapshot) throws(StoreError) -> [SQLValue]
  {
    guard let reference else { return key.columns.map { _ in .null } }
    guard let parts = key.values(of: reference) else {
      throw StoreError(
        .unstorableValue, store: self.store.url, rows: [RowIdentity(row)],
        "a to-one leads to a row that this store has never seen; fetch it first")
    }
    return parts
  }

  // MARK: Update

  /// - Returns: the rows that were changed or removed since.
  func update(_ rows: UpdatedRows) throws(StoreError) -> [RowIdentity] {
    if rows.after.count == 0 { return [] }
    let (place, table) = try self.writable(rows.after.entity)
    let columns = place.columns.filter { !$0.isDerived }
    var conflicts: [RowIdentity] = []
    for index in 0..<rows.after.count {
      let (before, after) = (rows.before[index], rows.after[index])
      let changed = columns.filter { CellBinding.differs(before, after, $0) }
      if changed.isEmpty {
        conflicts += try self.staleRows([before])
        continue
      }
      let old = try self.texts(of: changed, before, table)
      var cells = MappedCells(table, self.store, RowIdentity(after))
      for column in changed { try self.set(&cells, column, of: after, like: old[column.column]) }
      try cells.checkKey(before.reference)
      let written = cells.values.sorted { $0.key < $1.key }
      var sets = written.map { "\($0.key.quotedName) = ?" }
      for column in changed {
        if let order = column.reference?.orderColumn { sets.append("\(order.quotedName) = NULL") }
      }
      let known = try self.condition(before, place, table)
      do throws(StoreError) {
        let count = try self.connection.run(
          "UPDATE \(table.name.quotedName) AS t0 SET \(sets.joined(separator: ", ")) WHERE \(known.text)",
          written.map(\.value) + known.bindings)
        if count == 0 { conflicts.append(RowIdentity(before)) }
      } catch { throw self.placed(error, RowIdentity(after), table) }
    }
    return conflicts
  }

  /// What stands in changed columns whose texts may be written in several ways.
  private func texts(
    of changed: [ColumnPlace], _ row: Snapshot, _ table: Table
  ) throws(StoreError) -> [String: String] {
    let columns = changed.filter { $0.mapped?.hasStyles == true }
    guard !columns.isEmpty, let key = self.keyCondition(row.reference, table) else { return [:] }
    var texts: [String: String] = [:]
    let list = columns.map { "t0.\($0.column.quotedName)" }.joined(separator: ", ")
    try self.connection.query(
      "SELECT \(list) FROM \(table.name.quotedName) AS t0 WHERE \(key.text)", key.bindings
    ) { (found) throws(StoreError) in
      for (index, column) in columns.enumerated() {
        if case .text(let text) = found.value(Int32(index)) { texts[column.column] = text }
      }
    }
    return texts
  }

  // MARK: Delete

  /// - Returns: the rows that were changed or removed since.
  func delete(_ block: RowBlock) throws(StoreError) -> [RowIdentity] {
    if block.count == 0 { return [] }
    let (place, table) = try self.writable(block.entity)
    var conflicts: [RowIdentity] = []
    for index in 0..<block.count {
      let known = try self.condition(block[index], place, table)
      do throws(StoreError) {
        let count = try self.connection.run(
          "DELETE FROM \(table.name.quotedName) AS t0 WHERE \(known.text)", known.bindings)
        if count == 0 { conflicts.append(RowIdentity(block[index])) }
      } catch { throw self.placed(error, RowIdentity(block[index]), table) }
    }
    return conflicts
  }
}
