internal import FederatedStore

/// Connections that wait for their next user, the last one used first: its page cache is the warmest.
final class ConnectionPool: Sendable {
  private let make: @Sendable () throws(StoreError) -> Connection
  private let state = Lock(State())
  /// Connections kept when nobody uses them.
  private let limit: Int

  private struct State {
    var idle: [Connection] = []
    var isClosed = false
  }

  init(keeping limit: Int, _ make: @escaping @Sendable () throws(StoreError) -> Connection) {
    self.limit = limit
    self.make = make
  }

  func take() throws(StoreError) -> Connection {
    let found: Connection? = self.state.withLock { $0.idle.popLast() }
    if let found { return found }
    return try self.make()
  }

  func giveBack(_ connection: Connection) {
    connection.leaveTransaction()
    self.state.withLock { state in
      if !state.isClosed, state.idle.count < self.limit { state.idle.append(connection) }
    }
  }

  /// Closes what is idle; the pool goes on with new connections.
  func dropIdle() {
    let idle = self.state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    _ = consume idle
  }

  /// Closes what is idle; what is in use closes when it comes back.
  func close() {
    let idle = self.state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    _ = consume idle
  }
}
