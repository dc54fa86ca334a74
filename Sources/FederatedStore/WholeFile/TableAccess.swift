internal import FederatedModel

/// Which rows of a table a query has to look at, and how they are found: by reference, by an index over a
/// column, or all of them.
struct TableAccess {
  let candidates: RowSet
  /// What is left to answer over the candidates.
  let rest: StoreQuery
  private let way: Way

  enum Way {
    case references
    case index(entity: EntityID, property: String, lookUps: Int)
    case scan
  }

  init(_ query: StoreQuery, in table: RowTable) {
    let finder = CandidateFinder(query: query, table: table)
    var rest = query
    if let references = query.references {
      self.candidates = finder.rows(references)
      self.way = .references
      rest.references = nil
    } else if let found = finder.rowsOfKeys() {
      self.candidates = found.rows
      self.way = found.way
      rest.keys = nil
    } else if let found = finder.rowsOfConstants() {
      self.candidates = found.rows
      self.way = found.way
    } else {
      self.candidates = table.rows(of: query.entity, includingSubentities: query.includesSubentities)
      self.way = .scan
    }
    self.rest = rest
  }

  /// How the query is answered, in words.
  func explanation(in model: ManagedObjectModel) -> StoreExplanation {
    let name = model[self.rest.entity].name
    let count = "\(self.candidates.count) row\(self.candidates.count == 1 ? "" : "s")"
    let rest = [
      self.rest.predicate.map { _ in "predicate" }, self.rest.keys.map { _ in "keys" },
      self.rest.order.isEmpty ? nil : "order",
    ].compactMap(\.self)
    switch self.way {
    case .references:
      return StoreExplanation(statement: "look-up of \(count) of \(name) by reference", inMemory: rest)
    case .index(let entity, let property, let lookUps):
      let times = "\(lookUps) look-up\(lookUps == 1 ? "" : "s")"
      return StoreExplanation(
        statement: "\(times) of \(name) by \(property), \(count)", inMemory: rest,
        index: "\(model[entity].name).\(property)")
    case .scan:
      return StoreExplanation(statement: "scan of \(count) of \(name)", inMemory: rest)
    }
  }
}
