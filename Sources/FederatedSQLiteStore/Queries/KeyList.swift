internal import FederatedStore

/// Values that a statement matches rows against, too many to bind: they become a temporary table.
struct KeyList: Sendable {
  /// Values of a row of the table.
  let width: Int
  /// Row after row, `width` values each.
  let values: [SQLValue]

  var count: Int { self.values.count / self.width }

  /// Stands in statement text where the table's name goes.
  static func placeholder(_ index: Int) -> String { "temp.\"fd_keys_\(index)\"" }

  /// Makes the table on a connection that may have one of that name and another width.
  func fill(_ index: Int, on connection: Connection) throws(StoreError) {
    let name = "fd_keys_\(index)"
    let columns = (0..<self.width).map { "v\($0)" }
    if try connection.texts("SELECT name FROM pragma_table_info(?, 'temp')", [.text(name)]) != columns {
      try connection.execute("DROP TABLE IF EXISTS temp.\(name.quotedName)")
      try connection.execute("CREATE TEMP TABLE \(name.quotedName) (\(columns.joined(separator: ", ")))")
    } else {
      try connection.run("DELETE FROM temp.\(name.quotedName)")
    }
    let insert = try connection.statement(
      "INSERT INTO temp.\(name.quotedName) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))")
    defer { insert.reset() }
    var next = 0
    while next < self.values.count {
      for column in 0..<self.width { try insert.bind(self.values[next + column], at: column + 1) }
      try insert.run()
      next += self.width
    }
  }
}
