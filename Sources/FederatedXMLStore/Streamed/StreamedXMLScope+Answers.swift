internal import FederatedModel
internal import FederatedStore

extension StreamedXMLScope {
  func answer(_ query: StoreQuery) throws(StoreError) -> (answer: StoreAnswer, rowsRead: Int) {
    try self.checkOpen()
    let question = StreamedXMLQuestion(query, self.store)
    do {
      let found: (answer: StoreAnswer, rowsRead: Int)
      if question.wantsTable {
        found = try self.answerFromTable(question)
      } else {
        switch query.shape {
        case .count: found = try self.number(question)
        case .groups(let grouping): found = try self.groups(question, grouping)
        case .values(let columns) where query.order.isEmpty: found = try self.lines(question, columns)
        case .rows, .identities, .values:
          let (rows, read) = try self.arranged(question)
          found = (try self.finished(rows, question), read)
        }
      }
      self.store.count(rows: found.answer.rowCount, rowsRead: found.rowsRead)
      return found
    } catch let error as StoreError { throw error.located(in: self.store.file) } catch {
      throw StoreError.evaluating(error).located(in: self.store.file)
    }
  }

  /// The chosen rows of a pass, with no more of them held than the answer needs.
  private func arranged(_ question: StreamedXMLQuestion) throws -> (rows: RowSet, rowsRead: Int) {
    guard question.query.sorts, question.query.windowIsOfRows, let reach = question.query.reach else {
      return try self.scan(question) { _ in }
    }
    var best = question.arranging
    (best.shape, best.offset, best.limit) = (.rows, 0, reach)
    let most = reach.addingWithoutOverflow(Swift.max(reach, 1024))
    return try self.scan(question) { rows in
      if rows.count < most { return }
      let chosen = try InMemoryQuery(best, source: self.unlinked).run(over: rows.take())
      guard case .rows(let kept) = chosen else { return }
      for row in kept { rows.keepAgain(row, self.recordNumber(of: row)) }
    }
  }

  private func finished(_ rows: RowSet, _ question: StreamedXMLQuestion) throws -> StoreAnswer {
    try self.checkKeys(of: rows)
    var rows = rows
    if question.namesSubentities { rows = try self.resolvingDestinations(of: rows) }
    var rest = question.arranging
    if !rest.sorts {
      // The pass has cut the window.
      (rest.offset, rest.limit) = (0, nil)
    }
    return try InMemoryQuery(rest, source: self.unlinked).run(over: rows)
  }

  /// Reads the document and keeps what is chosen, in the order of the file.
  /// - Parameter kept: is called after each batch; what it takes out of the collector is gone from the answer.
  func scan(
    _ question: StreamedXMLQuestion, _ kept: @escaping (inout XMLRowCollector) throws -> Void
  ) throws -> (rows: RowSet, rowsRead: Int) {
    let pass = XMLPass(self.store, self.stamp, question.projection(keeps: true))
    let judge = InMemoryQuery(question.choosing, source: self.unlinked)
    let choosesAll = question.choosesAll
    let enough = question.enough
    var skipped = question.query.windowIsOfRows && !question.query.sorts ? question.query.offset : 0
    var chosen = 0
    var collector = pass.collector
    if enough == 0 { return (RowSet([]), 0) }
    let read = try pass.run { batch in
      let rows = batch.rows
      for position in 0..<rows.count {
        let row = rows[position]
        if !choosesAll, try !judge.matches(row) { continue }
        chosen += 1
        if skipped > 0 {
          skipped -= 1
        } else {
          let place = batch.places[position]
          try collector.keep(row, place.record, line: Int(place.line), pass.identities)
        }
        if chosen == enough { return false }
      }
      try kept(&collector)
      return true
    }
    return (collector.take(), read)
  }

  private func number(_ question: StreamedXMLQuestion) throws -> (answer: StoreAnswer, rowsRead: Int) {
    let enough = question.enough
    var count = 0
    if enough == 0 { return (.count(0), 0) }
    let read = try self.each(question) { rows in
      count += rows.count
      return enough.map { count < $0 } ?? true
    }
    if let enough { count = min(count, enough) }
    return (.count(max(0, count - question.query.offset)), read)
  }

