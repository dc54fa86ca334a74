package import FederatedStore
package import Foundation

/// The copy of its model that a store of the tradition's layout keeps, packed as it lies in the file.
package struct SQLiteModelCache: Sendable {
  /// The bytes of the copy; nil when the file has none, as files from before about 2012 and those made here.
  package let content: Data?
  /// The entities that the store was saved with.
  package let entities: [String]

  /// Reads the file and leaves nothing beside it.
  /// - Throws: `typeMismatch` for a database of another layout.
  package init(of url: URL) throws(StoreError) {
    guard try DatabaseFile.check(url) else {
      throw StoreError(.missingFile, store: url, "there is no store at this place; check the path")
    }
    let connection = try DatabaseFile(url, readOnly: true).reader()
    let metadata = try SQLiteStore.metadata(connection)
    let existing = try ExistingSchema(connection)
    let hashed = metadata.versionHashes.keys.sorted()
    self.entities =
      hashed.isEmpty
      ? existing.entities.filter { $0.id < CoreDataNames.firstHistoryEntity }.map(\.name) : hashed
    self.content = existing.hasTable(CoreDataNames.modelCacheTable) ? try Self.content(connection) : nil
  }

  private static func content(_ connection: Connection) throws(StoreError) -> Data? {
    var content: Data?
    try connection.query(
      "SELECT Z_CONTENT FROM \(CoreDataNames.modelCacheTable.quotedName) WHERE Z_CONTENT IS NOT NULL LIMIT 1"
    ) { (row) throws(StoreError) in content = row.data(0) }
    return content?.isEmpty == true ? nil : content
  }
}
