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
  private let source: any RowSource

  public init(_ query: StoreQuery, source: any RowSource) {
    self.query = query
    self.source = source
  }

  /// Runs the query.
  ///
  /// Rows that compare equal come in ascending reference; without an order, candidates keep theirs.
  /// - Throws: `predicate` with the ``PredicateError`` below it when a row cannot be judged.
  public func run(over candidates: RowSet) throws(StoreError) -> StoreAnswer {
    var chosen: [Int] = []
    for index in 0..<candidates.count where try self.matches(candidates[index]) { chosen.append(index) }
    chosen = try self.sorted(chosen, of: candidates)
    let window = self.window(of: chosen)
    return self.answer(window, of: candidates)
  }

  /// Whether a row is among the query's references and keys and satisfies its predicate.
  public func matches(_ row: Snapshot) throws(StoreError) -> Bool {
    true
  }

  private func sorted(_ chosen: [Int], of candidates: RowSet) throws(StoreError) -> [Int] { chosen }

  private func window(of chosen: [Int]) -> ArraySlice<Int> {
    let rest = chosen.dropFirst(self.query.offset)
    return self.query.limit.map { rest.prefix($0) } ?? rest
  }

  private func answer(_ chosen: ArraySlice<Int>, of candidates: RowSet) -> StoreAnswer {
    switch self.query.shape {
    case .count: .count(chosen.count)
    case .identities: .identities(chosen.map { RowIdentity(candidates[$0]) })
    case .rows: .rows(candidates.choosing(chosen))
    }
  }
}
