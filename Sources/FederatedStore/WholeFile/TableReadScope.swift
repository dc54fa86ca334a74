internal import FederatedModel

/// A read scope that holds one version of the rows.
final class TableReadScope: ReadScope {
  private let table: RowTable
  private let version: UInt64
  private let store: WholeFileStore
  private var hasEnded = false

  init(of table: RowTable, version: UInt64, in store: WholeFileStore) {
    self.table = table
    self.version = version
    self.store = store
  }

  var changeToken: ChangeToken {
    get throws(StoreError) {
      try self.checkOpen()
      guard self.store.format != nil, let stamp = self.store.description.url.flatMap(FileStamp.init) else {
        return ChangeToken(self.version)
      }
      return ChangeToken(
        self.version, stamp.device, stamp.inode, UInt64(bitPattern: stamp.size),
        UInt64(bitPattern: stamp.seconds), UInt64(bitPattern: stamp.nanoseconds))
    }
  }

  func run(_ query: StoreQuery) throws(StoreError) -> StoreAnswer {
    try self.checkOpen()
    return try self.answer(TableAccess(query, in: self.table)).answer
  }

  private func answer(_ access: TableAccess) throws(StoreError) -> (answer: StoreAnswer, rowsRead: Int) {
    var rowsRead = 0
    let answer: StoreAnswer
    do throws(StoreError) {
      answer = try InMemoryQuery(access.rest, source: self.table)
        .run(over: access.candidates, counting: &rowsRead)
    } catch {
      throw error.located(in: self.store.description.url)
    }
    self.store.count(reads: 1, statements: 1, rows: answer.rowCount, rowsRead: rowsRead)
    return (answer, rowsRead)
  }

  /// The rows are in memory already; they are handed over in slices of the answer.
  func stream(_ query: StoreQuery, batch: Int, _ consume: (RowSet) throws -> Void) throws {
    var query = query
    query.shape = .rows
    guard case .rows(let rows) = try self.run(query) else { return }
    var start = 0
    while start < rows.count {
      let end = min(start + max(1, batch), rows.count)
      try consume(rows.choosing(start..<end))
      start = end
    }
  }

  func related(_ relationship: RelationshipID, of owners: [Int64]) throws(StoreError) -> RelatedRows {
    try self.checkOpen()
    let relationship = self.table.model.relationship(relationship)
    var related = RelatedRows()
    for owner in owners { related.append(self.table.related(relationship, of: owner)) }
    let count = related.destinations.count
    self.store.count(reads: 1, statements: 1, rows: count, rowsRead: count)
    return related
  }

  func explain(_ query: StoreQuery) throws(StoreError) -> StoreExplanation {
    try self.checkOpen()
    return TableAccess(query, in: self.table).explanation(in: self.table.model)
  }

  func run(
    explaining query: StoreQuery
  ) throws(StoreError) -> (answer: StoreAnswer, explanation: StoreExplanation) {
    try self.checkOpen()
    let access = TableAccess(query, in: self.table)
    let (answer, rowsRead) = try self.answer(access)
    var explanation = access.explanation(in: self.table.model)
    var work = StoreWork()
    work.statements = 1
    work.rowsRead = rowsRead
    work.rowsReturned = answer.rowCount
    explanation.work = work
    return (answer, explanation)
  }

  func end() { self.hasEnded = true }

  private func checkOpen() throws(StoreError) {
    guard !self.hasEnded, !self.store.isClosed else {
      throw StoreError(
        .closed, store: self.store.description.url,
        self.hasEnded ? "the read scope has ended; begin another" : "the store is closed; open it again")
    }
  }
}
