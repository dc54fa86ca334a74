import FederatedModel
import FederatedStore

extension QuestionExplanation: CustomStringConvertible {
  /// One line for the question, some for each store, one for the merge and one for each store left out.
  public var description: String {
    var text = ExplanationText()
    text.line(self.summary)
    text.under(self.print)
    return text.text
  }

  /// The question and the size of its answer on one line.
  var summary: String {
    let keys = self.keys.map { count in
      "\(self.keyColumns.joined(separator: ", ")) among \(ExplanationText.count(count, "key"))"
    }
    let question = ExplanationText.question(
      self.entity, self.predicate, keys: keys, self.order, offset: self.offset, limit: self.limit)
    return "\(question): \(ExplanationText.count(self.rows, self.noun))"
  }

  private var noun: String {
    switch self.purpose {
    case .rows, .values, .columns, .count: "row"
    case .groups: "group"
    case .identifiers: "identifier"
    case .destinations: "link"
    }
  }

  /// What the stores did.
  func print(into text: inout ExplanationText) {
    for store in self.stores { store.print(into: &text) }
    switch self.merging {
    case .none: break
    case .oneAfterAnother: text.line("merged: one store's rows behind the other's")
    case .byOrder: text.line("merged: row by row, in the order asked for")
    case .summed where self.purpose == .groups: text.line("merged: groups of the same keys became one")
    case .summed: text.line("merged: the counts were added")
    }
    for store in self.leftOut { text.line("not asked: \(store.name), since \(store.reason)") }
  }
}

extension StoreShare {
  fileprivate func print(into text: inout ExplanationText) {
    let explanation = self.explanation
    let work = explanation.work.map { ": \($0.summary)" } ?? ""
    text.line("\(self.name) (\(self.type))\(work)")
    text.under { text in
      text.line(ExplanationText.short(explanation.statement))
      if !explanation.bindings.isEmpty {
        text.line("bindings: \(ExplanationText.values(explanation.bindings))")
      }
      if explanation.tabledValues > 0 {
        text.line("keys in a table: \(ExplanationText.count(explanation.tabledValues, "value"))")
      }
      text.list("by the statement", explanation.parts(of: .statement))
      text.list("in memory", explanation.parts(of: .memory))
      if let following = explanation.following {
        text.line("then, of the rows chosen: \(ExplanationText.short(following))")
      }
      if let index = explanation.index { text.line("index: \(index)") }
      text.list("plan", explanation.plan)
    }
  }
}

extension StoreExplanation {
  /// The clauses that one of the two answers.
  fileprivate func parts(of stage: Stage) -> [String] {
    let terms = (stage == .statement ? self.pushed : self.inMemory)
    return terms.map { ExplanationText.short($0, to: 200) }
      + (self.order == stage ? ["order"] : []) + (self.window == stage ? ["window"] : [])
  }
}

extension StoreWork {
  /// `2 rows of 40 read`, and what else was counted.
  fileprivate var summary: String {
    var parts = [
      "\(ExplanationText.count(self.rowsReturned, "row")) returned, \(self.rowsRead) read"
    ]
    if let visited = self.rowsVisited { parts.append("\(visited) visited") }
    if self.statements > 1 { parts.append("\(self.statements) statements") }
    if let sorts = self.sorts, sorts > 0 { parts.append(ExplanationText.count(sorts, "sort")) }
    if let rows = self.automaticIndexRows, rows > 0 {
      parts.append("\(ExplanationText.count(rows, "row")) indexed for this statement alone")
    }
    return parts.joined(separator: ", ")
  }
}
