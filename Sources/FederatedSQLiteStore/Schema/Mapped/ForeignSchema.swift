internal import FederatedStore

/// What a SQLite file that somebody else made declares: tables and views, their columns and keys.
struct ForeignSchema {
  private(set) var tables: [ForeignTable] = []

  init(_ connection: Connection) throws(StoreError) {
    var found: [ForeignTable] = []
    try connection.query(
      "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') "
        + "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ) { (row) throws(StoreError) in
      found.append(
        ForeignTable(
          name: row.string(0) ?? "", isView: row.string(1) == "view", isVirtual: row.string(1) == "virtual",
          hasRowID: row.int(2) == 0 && row.string(1) != "view", isStrict: row.int(3) == 1))
    }
    for index in found.indices { try found[index].readColumns(connection) }
    self.tables = found
  }

  /// The table of that name, as SQLite compares names.
  func table(_ name: String) -> ForeignTable? {
    self.tables.first { $0.name == name } ?? self.tables.first { $0.name.lowercased() == name.lowercased() }
  }
}

/// A table or view of a file that somebody else made.
package struct ForeignTable: Sendable {
  package let name: String
  package let isView: Bool
  let isVirtual: Bool
  /// Whether rows have a number of SQLite's own.
  let hasRowID: Bool
  let isStrict: Bool
  package private(set) var columns: [ForeignColumn] = []
  /// Sets of columns whose values the file keeps unique, the primary key first.
  private(set) var uniqueKeys: [[String]] = []
  package private(set) var foreignKeys: [ForeignKey] = []

  init(name: String, isView: Bool, isVirtual: Bool, hasRowID: Bool, isStrict: Bool) {
    self.name = name
    self.isView = isView
    self.isVirtual = isVirtual
    self.hasRowID = hasRowID
    self.isStrict = isStrict
  }

  /// The declared primary key, in its order; empty when there is none.
  package var primaryKey: [String] {
    self.columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name)
  }

  /// The column that is another name of the row's number; nil when there is none.
  var rowIDColumn: String? {
    guard self.hasRowID, self.primaryKey.count == 1,
      let column = self.columns.first(where: { $0.keyPlace == 1 }), column.declared.uppercased() == "INTEGER",
      !self.hasKeyIndex
    else { return nil }
    return column.name
  }

  /// A primary key that is the row's number needs no index.
  private var hasKeyIndex = false

  func column(_ name: String) -> ForeignColumn? {
    if let found = self.columns.first(where: { $0.name == name })
      ?? self.columns.first(where: { $0.name.lowercased() == name.lowercased() })
    {
      return found
    }
    guard self.hasRowID, name.lowercased() == "rowid" else { return nil }
    return ForeignColumn(
      name: "rowid", declared: "INTEGER", isRequired: true, hasDefault: true, keyPlace: 0, isGenerated: false)
  }

  /// Whether the file itself sees to it that no two rows have the same values there.
  func keepsUnique(_ columns: [String]) -> Bool {
    if columns == ["rowid"] { return self.hasRowID }
    let wanted = Set(columns.map { $0.lowercased() })
    return self.uniqueKeys.contains { Set($0.map { $0.lowercased() }).isSubset(of: wanted) }
  }

  fileprivate mutating func readColumns(_ connection: Connection) throws(StoreError) {
    var columns: [ForeignColumn] = []
    try connection.query(
      "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)", [.text(self.name)]
    ) { (row) throws(StoreError) in
      let hidden = row.int(5)
      // Hidden columns of virtual tables are arguments, not values.
      if hidden == 1 { return }
      columns.append(
        ForeignColumn(
          name: row.string(0) ?? "", declared: row.string(1) ?? "", isRequired: row.int(2) != 0,
          hasDefault: !row.isNull(3), keyPlace: Int(row.int(4)), isGenerated: hidden == 2 || hidden == 3))
    }
    self.columns = columns
    var keys = self.primaryKey.isEmpty ? [] : [self.primaryKey]
    var indexes: [(name: String, isKey: Bool)] = []
    try connection.query(
      "SELECT name, origin FROM pragma_index_list(?) WHERE \"unique\" = 1 AND partial = 0", [.text(self.name)]
    ) { (row) throws(StoreError) in
      indexes.append((row.string(0) ?? "", row.string(1) == "pk"))
    }
    for index in indexes {
      if index.isKey { self.hasKeyIndex = true }
      // An expression in an index has no name, and makes nothing unique that a mapping could name.
      let names = try connection.optionalTexts(
        "SELECT name FROM pragma_index_info(?) ORDER BY seqno", [.text(index.name)])
      if !names.contains(nil) { keys.append(names.compactMap(\.self)) }
    }
    self.uniqueKeys = keys
    try self.readForeignKeys(connection)
  }

  private mutating func readForeignKeys(_ connection: Connection) throws(StoreError) {
    var keys: [Int64: ForeignKey] = [:]
    try connection.query(
      "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id, seq",
      [.text(self.name)]
    ) { (row) throws(StoreError) in
      var key = keys[row.int(0)] ?? ForeignKey(table: row.string(1) ?? "", columns: [], destination: [])
      key.columns.append(row.string(2) ?? "")
      if let to = row.string(3) { key.destination.append(to) }
      keys[row.int(0)] = key
    }
    self.foreignKeys = keys.sorted { $0.key > $1.key }.map(\.value)
  }
}

/// One column, as it is declared.
package struct ForeignColumn: Sendable, Hashable {
  package let name: String
  /// The words of its type; empty where it has none.
  package let declared: String
  /// NOT NULL.
  package let isRequired: Bool
  let hasDefault: Bool
  /// From 1 in the primary key; 0 outside.
  package let keyPlace: Int
  /// Computed by SQLite from other columns.
  package let isGenerated: Bool

  var affinity: ColumnAffinity { ColumnAffinity(declared: self.declared) }
}

/// Columns that hold the key of another table's row.
package struct ForeignKey: Sendable, Hashable {
  package let table: String
  package fileprivate(set) var columns: [String]
  /// Empty when the other table's primary key is meant.
  package fileprivate(set) var destination: [String]
}

extension Connection {
  /// The first column of each row as text, or nil.
  fileprivate func optionalTexts(_ sql: String, _ bindings: [SQLValue]) throws(StoreError) -> [String?] {
    var answer: [String?] = []
    try self.query(sql, bindings) { (row) throws(StoreError) in answer.append(row.string(0)) }
    return answer
  }
}
