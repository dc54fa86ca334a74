internal import FederatedModel
internal import FederatedStore

/// What a file keeps besides rows: metadata, and the highest key of each table.
struct CoreDataBookkeeping: Sendable {
  /// The file's number of each table's root entity, by index in ``TableLayout/tables``.
  let rootNumbers: [Int64]
  let tables: [Table]

  init(model: ManagedObjectModel, ids: [EntityID: Int64], layout: TableLayout) {
    self.tables = layout.tables
    self.rootNumbers = layout.tables.indices.map { index in
      let root = layout.entities.compactMap(\.self).first { $0.table == index }.map { model[$0.entity].root }
      return root.flatMap { ids[$0] } ?? 0
    }
  }

  func readMetadata(_ connection: Connection) throws(StoreError) -> StoreMetadata {
    try MetadataTable.read(connection)
  }

  func write(_ metadata: StoreMetadata, _ connection: Connection) throws(StoreError) {
    try MetadataTable.write(metadata, connection)
  }

  func highestReference(inTable index: Int, _ connection: Connection) throws(StoreError) -> Int64 {
    try PrimaryKeyTable.highest(root: self.rootNumbers[index], table: self.tables[index], connection)
  }

  func raiseHighestReference(inTable index: Int, to reference: Int64, _ connection: Connection)
    throws(StoreError)
  {
    try PrimaryKeyTable.raise(root: self.rootNumbers[index], to: reference, connection)
  }
}