  private func groups(
    _ question: StreamedXMLQuestion, _ grouping: BoundGrouping
  ) throws -> (answer: StoreAnswer, rowsRead: Int) {
    var table = GroupTable(grouping)
    let fold = InMemoryQuery(question.arranging, source: self.unlinked)
    let read = try self.each(question) { rows in
      if case .groups(let part) = try fold.run(over: rows) { try table.add(part) }
      return true
    }
    return (.groups(table), read)
  }

  private func lines(
    _ question: StreamedXMLQuestion, _ columns: ValueColumns
  ) throws -> (answer: StoreAnswer, rowsRead: Int) {
    var answer = ValueRows(width: columns.columns.count)
    var seen = DistinctLines()
    var skipped = question.query.offset
    let limit = question.query.limit ?? .max
    var each = StoreQuery(entity: question.query.entity, shape: .values(ValueColumns(columns.columns)))
    each.includesSubentities = question.query.includesSubentities
    let fold = InMemoryQuery(each, source: self.unlinked)
    if limit == 0 { return (.values(answer), 0) }
    let read = try self.each(question) { rows in
      guard case .values(let lines) = try fold.run(over: rows) else { return true }
      for number in 0..<lines.count where answer.count < limit {
        if columns.isDistinct, !seen.insert(lines[number]) { continue }
        if skipped > 0 { skipped -= 1 } else { answer.append(lines[number]) }
      }
      return answer.count < limit
    }
    return (.values(answer), read)
  }

  /// Hands over the chosen rows of each batch, and keeps none.
  private func each(
    _ question: StreamedXMLQuestion, _ consume: @escaping (RowSet) throws -> Bool
  ) throws -> Int {
    let pass = XMLPass(self.store, self.stamp, question.projection(keeps: false))
    let judge = InMemoryQuery(question.choosing, source: self.unlinked)
    let namesAnswer = question.namesAnswer
    return try pass.run { batch in
      let rows = batch.rows
      if question.choosesAll {
        if namesAnswer { for row in rows { pass.rememberNames(of: row) } }
        return try consume(rows)
      }
      var chosen: [Int] = []
      for position in 0..<rows.count {
        if try judge.matches(rows[position]) { chosen.append(position) }
      }
      if namesAnswer { for position in chosen { pass.rememberNames(of: rows[position]) } }
      return chosen.isEmpty ? true : try consume(rows.choosing(chosen))
    }
  }

  // MARK: Parts

  var unlinked: UnlinkedRows { UnlinkedRows(self.store) }

  func recordNumber(of row: Snapshot) -> Int { self.store.plan.recordByEntity[row.entity.index] ?? 0 }

  /// A key is unique in a document; where an answer shows that it is not, there would be two rows of one identity.
  private func checkKeys(of rows: RowSet) throws(StoreError) {
    var seen: [EntityID: Set<Int64>] = [:]
    for row in rows {
      let entity = self.store.model[row.entity]
      guard seen[entity.root, default: []].insert(row.reference).inserted else {
        let name = self.store.referenceText(row.reference)
        throw StoreError(
          .duplicateKey, store: self.store.file,
          "there are two records of \(entity.name) with the key \"\(name)\"; keys are unique: mend the file, or map the "
            + "entity with another key or none")
      }
    }
  }
}

/// Rows that are judged by themselves alone: nothing asks them for others.
final class UnlinkedRows: RowSource {
  let model: ManagedObjectModel
  let store: StoreID

  init(_ store: StreamedXMLStore) {
    self.model = store.model
    self.store = store.id
  }

  private var refusal: StoreError {
    StoreError(.unsupported, store: nil, "a row of a streamed document was asked for another one")
  }

  func row(_ identity: RowIdentity) throws(StoreError) -> Snapshot? { throw self.refusal }

  func related(
    _ relationship: BoundRelationship, of owner: RowIdentity
  ) throws(StoreError) -> [RowIdentity] { throw self.refusal }
}
