import FederatedModel
import FederatedStore

extension CoordinatedRead {
  func fetch(_ request: BoundRequest) throws -> FetchedRows {
    try self.noting(request, .rows, rows: \.count) { try self.fetched(request) }
  }

  private func fetched(_ request: BoundRequest) throws -> FetchedRows {
    let stores = try self.stores(for: request)
    if stores.count == 1 {
      return FetchedRows([.init(store: stores[0], rows: try self.rows(request.query(.rows), from: stores[0]))]
      )
    }
    if request.order.isEmpty { return try self.concatenation(of: request, from: stores) }
    let parts = try stores.map {
      FetchedRows.Part(store: $0, rows: try self.rows(request.queryForMerge(.rows), from: $0))
    }
    return try self.merge(parts, by: request)
  }

  func identities(_ request: BoundRequest) throws -> [ManagedObjectID] {
    try self.noting(request, .identifiers, rows: \.count) { try self.identified(request) }
  }

  private func identified(_ request: BoundRequest) throws -> [ManagedObjectID] {
    let stores = try self.stores(for: request)
    if stores.count > 1 && !request.order.isEmpty { return try self.fetch(request).map(\.objectID) }
    var found: [ManagedObjectID] = []
    var window = Window(of: request)
    for store in stores where !window.isFull {
      let query = stores.count == 1 ? request.query(.identities) : window.query(request, .identities)
      guard case .identities(let rows) = try self.answer(query, from: store) else { continue }
      for row in rows[stores.count == 1 ? 0..<rows.count : window.take(rows.count)] {
        found.append(ManagedObjectID(store: store, entity: row.entity, reference: row.reference))
      }
    }
    return found
  }

  func count(_ request: BoundRequest) throws -> Int {
    try self.noting(request, .count, rows: \.self) { try self.counted(request) }
  }

  private func counted(_ request: BoundRequest) throws -> Int {
    var unlimited = request
    unlimited.order = []
    unlimited.offset = 0
    unlimited.limit = nil
    var total = 0
    for store in try self.stores(for: request) {
      guard case .count(let count) = try self.answer(unlimited.query(.count), from: store) else { continue }
      total += count
    }
    let behindOffset = Swift.max(0, total - request.offset)
    return request.limit.map { Swift.min($0, behindOffset) } ?? behindOffset
  }

  func stream(_ request: BoundRequest, batch: Int, _ consume: (FetchedRows) throws -> Void) throws {
    let stores = try self.stores(for: request)
    if stores.count > 1 && !request.order.isEmpty {
      let rows = try self.fetch(request)
      if !rows.isEmpty { try consume(rows) }
      return
    }
    var window = Window(of: request)
    for store in stores where !window.isFull {
      let query = stores.count == 1 ? request.query(.rows) : window.query(request, .rows)
      try Self.rethrowingPredicates {
        try self.scope(of: store).stream(query, batch: batch) { rows in
          let range = stores.count == 1 ? 0..<rows.count : window.take(rows.count)
          if !range.isEmpty { try consume(FetchedRows([.init(store: store, rows: rows, range: range)])) }
        }
      }
    }
  }

  private func rows(_ query: StoreQuery, from store: StoreID) throws -> RowSet {
    guard case .rows(let rows) = try self.answer(query, from: store) else { return RowSet([]) }
    return rows
  }

  /// Without an order, the store attached first comes first, and a full window asks no further store.
  private func concatenation(of request: BoundRequest, from stores: [StoreID]) throws -> FetchedRows {
    var parts: [FetchedRows.Part] = []
    var window = Window(of: request)
    for store in stores where !window.isFull {
      let rows = try self.rows(window.query(request, .rows), from: store)
      parts.append(.init(store: store, rows: rows, range: window.take(rows.count)))
    }
    return FetchedRows(parts)
  }

  /// With an order, every store sorts its own rows and the first of all heads comes next.
  private func merge(_ parts: [FetchedRows.Part], by request: BoundRequest) throws -> FetchedRows {
    let sources = try parts.map { part in
      let source = try self.source(of: part.store)
      try source.prefetch(request.order, from: part.rows)
      return (part, source)
    }
    return try RowMerge(order: SubjectOrder(request.order), parts: sources)
      .rows(offset: request.offset, limit: request.limit)
  }

  /// The rows of a store, for paths that lead away from those it answered.
  func source(of store: StoreID) throws -> ScopeRows {
    let listener = try self.recorder.map { ($0, try self.attached.require(store)) }
    return ScopeRows(try self.scope(of: store), of: store, self.attached.model, listener)
  }
}

/// An offset and a limit that several answers, one after another, use up.
private struct Window {
  private var skipped: Int
  private var left: Int?

  init(of request: BoundRequest) {
    self.skipped = request.offset
    self.left = request.limit
  }

  var isFull: Bool { self.left == 0 }

  /// Asks for no more rows than the window has room for.
  func query(_ request: BoundRequest, _ shape: StoreQuery.Shape) -> StoreQuery {
    var query = request.query(shape)
    query.offset = 0
    query.limit = self.left?.addingWithoutOverflow(self.skipped)
    return query
  }

  /// Which of the next `count` rows lie in the window.
  mutating func take(_ count: Int) -> Range<Int> {
    let start = Swift.min(self.skipped, count)
    self.skipped -= start
    let end = self.left.map { start + Swift.min($0, count - start) } ?? count
    self.left? -= end - start
    return start..<end
  }
}
