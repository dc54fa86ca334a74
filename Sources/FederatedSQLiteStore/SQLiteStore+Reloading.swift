internal import FederatedStore
internal import Foundation

extension SQLiteStore {
  /// Open connections may be on a file that is no longer there; what waits is closed, and the next ones open the file
  /// anew.
  func reload() throws(StoreError) {
    try self.requireOpen()
    self.dropIdleConnections()
    let connection = try self.takeReader()
    defer { self.giveBack(reader: connection) }
    let metadata = try self.bookkeeping.readMetadata(connection)
    let own = self.state.withLock { $0.metadata.uuid }
    guard metadata.uuid == own else {
      throw StoreError(
        .changedUnderneath, store: self.url,
        "another store (\(metadata.uuid.uuidString)) has taken the place of this one (\(own.uuidString)); close the "
          + "store and open the file anew")
    }
    self.state.withLock { state in
      state.metadata = metadata
      state.reserved = [:]
    }
  }
}
