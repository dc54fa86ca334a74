internal import CSQLite
internal import FederatedStore
internal import Foundation

/// What is done with a database while no store has it open.
extension SQLiteStore {
  static func write(_ metadata: StoreMetadata, at url: URL) throws(StoreError) {
    let connection = try self.existing(url)
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      var metadata = metadata
      metadata.type = try SQLiteStore.metadata(connection).type
      try MetadataTable.write(metadata, connection)
      try connection.execute("COMMIT")
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Copies page by page in one transaction, so that whoever has either database open sees all or nothing of it.
  static func replace(_ url: URL, by source: URL) throws(StoreError) {
    let from = try self.existing(source)
    _ = try SQLiteStore.metadata(from)
    let isThere = try DatabaseFile.check(url)
    let file = try DatabaseFile(url, readOnly: false)
    let target = try file.writer(creating: true)
    // What is no store of this type is nobody's to overwrite.
    if isThere { _ = try SQLiteStore.metadata(target) }
    try ExternalData(source).copyFolder(to: ExternalData(url))
    try target.copy(from: from)
  }

  private static func existing(_ url: URL) throws(StoreError) -> Connection {
    guard try DatabaseFile.check(url) else {
      throw StoreError(.missingFile, store: url, "there is no store at this place, or the file is empty")
    }
    return try DatabaseFile(url, readOnly: false).writer()
  }
}

extension SQLiteStore {
  /// The same store over another file, which must be there: the store's own, moved or copied.
  func relocated(to url: URL) throws(StoreError) -> any PersistentStore {
    try self.requireOpen()
    if self.columns != nil {
      // Its identifier is made of the place, and numbers stand for its keys in this instance alone.
      throw StoreError(
        .unsupported, store: self.url,
        "a store with a mapping stays where it is; remove it and attach the other file with the mapping")
    }
    let state = self.state.withLock { $0 }
    guard try DatabaseFile.check(url) else {
      throw StoreError(
        .missingFile, store: url,
        "there is no store at this place; move or copy the file there first, or replace a store by this one")
    }
    var description = self.description
    description.url = url
    let store = try SQLiteStore(description, self.model, id: self.id)
    guard store.metadata.uuid == state.metadata.uuid else {
      store.close()
      throw StoreError(
        .alreadyExists, store: url,
        "another store (\(store.metadata.uuid.uuidString)) stands there; choose another place, or attach that one"
      )
    }
    store.state.withLock { $0.staged = state.staged }
    return store
  }
}

extension Connection {
  /// Makes this database what another one is, in one transaction.
  func copy(from source: Connection) throws(StoreError) {
    guard let backup = unsafe sqlite3_backup_init(self.handle, "main", source.handle, "main") else {
      throw self.error(unsafe sqlite3_errcode(self.handle), sql: nil)
    }
    let code = unsafe sqlite3_backup_step(backup, -1)
    let end = unsafe sqlite3_backup_finish(backup)
    if code != SQLITE_DONE { throw self.error(code, sql: nil) }
    if end != SQLITE_OK { throw self.error(end, sql: nil) }
  }
}

extension ExternalData {
  /// Copies the files that a store has beside it. One of the same name has the same content: the names are unique.
  fileprivate func copyFolder(to other: ExternalData) throws(StoreError) {
    let files = FileManager.default
    guard files.fileExists(atPath: self.folder.path(percentEncoded: false)) else { return }
    do {
      try files.createDirectory(at: other.folder, withIntermediateDirectories: true)
      for name in try files.contentsOfDirectory(atPath: self.folder.path(percentEncoded: false)) {
        let copy = other.folder.appending(path: name)
        if files.fileExists(atPath: copy.path(percentEncoded: false)) { continue }
        try files.copyItem(at: self.folder.appending(path: name), to: copy)
      }
    } catch {
      throw StoreError(
        .inputOutput, store: other.store, underlying: error,
        "the files of external data beside the store cannot be copied")
    }
  }
}
