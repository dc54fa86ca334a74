internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// A read scope over a streamed document: one state of the file, read anew for each question.
final class StreamedXMLScope: ReadScope {
  let store: StreamedXMLStore
  /// The file as it was when the scope began.
  let stamp: FileStamp
  private var hasEnded = false

  init(_ store: StreamedXMLStore, _ stamp: FileStamp) {
    self.store = store
    self.stamp = stamp
  }

  var changeToken: ChangeToken {
    get throws(StoreError) {
      try self.checkOpen()
      // The file as it is now: a scope that it has moved under throws at its next question.
      let stamp = FileStamp(self.store.file) ?? self.stamp
      return ChangeToken(
        stamp.device, stamp.inode, UInt64(bitPattern: stamp.size), UInt64(bitPattern: stamp.seconds),
        UInt64(bitPattern: stamp.nanoseconds))
    }
  }

  func run(_ query: StoreQuery) throws(StoreError) -> StoreAnswer { try self.answer(query).answer }

  func run(
    explaining query: StoreQuery
  ) throws(StoreError) -> (answer: StoreAnswer, explanation: StoreExplanation) {
    let (answer, rowsRead) = try self.answer(query)
    var explanation = try self.explain(query)
    var work = StoreWork()
    work.statements = 1
    work.rowsRead = rowsRead
    work.rowsReturned = answer.rowCount
    explanation.work = work
    return (answer, explanation)
  }

  func explain(_ query: StoreQuery) throws(StoreError) -> StoreExplanation {
    try self.checkOpen()
    let name = self.store.model[query.entity].name
    let file = self.store.file.lastPathComponent
    let question = StreamedXMLQuestion(query, self.store)
    var explanation = StoreExplanation(
      statement: question.wantsTable
        ? "records of \(question.tableEntities(self.store).map { self.store.model[$0].name }.joined(separator: ", ")) read from \(file) into memory"
        : "one pass over the records of \(name) in \(file)")
    explanation.inMemory = query.predicate?.topLevelTerms.map { "\($0)" } ?? []
    if let keys = query.keys { explanation.inMemory.append(keys.summary) }
    if let gathering = query.shape.gathering { explanation.inMemory.append(gathering) }
    if query.sorts { explanation.order = .memory }
    if query.hasWindow { explanation.window = .memory }
    return explanation
  }

  func stream(_ query: StoreQuery, batch: Int, _ consume: (RowSet) throws -> Void) throws {
    try self.checkOpen()
    var query = query
    query.shape = .rows
    let question = StreamedXMLQuestion(query, self.store)
    if question.wantsTable || question.namesSubentities || !query.order.isEmpty {
      guard case .rows(let rows) = try self.run(query) else { return }
      for start in stride(from: 0, to: rows.count, by: max(1, batch)) {
        try consume(rows.choosing(start..<min(start + max(1, batch), rows.count)))
      }
      return
    }
    try withoutActuallyEscaping(consume) { consume in
      var count = 0
      let (rows, read) = try self.scan(question) { kept in
        if kept.count < max(1, batch) { return }
        let rows = kept.take()
        count += rows.count
        try consume(rows)
      }
      if !rows.isEmpty { try consume(rows) }
      self.store.count(rows: count + rows.count, rowsRead: read)
    }
  }

  func end() { self.hasEnded = true }

  func checkOpen() throws(StoreError) {
    try self.store.checkOpen()
    guard !self.hasEnded else {
      throw StoreError(
        .closed, store: self.store.file, "the read scope has ended; begin another")
    }
  }
}
