public import FederatedModel

/// Answers a query over candidate rows: filters, sorts, takes the window and the shape.
///
/// Candidates are rows of the query's entity, subentities as the query says. A store that answered part of
/// the query already clears that part first:
///
/// ```swift
/// var rest = query
/// rest.order = []             // the statement sorted
/// let answer = try InMemoryQuery(rest, source: scope).run(over: rows)
/// ```
public struct InMemoryQuery {
  public let query: StoreQuery
  let source: any RowSource
  private let references: Set<Int64>?
  private let keys: KeyFilter?
  /// The predicate made ready, or why it cannot be.
  private let predicate: Result<PreparedPredicate, FetchPredicateError>?

  public init(_ query: StoreQuery, source: any RowSource) {
    self.query = query
    self.source = source
    self.references = query.references.map { Set($0) }
    self.keys = query.keys.map { KeyFilter($0) }
    self.predicate = query.predicate.map { predicate in
      Result { () throws(FetchPredicateError) in try PreparedPredicate(predicate) }
    }
  }

  /// Runs the query.
  ///
  /// Rows that compare equal come in ascending reference; without an order, candidates keep theirs. Columns and groups
  /// are made of the rows that match.
  /// - Throws: `predicate` with the ``FetchPredicateError`` below it when a row cannot be judged.
  public func run(over candidates: RowSet) throws(StoreError) -> StoreAnswer {
    var rowsRead = 0
    return try self.run(over: candidates, counting: &rowsRead)
  }

  /// Runs the query, and adds the candidates that it had to look at.
  func run(over candidates: RowSet, counting rowsRead: inout Int) throws(StoreError) -> StoreAnswer {
    if self.passesEverything, self.query.order.isEmpty {
      let answer = try self.answer(candidates)
      rowsRead += self.query.windowIsOfRows ? answer.rowCount : candidates.count
      return answer
    }
    let chosen = try self.sorted(try self.chosen(of: candidates, counting: &rowsRead), of: candidates)
    return try self.answer(self.window(of: chosen), of: candidates)
  }

  /// Whether a row is among the query's references and keys and satisfies its predicate.
  public func matches(_ row: Snapshot) throws(StoreError) -> Bool {
    if let references = self.references, !references.contains(row.reference) { return false }
    if let keys = self.keys, !keys.matches(row, store: self.source.store) { return false }
    guard let predicate = self.predicate else { return true }
    do {
      return try predicate.get().evaluate(SnapshotSubject(row, in: self.source))
    } catch { throw StoreError.evaluating(error) }
  }

  private var passesEverything: Bool {
    self.references == nil && self.keys == nil && self.query.predicate == nil
  }

  /// The positions of the rows that match, as many as the window can need.
  private func chosen(
    of candidates: RowSet, counting rowsRead: inout Int
  ) throws(StoreError) -> [Int] {
    if self.passesEverything {
      rowsRead += candidates.count
      return Array(candidates.indices)
    }
    let needed = self.query.order.isEmpty && self.query.windowIsOfRows ? self.query.reach ?? .max : .max
    var chosen: [Int] = []
    for index in candidates.indices where chosen.count < needed {
      rowsRead += 1
      if try self.matches(candidates[index]) { chosen.append(index) }
    }
    return chosen
  }

  private func sorted(_ chosen: [Int], of candidates: RowSet) throws(StoreError) -> [Int] {
    if self.query.order.isEmpty || !self.rowsHaveOrder { return chosen }
    if let order = ColumnOrder(self.query.order) { return order.sorted(chosen, of: candidates) }
    do {
      let order = SubjectOrder(self.query.order)
      let keyed = try chosen.map { index in
        (key: try order.key(of: SnapshotSubject(candidates[index], in: self.source)), position: index)
      }
      return try keyed.sorted { a, b in
        let order = try order.compare(a.key, b.key)
        return order != 0 ? order < 0 : candidates[a.position].reference < candidates[b.position].reference
      }.map(\.position)
    } catch { throw StoreError.evaluating(error) }
  }

  private var rowsHaveOrder: Bool {
    switch self.query.shape {
    case .count, .groups: false
    case .rows, .identities, .values: true
    }
  }

  private func window<Positions: Collection>(of chosen: Positions) -> Positions.SubSequence {
    guard self.query.windowIsOfRows else { return chosen[...] }
    let rest = chosen.dropFirst(self.query.offset)
    return self.query.limit.map { rest.prefix($0) } ?? rest
  }

  /// The answer when every candidate is wanted.
  private func answer(_ candidates: RowSet) throws(StoreError) -> StoreAnswer {
    if self.query.offset == 0, self.query.limit ?? .max >= candidates.count, self.query.shape == .rows {
      return .rows(candidates)
    }
    return try self.answer(self.window(of: candidates.indices), of: candidates)
  }

  private func answer(
    _ chosen: some Collection<Int>, of candidates: RowSet
  ) throws(StoreError) -> StoreAnswer {
    switch self.query.shape {
    case .count: .count(chosen.count)
    case .identities: .identities(chosen.map { RowIdentity(candidates[$0]) })
    case .rows: .rows(candidates.choosing(chosen))
    case .values(let columns): .values(try self.values(columns, of: chosen, of: candidates))
    case .groups(let grouping): .groups(try self.groups(grouping, of: chosen, of: candidates))
    }
  }
}

extension StoreAnswer {
  /// The number of rows, lines or groups handed over; a count hands over none.
  package var rowCount: Int {
    switch self {
    case .rows(let rows): rows.count
    case .identities(let identities): identities.count
    case .values(let lines): lines.count
    case .groups(let table): table.groups.count
    case .count: 0
    }
  }
}

extension StoreError {
  /// What an evaluation threw: a store error as it is, a predicate error inside one.
  package static func evaluating(_ error: any Error) -> StoreError {
    if let error = error as? StoreError { return error }
    return StoreError(.predicate, store: nil, underlying: error, "\(error)")
  }
}
