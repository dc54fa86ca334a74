internal import FederatedModel
internal import FederatedStore

/// A save that stands written in an open transaction of the writer's connection.
final class SQLitePreparedSave: PreparedSave {
  private let store: SQLiteStore
  /// Nil once the save has ended.
  private let connection: Lock<Connection?>
  private let metadata: StoreMetadata?
  let rewrittenRows: [RowIdentity]

  /// - Parameter metadata: what the save writes of it; nil when it leaves the metadata alone.
  init(
    _ store: SQLiteStore, _ connection: Connection, metadata: StoreMetadata?, rewrittenRows: [RowIdentity]
  ) {
    self.store = store
    self.connection = Lock(connection)
    self.metadata = metadata
    self.rewrittenRows = rewrittenRows
  }

  deinit { self.abandon() }

  func commit() throws(StoreError) {
    guard let connection = self.take() else {
      throw StoreError(.closed, store: self.store.url, "the save has ended already")
    }
    defer { self.store.giveBack(writer: connection) }
    do { try connection.run("COMMIT") } catch {
      connection.rollBack()
      throw error
    }
    if let metadata = self.metadata { self.store.adopt(metadata) }
  }

  func abandon() {
    guard let connection = self.take() else { return }
    connection.rollBack()
    self.store.giveBack(writer: connection)
  }

  private func take() -> Connection? {
    self.connection.withLock { connection in
      defer { connection = nil }
      return connection
    }
  }
}

/// A save without anything to write.
struct EmptyPreparedSave: PreparedSave {
  func commit() {}
  func abandon() {}
}
