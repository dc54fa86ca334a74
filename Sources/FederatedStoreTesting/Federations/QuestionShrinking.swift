import FederatedModel

/// Makes a question with a wrong answer smaller, and the rows that it is about fewer, as long as the answer stays wrong.
struct QuestionShrinking {
  private let model: ManagedObjectModel
  private let rows: GeneratedRows
  private let plan: FederationPlan
  private let seed: UInt64
  /// How many federations may be made for it.
  private static let attempts = 120

  init(_ model: ManagedObjectModel, _ rows: GeneratedRows, _ plan: FederationPlan, seed: UInt64) {
    self.model = model
    self.rows = rows
    self.plan = plan
    self.seed = seed
  }

  private struct Case {
    var rows: GeneratedRows
    var question: GeneratedQuestion
    var difference: String
  }

  /// The smallest case as text: the question as Swift, its rows, the answers.
  func smallest(_ question: GeneratedQuestion, _ difference: String) throws -> String {
    var best = Case(rows: self.rows, question: question, difference: difference)
    try self.shrinkQuestion(&best)
    try self.shrinkRows(&best)
    try self.shrinkQuestion(&best)
    return "\(self.plan):\n\(best.question)\n  over the rows\n\(best.rows)\n\(best.difference)"
  }

  private func shrinkQuestion(_ best: inout Case) throws {
    let federation = try GeneratedFederation(self.plan, best.rows, self.model, seed: self.seed)
    let plain = PlainAnswer(PlainTable(best.rows, self.model))
    search: while true {
      for smaller in Self.smaller(best.question) {
        if let difference = try Expectation(smaller, plain).difference(to: federation) {
          best.question = smaller
          best.difference = difference
          continue search
        }
      }
      return
    }
  }

  /// Leaves rows out, at first many at once.
  private func shrinkRows(_ best: inout Case) throws {
    var attempts = 0
    var size = best.rows.rows.count / 2
    while size > 0 {
      var start = 0
      while start < best.rows.rows.count, attempts < Self.attempts {
        attempts += 1
        let rows = best.rows.without(Set(best.rows.rows.dropFirst(start).prefix(size).map(\.number)))
        if let difference = try self.difference(best.question, over: rows) {
          best.rows = rows
          best.difference = difference
        } else {
          start += size
        }
      }
      size /= 2
    }
  }

  private func difference(_ question: GeneratedQuestion, over rows: GeneratedRows) throws -> String? {
    // A row that the question names must stay.
    let names = Set(rows.rows.map { "row\($0.number)" })
    if question.refusal == nil, !question.predicate.freeVariables.isSubset(of: names) { return nil }
    let federation = try GeneratedFederation(self.plan, rows, self.model, seed: self.seed)
    return try Expectation(question, PlainAnswer(PlainTable(rows, self.model))).difference(to: federation)
  }

  private static func smaller(_ question: GeneratedQuestion) -> [GeneratedQuestion] {
    var questions: [GeneratedQuestion] = []
    func add(_ change: (inout GeneratedQuestion) -> Void) {
      var next = question
      change(&next)
      questions.append(next)
    }
    if case .objects = question.shape {
    } else {
      add {
        $0.shape = .objects
        $0.sorts = []
      }
    }
    for place in question.sorts.indices { add { $0.sorts.remove(at: place) } }
    if question.offset != 0 { add { $0.offset = 0 } }
    if question.limit != 0 { add { $0.limit = 0 } }
    if !question.includesSubentities { add { $0.includesSubentities = true } }
    switch question.shape {
    case .columns(let columns, let isDistinct):
      if isDistinct { add { $0.shape = .columns(columns, isDistinct: false) } }
      for place in columns.indices where columns.count > 1 {
        var fewer = columns
        fewer.remove(at: place)
        add { $0.shape = .columns(fewer, isDistinct: isDistinct) }
      }
    case .groups(let keys, let aggregates, let having):
      if having != nil { add { $0.shape = .groups(keys: keys, aggregates: aggregates, having: nil) } }
      for place in aggregates.indices where aggregates.count > 1 {
        var fewer = aggregates
        let name = fewer.remove(at: place).name
        if question.sorts.contains(where: { $0.key == name }) || name == "rows" { continue }
        add { $0.shape = .groups(keys: keys, aggregates: fewer, having: having) }
      }
    default: break
    }
    if question.refusal == nil {
      for predicate in question.predicate.smaller { add { $0.predicate = predicate } }
    }
    return questions
  }
}
