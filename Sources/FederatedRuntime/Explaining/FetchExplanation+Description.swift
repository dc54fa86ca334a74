import FederatedModel

extension FetchExplanation: CustomStringConvertible {
  /// The fetch on one line; below it what was asked before, each store's part, and what was done behind it.
  public var description: String {
    var text = ExplanationText()
    let question = ExplanationText.question(
      self.entity, self.predicate, self.order, offset: self.offset, limit: self.limit)
    text.line("\(question): \(ExplanationText.count(self.results, self.noun))")
    text.under { text in
      self.link?.print(into: &text)
      for link in self.links { text.line("through \(link)") }
      for step in self.before { step.print("before", into: &text) }
      if let question = self.question {
        if self.asksOtherwise(question) { text.line("asked: \(question.summary)") }
        question.print(into: &text)
      } else if self.link?.wasKept != true {
        text.line("no store was asked")
      }
      if let pending = self.pending {
        text.line(
          "unsaved changes: \(ExplanationText.count(pending.judged, "object")) judged in memory, "
            + "\(pending.added) added, \(pending.removed) removed")
      }
      text.list("by the context", self.finished.map { ExplanationText.short($0, to: 200) })
      for step in self.after { step.print("after", into: &text) }
    }
    return text.text
  }

  /// Whether unsaved changes or windows made the stores' question another one.
  private func asksOtherwise(_ question: QuestionExplanation) -> Bool {
    question.predicate != self.predicate || question.limit != self.limit || question.offset != self.offset
  }

  private var noun: String {
    switch self.resultType {
    case .objects: "object"
    case .identifiers: "identifier"
    case .dictionaries: "dictionary row"
    case .count: "counted row"
    }
  }
}

extension LinkExplanation {
  fileprivate func print(into text: inout ExplanationText) {
    text.line("fetched property: \(self.property) of \(self.owner)")
    text.under { text in
      if let condition = self.condition {
        text.line("condition: \(ExplanationText.short(condition, to: 200))")
      }
      text.list("key", self.keys)
      if let rest = self.rest { text.line("rest: \(ExplanationText.short(rest, to: 200))") }
      if let reason = self.unplannedReason { text.line("owner by owner only: \(reason)") }
    }
    if self.wasKept { text.line("answer: kept from an earlier read; no store was asked") }
  }
}

extension ExplanationStep: CustomStringConvertible {
  public var description: String {
    var text = ExplanationText()
    self.print(nil, into: &text)
    return text.text
  }

  fileprivate func print(_ time: String?, into text: inout ExplanationText) {
    let keys = self.keys > 0 ? ", \(ExplanationText.count(self.keys, "key")) moved" : ""
    text.line("\(time.map { "\($0): " } ?? "")\(self.title)\(keys)")
    text.under { text in
      for question in self.questions {
        text.line(question.summary)
        text.under(question.print)
      }
    }
  }
}

extension PrefetchReport: CustomStringConvertible {
  /// One line for each property, and below it, in an explained report, what each store did.
  public var description: String {
    var text = ExplanationText()
    for step in self.steps {
      var line =
        "\(step.entity).\(step.property) of \(ExplanationText.count(step.owners, "object")): "
        + ExplanationText.count(step.requests, "question")
      if step.keys > 0 { line += ", \(ExplanationText.count(step.keys, "key"))" }
      text.line(line)
      text.under { text in
        if let reason = step.fallbackReason { text.line("owner by owner: \(reason)") }
        for question in step.questions {
          text.line(question.summary)
          text.under(question.print)
        }
      }
    }
    return text.text
  }
}
