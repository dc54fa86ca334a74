internal import FederatedModel
internal import FederatedStore

/// What a file of the original framework's layout holds: tables, columns, entity numbers, triggers.
struct ExistingSchema {
  /// The words that each column is declared with, by table and column in capitals.
  private var columnsByTable: [String: [String: String]] = [:]
  private var triggers: [String] = []
  private(set) var entities: [(id: Int64, name: String, parent: Int64)] = []

  init(_ connection: Connection) throws(StoreError) {
    for table in try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'") {
      var columns: [String: String] = [:]
      try connection.query("SELECT name, type FROM pragma_table_info(?)", [.text(table)]) {
        (row) throws(StoreError) in
        columns[(row.string(0) ?? "").uppercased()] = row.string(1) ?? ""
      }
      self.columnsByTable[table.uppercased()] = columns
    }
    self.triggers = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    guard self.hasTable(CoreDataNames.primaryKeyTable) else { return }
    var entities: [(id: Int64, name: String, parent: Int64)] = []
    try connection.query(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM \(CoreDataNames.primaryKeyTable.quotedName) ORDER BY Z_ENT"
    ) { (row) throws(StoreError) in
      entities.append((row.int(0), row.string(1) ?? "", row.int(2)))
    }
    self.entities = entities
  }

  var isEmpty: Bool { self.columnsByTable.isEmpty }
  var isCoreData: Bool {
    self.hasTable(CoreDataNames.metadataTable) && self.hasTable(CoreDataNames.primaryKeyTable)
  }
  var tableNames: [String] { self.columnsByTable.keys.sorted() }
  var entityNames: String {
    self.entities.filter { $0.id < CoreDataNames.firstHistoryEntity }.map(\.name).joined(separator: ", ")
  }

  func hasTable(_ name: String) -> Bool { self.columnsByTable[name.uppercased()] != nil }
  func hasColumn(_ column: String, of table: String) -> Bool {
    self.declaredType(of: column, in: table) != nil
  }
  /// The words that a column is declared with; nil for one that is not there.
  func declaredType(of column: String, in table: String) -> String? {
    self.columnsByTable[table.uppercased()]?[column.uppercased()]
  }

  /// The file's number of an entity. A migrated file may still have the name of the version before.
  func id(of entity: Entity) -> Int64? {
    if let found = self.entities.first(where: { $0.name == entity.name }) { return found.id }
    guard let old = entity.description.renamingIdentifier else { return nil }
    return self.entities.first { $0.name == old }?.id
  }

  /// The number itself and those of all that inherit from it.
  func descendants(of id: Int64) -> [Int64] {
    var found = [id]
    var next = 0
    while next < found.count {
      // A damaged table could name an entity as its own ancestor.
      found += self.entities.filter { $0.parent == found[next] && !found.contains($0.id) }.map(\.id)
      next += 1
    }
    return found
  }

  func hasDerivationTrigger(entity: String, attribute: String) -> Bool {
    self.triggers.contains { $0.hasPrefix("Z_DA_") && $0.contains("_\(entity)_\(attribute)_") }
  }
}
