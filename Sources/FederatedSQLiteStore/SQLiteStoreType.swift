public import FederatedStore
internal import Foundation

extension StoreType {
  /// Rows in a SQLite file, in the layout of the tradition's own stores.
  ///
  /// A missing or empty file becomes a new store, unless it is opened read-only. A read-only store leaves
  /// nothing beside its file. Throws `typeMismatch` for XML, `malformed` for a damaged file or other content,
  /// `incompatibleModel` when tables or columns of the model are missing.
  ///
  /// ```swift
  /// let ledger = PersistentStoreDescription(.sqlite, at: URL(filePath: "ledger.sqlite"), configuration: "Ledger")
  /// ```
  public static let sqlite = StoreType(
    StoreTypeName.sqlite,
    readMetadata: { url throws(StoreError) in
      guard try DatabaseFile.check(url) else {
        throw StoreError(.missingFile, store: url, "there is no store at this place, or the file is empty")
      }
      let connection = try DatabaseFile(url, readOnly: true).reader()
      return try SQLiteStore.metadata(connection)
    },
    destroy: { url throws(StoreError) in try DatabaseFile.destroy(url) },
    writeMetadata: { metadata, url throws(StoreError) in try SQLiteStore.write(metadata, at: url) },
    replace: { url, source throws(StoreError) in try SQLiteStore.replace(url, by: source) },
    open: { description, model throws(StoreError) in try SQLiteStore(description, model) })
}
