internal import FederatedModel

/// Which rows of a table a query has to look at, and how they are found.
struct TableAccess {
  let candidates: RowSet
  /// What is left to answer over the candidates.
  let rest: StoreQuery
  let explanation: StoreExplanation

  init(_ query: StoreQuery, in table: RowTable) {
    self.candidates = table.rows(of: query.entity, includingSubentities: query.includesSubentities)
    self.rest = query
    let name = table.model[query.entity].name
    self.explanation = StoreExplanation(statement: "scan of \(self.candidates.count) rows of \(name)")
  }
}
