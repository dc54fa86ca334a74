internal import FederatedModel
internal import FederatedStore

/// The table of entity numbers, and of the highest key that each table has handed out.
///
/// The highest key stands on the row of the root entity; rows of subentities stay at 0.
enum PrimaryKeyTable {
  private static let table = CoreDataNames.primaryKeyTable.quotedName

  static func fill(_ ids: [EntityID: Int64], model: ManagedObjectModel, _ connection: Connection)
    throws(StoreError)
  {
    for (entity, id) in ids.sorted(by: { $0.value < $1.value }) {
      let parent = model[entity].parent.flatMap { ids[$0] } ?? 0
      try connection.run(
        "INSERT INTO \(self.table) (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
        [.int(id), .text(model[entity].name), .int(parent)])
    }
  }

  /// The highest key handed out or in use: a file that other hands wrote may have a higher row than it says.
  static func highest(root id: Int64, table: Table, _ connection: Connection) throws(StoreError) -> Int64 {
    let said = try connection.number("SELECT Z_MAX FROM \(self.table) WHERE Z_ENT = ?", [.int(id)]) ?? 0
    let used =
      try connection.number("SELECT MAX(\(table.key.columns[0].quotedName)) FROM \(table.name.quotedName)")
      ?? 0
    return max(said, used)
  }

  static func raise(root id: Int64, to highest: Int64, _ connection: Connection) throws(StoreError) {
    try connection.run(
      "UPDATE \(self.table) SET Z_MAX = ? WHERE Z_ENT = ? AND IFNULL(Z_MAX, 0) < ?",
      [.int(highest), .int(id), .int(highest)])
  }
}
