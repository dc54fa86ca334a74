internal import FederatedModel

/// Which rows of a table a query has to look at, and how they are found: by reference, by an index over a
/// column, or all of them.
struct TableAccess {
  let candidates: RowSet
  /// What is left to answer over the candidates.
  let rest: StoreQuery
  private let way: Way
  /// The keys that the look-up answers.
  private var foundKeys: LinkKeys?

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
      self.foundKeys = query.keys
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
    var explanation: StoreExplanation
    switch self.way {
    case .references: explanation = StoreExplanation(statement: "look-up of \(count) of \(name) by reference")
    case .index(let entity, let property, let lookUps):
      let times = "\(lookUps) look-up\(lookUps == 1 ? "" : "s")"
      explanation = StoreExplanation(
        statement: "\(times) of \(name) by \(property), \(count)", index: "\(model[entity].name).\(property)")
    case .scan: explanation = StoreExplanation(statement: "scan of \(count) of \(name)")
    }
    explanation.pushed = self.foundKeys.map { [$0.summary] } ?? []
    explanation.inMemory = self.rest.predicate?.topLevelTerms.map { "\($0)" } ?? []
    if let keys = self.rest.keys { explanation.inMemory.append(keys.summary) }
    if let gathering = self.rest.shape.gathering { explanation.inMemory.append(gathering) }
    if self.rest.sorts { explanation.order = .memory }
    if self.rest.hasWindow { explanation.window = .memory }
    return explanation
  }
}

extension LinkKeys {
  /// The condition in few words: `customerNumber among 500 keys`.
  package var summary: String {
    let names = self.attributes.map(\.name).joined(separator: ", ")
    return "\(names) among \(self.keys.count) key\(self.keys.count == 1 ? "" : "s")"
  }
}

extension StoreQuery {
  /// Whether the answer has an order that was asked for.
  package var sorts: Bool { !self.order.isEmpty && self.shape != .count && !self.shape.isGrouped }
  package var hasWindow: Bool { !self.shape.isGrouped && (self.limit != nil || self.offset > 0) }
}

extension StoreQuery.Shape {
  /// What is made of rows, in a word; nil where the rows themselves are wanted, or their number.
  package var gathering: String? {
    switch self {
    case .rows, .identities, .count: nil
    case .values: "columns"
    case .groups: "groups"
    }
  }

  fileprivate var isGrouped: Bool { if case .groups = self { true } else { false } }
}
