internal import FederatedModel
internal import FederatedStore

/// What a file of the original framework's layout holds: tables, columns, entity numbers, triggers.
struct ExistingSchema {
  private var columnsByTable: [String: Set<String>] = [:]
  private var triggers: [String] = []
  private(set) var entities: [(id: Int64, name: String, parent: Int64)] = []

  init(_ connection: Connection) throws(StoreError) {
    for table in try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'") {
      let columns = try connection.texts("SELECT name FROM pragma_table_info(?)", [.text(table)])
      self.columnsByTable[table.uppercased()] = Set(columns.map { $0.uppercased() })
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
    self.columnsByTable[table.uppercased()]?.contains(column.uppercased()) ?? false
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
