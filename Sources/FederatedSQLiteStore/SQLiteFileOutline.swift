internal import FederatedModel
package import FederatedStore
package import Foundation

/// The tables of a database and what values stand in them: for tools that propose a mapping.
package struct SQLiteFileOutline: Sendable {
  /// By name.
  package private(set) var tables: [Table] = []
  /// Tables and views that are left out, with the reason.
  package private(set) var leftOut: [(name: String, reason: String)] = []

  package struct Table: Sendable {
    package let name: String
    package fileprivate(set) var rows = 0
    package fileprivate(set) var columns: [Column] = []
    package fileprivate(set) var foreignKeys: [ForeignKey] = []
    /// The columns of the primary key, in its order; empty where none is declared.
    package fileprivate(set) var primaryKey: [String] = []
  }

  package struct Column: Sendable {
    package let name: String
    package let declaredType: String
    package let isRequired: Bool
    package fileprivate(set) var values = ValueProfile()
  }

  /// Columns that name a row of another table.
  package struct ForeignKey: Sendable {
    package let table: String
    package fileprivate(set) var columns: [String] = []
    /// The columns of the other table; empty for its primary key.
    package fileprivate(set) var destinations: [String] = []
  }

  /// Reads every table once, and leaves nothing beside the file.
  package init(of url: URL) throws(StoreError) {
    guard try DatabaseFile.check(url) else { return }
    let connection = try DatabaseFile(url, readOnly: true).reader()
    var found: [(name: String, isTable: Bool)] = []
    try connection.query(
      "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
        + "ESCAPE '\\' ORDER BY name"
    ) { (row) throws(StoreError) in found.append((row.string(0) ?? "", row.string(1) == "table")) }
    for (name, isTable) in found {
      guard isTable else {
        self.leftOut.append((name, "is a view, whose key has to be named"))
        continue
      }
      do { self.tables.append(try Self.table(name, connection)) } catch
        where error.code != .malformed && error.code != .inputOutput
      {
        self.leftOut.append((name, "cannot be read here: \(error.detail)"))
      }
    }
  }

  private static func table(_ name: String, _ connection: Connection) throws(StoreError) -> Table {
    var table = Table(name: name)
    var key: [(place: Int64, name: String)] = []
    try connection.query(
      "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?)", [.text(name)]
    ) {
      (row) throws(StoreError) in
      // Hidden columns of virtual tables are arguments.
      guard row.int(4) != 1, let column = row.string(0) else { return }
      table.columns.append(
        Column(name: column, declaredType: row.string(1) ?? "", isRequired: row.int(2) != 0))
      if row.int(3) > 0 { key.append((row.int(3), column)) }
    }
    table.primaryKey = key.sorted { $0.place < $1.place }.map(\.name)
    var last: Int64?
    try connection.query(
      "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id, seq", [.text(name)]
    ) { (row) throws(StoreError) in
      if row.int(0) != last { table.foreignKeys.append(ForeignKey(table: row.string(1) ?? "")) }
      last = row.int(0)
      let place = table.foreignKeys.count - 1
      table.foreignKeys[place].columns.append(row.string(2) ?? "")
      if let destination = row.string(3) { table.foreignKeys[place].destinations.append(destination) }
    }
    let columns = table.columns.map { $0.name.quotedName }.joined(separator: ", ")
    try connection.query("SELECT \(columns) FROM \(name.quotedName)") { (row) throws(StoreError) in
      table.rows += 1
      for place in table.columns.indices { table.columns[place].values.add(row.value(Int32(place)).value) }
    }
    return table
  }
}
