/// A request that the model stores, read and checked: the question of a fetched property, or a template.
struct StoredQuestion {
  /// The request with its condition parsed.
  var request: FetchRequest
  /// Why the question cannot be asked; empty for a good one.
  var breaches: [ModelError.Breach]

  /// Reads a condition from its text; an empty text is no condition.
  static func parse(_ format: String) throws(PredicateFormatError) -> FetchPredicate? {
    format.allSatisfy(\.isWhitespace) ? nil : try FetchPredicate(format: format)
  }
}

extension ModelValidation {
  mutating func checkQuestions(into outcome: inout Outcome) {
    for entity in self.draft.entities {
      for case let fetched as FetchedPropertyDescription in entity.properties {
        let place = PropertyPlace(entity: entity.name, property: fetched.name)
        guard let request = fetched.request else {
          let breach = ModelError.Breach(
            .invalidFetchedProperty, entity: entity.name, property: fetched.name,
            "A fetched property asks a question, and this one has no request. Give it one.")
          self.settle([breach], into: &outcome)
          continue
        }
        var check = QuestionCheck(
          self.index, entity: entity.name, property: fetched.name, kind: .fetchedProperty)
        let question = check.question(request, format: fetched.predicateFormat)
        self.settle(question.breaches, into: &outcome)
        outcome.questions[place] = question
      }
      for index in entity.indexes {
        guard let format = index.partialPredicateFormat else { continue }
        var check = QuestionCheck(self.index, entity: entity.name, property: nil, kind: .index(index.name))
        let request = FetchRequest(entity.name)
        self.settle(check.question(request, format: format).breaches, into: &outcome)
      }
    }
  }

  mutating func checkTemplates(into outcome: inout Outcome) {
    var seen: Set<String> = []
    for template in self.draft.templates {
      if template.name.isEmpty {
        self.report(.emptyName, nil, nil, "A fetch request template has an empty name. Name it.")
      } else if !seen.insert(template.name).inserted {
        self.report(
          .duplicateTemplate, nil, nil,
          "Two fetch request templates are named \"\(template.name)\". Rename one of them.")
      }
      var check = QuestionCheck(self.index, entity: nil, property: nil, kind: .template(template.name))
      let question = check.question(template.request, format: template.predicateFormat)
      self.settle(question.breaches, into: &outcome)
      var parsed = template
      parsed.request = question.request
      self.settle(template.problems, into: &outcome)
      outcome.templates.append(
        StoredTemplate(template: parsed, breaches: template.problems + question.breaches))
    }
  }

  /// A question's breaches refuse a model that is built in Swift, and stay problems of one that is read.
  mutating func settle(_ breaches: [ModelError.Breach], into outcome: inout Outcome) {
    if self.deferringQuestions { outcome.problems += breaches } else { self.breaches += breaches }
  }
}

/// A template whose condition is parsed, or the reasons why it cannot be.
struct StoredTemplate {
  let template: FetchRequestTemplate
  let breaches: [ModelError.Breach]
}
