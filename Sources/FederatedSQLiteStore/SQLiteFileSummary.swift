package import FederatedStore
package import Foundation

/// What a SQLite file holds, told without a model: for tools that look into files.
package struct SQLiteFileSummary: Sendable {
  /// The store's identifier; nil when the file is no store of the tradition's layout.
  package private(set) var uuid: UUID?
  /// Entities with the rows of exactly each entity, by number; or tables by name.
  package private(set) var contents: [(name: String, rows: Int?)] = []
  /// The tables and views of a file of another layout, with what each is made of.
  package private(set) var tables: [(table: ForeignTable, rows: Int?)] = []

  /// Reads the file and leaves nothing beside it.
  package init(of url: URL) throws(StoreError) {
    guard try DatabaseFile.check(url) else { return }
    let connection = try DatabaseFile(url, readOnly: true).reader()
    let existing = try ExistingSchema(connection)
    if existing.isCoreData {
      self.uuid = try MetadataTable.read(connection).uuid
      self.contents = try Self.entities(existing, connection)
    } else {
      self.contents = try Self.tables(connection)
      for table in try ForeignSchema(connection).tables {
        if let known = self.contents.first(where: { $0.name == table.name }) {
          self.tables.append((table, known.rows))
        } else {
          self.tables.append((table, try Self.count(table.name, connection)))
        }
      }
    }
  }

  /// Entities lie in the table of their topmost ancestor, told apart by number.
  private static func entities(
    _ existing: ExistingSchema, _ connection: Connection
  ) throws(StoreError) -> [(name: String, rows: Int?)] {
    let entities = existing.entities.filter { $0.id < CoreDataNames.firstHistoryEntity }
    var rows: [Int64: Int] = [:]
    for root in entities where root.parent == 0 {
      let table = CoreDataNames.table(root.name)
      guard existing.hasTable(table) else { continue }
      for id in existing.descendants(of: root.id) { rows[id] = 0 }
      try connection.query(
        "SELECT \(CoreDataNames.entity.quotedName), COUNT(*) FROM \(table.quotedName) GROUP BY 1"
      ) { (row) throws(StoreError) in rows[row.int(0)] = Int(row.int(1)) }
    }
    return entities.map { ($0.name, rows[$0.id]) }
  }

  private static func tables(_ connection: Connection) throws(StoreError) -> [(name: String, rows: Int?)] {
    var tables: [(name: String, rows: Int?)] = []
    for table in try connection.texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ) {
      tables.append((table, try self.count(table, connection)))
    }
    return tables
  }

  /// - Returns: nil for a virtual table whose module is not in this library, and a view that leads to nothing.
  private static func count(_ table: String, _ connection: Connection) throws(StoreError) -> Int? {
    do {
      return try connection.number("SELECT COUNT(*) FROM \(table.quotedName)").map(Int.init)
    } catch  where error.code != .malformed {
      return nil
    }
  }
}
