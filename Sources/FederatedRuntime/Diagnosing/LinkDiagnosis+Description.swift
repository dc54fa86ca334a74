extension LinkDiagnosis: CustomStringConvertible {
  /// The size of the answer on one line, the reasons below it, and then what was asked and what there is.
  public var description: String {
    var text = ExplanationText()
    text.line("\(self.property) of \(self.owner): \(ExplanationText.count(self.results, "object"))")
    text.under { text in
      for reason in self.reasons { text.line("because \(reason.detail)") }
      if let condition = self.condition {
        text.line("condition: \(ExplanationText.short(condition, to: 200))")
      }
      if let question = self.question, question != self.condition {
        text.line("asked: \(ExplanationText.short(question, to: 200))")
      }
      text.list("key", self.keys.map { "\($0.attribute) == \($0.value), the object's \($0.path)" })
      for store in self.stores { text.line(store.summary(hasKey: !self.keys.isEmpty)) }
      for store in self.leftOut { text.line("not asked: \(store.name), since \(store.reason)") }
      for term in self.terms {
        let condition = ExplanationText.short(term.condition, to: 200)
        text.line("term: \(condition) passes \(term.passing), \(term.left) left with those before it")
      }
      for miss in self.nearMisses { miss.print(into: &text) }
    }
    return text.text
  }
}

extension LinkDiagnosis.Share {
  fileprivate func summary(hasKey: Bool) -> String {
    let key = hasKey ? "\(self.rowsWithKey) with the key, " : ""
    return "\(self.isAsked ? "" : "not asked: ")\(self.name) (\(self.type)): "
      + "\(ExplanationText.count(self.rows, "row")), \(key)\(self.rowsMatching) matching"
  }
}

extension KeyNearMiss {
  /// The way in which the keys differ, and below it the examples.
  func print(into text: inout ExplanationText) {
    text.line("nearly, apart by \(self.phrase): \(self.count)")
    text.under { text in
      for example in self.examples { text.line("\(example.found) against \(example.key), \(example.row)") }
    }
  }
}
