/// Whether the rules that values must keep can be asked at all.
extension ModelValidation {
  /// A rule that cannot be asked refuses a model that is built in Swift, and stays a problem of one that is read.
  mutating func checkRules(into outcome: inout Outcome) {
    for entity in self.draft.entities {
      for case let attribute as AttributeDescription in entity.properties {
        self.settle(self.breaches(of: attribute, in: entity.name), into: &outcome)
      }
    }
  }

  private func breaches(of attribute: AttributeDescription, in entity: String) -> [ModelError.Breach] {
    let rules = attribute.validation
    if rules == AttributeValidation() { return [] }
    var breaches: [ModelError.Breach] = []
    func report(_ detail: String) {
      breaches.append(
        ModelError.Breach(.invalidValidation, entity: entity, property: attribute.name, detail))
    }
    for (name, bound) in [("minimum", rules.minimum), ("maximum", rules.maximum)]
    where !attribute.type.canBeBounded(by: bound) {
      report(
        attribute.type == .string
          ? "The \(name) \(bound) is no length. Give a whole number from 0 up."
          : "The \(name) \(bound) bounds no value of type \(attribute.type). Take it away, or give one of that type."
      )
    }
    if breaches.isEmpty {
      do {
        if let order = try rules.minimum.order(rules.maximum), order > 0 {
          report("The minimum \(rules.minimum) is above the maximum \(rules.maximum), so no value passes.")
        }
      } catch { report("The bounds have no common order: \(error)") }
    }
    if let pattern = rules.pattern {
      if attribute.type != .string {
        report("A pattern stands at an attribute of type \(attribute.type). Only texts can match one.")
      } else {
        do { _ = try RegularExpressionMatch(pattern) } catch { report("The pattern \(error).") }
      }
    }
    for condition in rules.conditions {
      var check = QuestionCheck(
        self.index, entity: entity, property: attribute.name, kind: .condition(attribute.type))
      breaches += check.breaches(of: condition)
    }
    return breaches
  }
}

extension AttributeType {
  fileprivate func canBeBounded(by bound: Value) -> Bool {
    switch (self, bound) {
    case (_, .null): true
    case (.string, .int(let length)): length >= 0
    case (.date, .date): true
    // A bound may lie beyond the type, or between two of its values.
    case (.integer16, .int), (.integer32, .int), (.integer64, .int), (.decimal, .int), (.double, .int),
      (.float, .int), (.integer16, .decimal), (.integer32, .decimal), (.integer64, .decimal),
      (.decimal, .decimal), (.double, .decimal), (.float, .decimal), (.integer16, .double),
      (.integer32, .double), (.integer64, .double), (.decimal, .double), (.double, .double),
      (.float, .double):
      true
    default: false
    }
  }
}
