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
    /// What the file declares of it.
    package let declared: ForeignTable
    package fileprivate(set) var rows = 0
    /// What stands in each of its columns.
    package fileprivate(set) var values: [ValueProfile]
  }

  /// Reads every table once, and leaves nothing beside the file.
  package init(of url: URL) throws(StoreError) {
    guard try DatabaseFile.check(url) else { return }
    let connection = try DatabaseFile(url, readOnly: true).reader()
    for declared in try ForeignSchema(connection).tables {
      if declared.isView {
        self.leftOut.append((declared.name, "is a view, whose key has to be named"))
        continue
      }
      do { self.tables.append(try Table(declared, connection)) } catch
        where error.code != .malformed && error.code != .inputOutput
      {
        self.leftOut.append((declared.name, "cannot be read here: \(error.detail)"))
      }
    }
  }
}

extension SQLiteFileOutline.Table {
  fileprivate init(_ declared: ForeignTable, _ connection: Connection) throws(StoreError) {
    self.declared = declared
    self.values = Array(repeating: ValueProfile(), count: declared.columns.count)
    let columns = declared.columns.map { $0.name.quotedName }.joined(separator: ", ")
    try connection.query("SELECT \(columns) FROM \(declared.name.quotedName)") { (row) throws(StoreError) in
      self.rows += 1
      for place in self.values.indices { self.values[place].add(row.value(Int32(place)).value) }
    }
  }
}
