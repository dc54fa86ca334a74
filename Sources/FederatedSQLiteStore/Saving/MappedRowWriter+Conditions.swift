internal import FederatedModel
internal import FederatedStore

/// The row as the save knew it.
extension MappedRowWriter {
  /// The rows among these that are gone, or hold other values.
  func staleRows(_ rows: [Snapshot]) throws(StoreError) -> [RowIdentity] {
    var stale: [RowIdentity] = []
    for row in rows {
      let place = try self.store.place(of: row.entity)
      let table = self.store.layout.tables[place.table]
      let known = try self.condition(row, place, table)
      let found = try self.connection.number(
        "SELECT 1 FROM \(table.name.quotedName) AS t0 WHERE \(known.text)", known.bindings)
      if found == nil { stale.append(RowIdentity(row)) }
    }
    return stale
  }

  /// Whether a row is there, whatever it holds.
  func hasRow(_ row: RowIdentity) throws(StoreError) -> Bool {
    let table = self.store.layout.tables[try self.store.place(of: row.entity).table]
    guard let key = self.keyCondition(row.reference, table) else { return false }
    return try self.connection.number(
      "SELECT 1 FROM \(table.name.quotedName) AS t0 WHERE \(key.text)", key.bindings) != nil
  }

  /// The row of a reference; nil for a number that no key has been given.
  func keyCondition(_ reference: Int64, _ table: Table) -> SQLFragment? {
    guard let parts = table.key.values(of: reference) else { return nil }
    let terms = zip(table.key.parts("t0"), parts).map { SQLFragment("\($0) = ?", [$1]) }
    return .balanced(terms[...], by: "AND")
  }

  /// The row of an image, as long as each column holds what the image says: as it would be read, or as it would be
  /// written.
  func condition(_ row: Snapshot, _ place: EntityPlace, _ table: Table) throws(StoreError) -> SQLFragment {
    guard let key = self.keyCondition(row.reference, table) else { return SQLFragment("0") }
    var terms = [key]
    for column in place.columns where !column.isDerived && !table.key.columns.contains(column.column) {
      if let reference = column.reference {
        let held = row.destination(column.slot).map { SQLValue.int($0.reference) } ?? .null
        terms.append(SQLFragment("\(reference.key.reference("t0")) IS ?", [held]))
        continue
      }
      guard let mapped = column.mapped else { continue }
      let conversion = self.columns.cells[mapped.number]
      let value = row.value(column.slot, mapped.type)
      let read = conversion.ownCell(value)
      var term = SQLFragment("\(column.value("t0")) IS ?", [read])
      if case .date = value, let written = conversion.cell(of: value) {
        term = "(" + term + SQLFragment(" OR t0.\(column.column.quotedName) IS ?)", [written])
      }
      terms.append(term)
    }
    return .balanced(terms[...], by: "AND")
  }

  /// The error with the row it is about, and the column where SQLite tells it.
  func placed(_ error: StoreError, _ row: RowIdentity, _ table: Table) -> StoreError {
    switch error.code {
    case .duplicateKey where self.connection.violatesPrimaryKey && table.key.shape == nil,
      .duplicateKey, .violatedConstraint:
      error.at(.cell(table: table.name, row: self.number(of: row, table), column: nil), rows: [row])
    default: error
    }
  }

  private func number(of row: RowIdentity, _ table: Table) -> Int64? {
    table.key.shape == nil ? row.reference : nil
  }
}

/// The cells of one row on their way into the file, by column.
struct MappedCells {
  private(set) var values: [String: SQLValue] = [:]
  private var writers: [String: String] = [:]
  private let table: Table
  private let store: SQLiteStore
  private let row: RowIdentity

  init(_ table: Table, _ store: SQLiteStore, _ row: RowIdentity) {
    self.table = table
    self.store = store
    self.row = row
  }

  /// Fills the columns of the key with what the reference says.
  mutating func setKey(_ reference: Int64) throws(StoreError) {
    guard let parts = self.table.key.values(of: reference) else {
      throw StoreError(
        .unstorableValue, store: self.store.url, rows: [self.row],
        "the new row has no key; set the attributes of its key (\(self.table.key.title)) before the save")
    }
    for (column, part) in zip(self.table.key.columns, parts) {
      self.values[column] = part
      self.writers[column] = "the key"
    }
  }

  /// Several properties may lie in one column, as a foreign key does that is an attribute as well. One that is nil says
  /// nothing; two that say different things are an error.
  mutating func set(_ column: String, to value: SQLValue, by property: String) throws(StoreError) {
    guard let writer = self.writers[column], let known = self.values[column], known != .null else {
      self.values[column] = value
      self.writers[column] = property
      return
    }
    if value == .null || value == known { return }
    throw StoreError(
      .unstorableValue, store: self.store.url,
      place: .cell(table: self.table.name, row: nil, column: column), rows: [self.row],
      "\(writer) and \(property) lie in one column, and would write \(known.shown) and \(value.shown); set one of them, or "
        + "both to the same")
  }

  /// A row cannot get another key: its identifier would be another's.
  func checkKey(_ reference: Int64) throws(StoreError) {
    let parts = self.table.key.values(of: reference) ?? []
    for (column, part) in zip(self.table.key.columns, parts) {
      guard let value = self.values[column], value != part else { continue }
      throw StoreError(
        .unstorableValue, store: self.store.url,
        place: .cell(table: self.table.name, row: nil, column: column), rows: [self.row],
        "the column is the key of the row, and a key cannot change; delete the object and insert another one")
    }
  }
}

extension KeyPlace {
  /// What the columns hold for a reference; nil for a number that no key has been given.
  func values(of reference: Int64) -> [SQLValue]? {
    guard let shape = self.shape else { return [.int(reference)] }
    return shape.parts(of: reference)
  }
}

extension MappedCell {
  /// Whether one value can be written in several ways as text.
  var hasStyles: Bool {
    switch (self.type, self.format) {
    case (.date, .standard), (.date, .iso8601), (.uuid, .standard), (.uuid, .uuidText): true
    default: false
    }
  }
}

extension Snapshot {
  /// The value of a slot, of a store that needs no identifiers of objects.
  func value(_ slot: Int, _ type: AttributeType) -> Value {
    guard let kind = type.slotKind else { return .null }
    return self.value(slot, kind, store: .none)
  }
}
