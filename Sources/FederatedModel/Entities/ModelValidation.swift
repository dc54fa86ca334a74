/// All rules that a model must keep, run once when a draft is frozen.
///
/// Every rule looks at the draft alone and adds what it finds, so one error lists all breaches. A draft
/// without structural breaches can be resolved: every name leads somewhere and nothing goes round.
struct ModelValidation {
  /// What validation found and made.
  struct Outcome {
    /// The draft with defaults in the kind that each attribute stores.
    var draft: ModelDraft
    /// The questions of fetched properties, by declaring entity and name.
    var questions: [PropertyPlace: StoredQuestion] = [:]
    /// Templates with their conditions parsed.
    var templates: [StoredTemplate] = []
    /// Breaches of stored questions that a model read from a file may carry.
    var problems: [ModelError.Breach] = []
  }

  /// Where a property is declared.
  struct PropertyPlace: Hashable {
    let entity: String
    let property: String
  }

  let index: DraftIndex
  let deferringQuestions: Bool
  var draft: ModelDraft
  var breaches: [ModelError.Breach] = []

  private init(_ draft: ModelDraft, deferringQuestions: Bool) {
    self.index = DraftIndex(draft)
    self.draft = draft
    self.deferringQuestions = deferringQuestions
  }

  /// - Parameter deferringQuestions: a model file may hold questions that name what is not there: those
  ///   breaches become problems of the model instead of an error.
  static func check(_ draft: ModelDraft, deferringQuestions: Bool) throws(ModelError) -> Outcome {
    var validation = ModelValidation(draft, deferringQuestions: deferringQuestions)
    validation.checkEntityNames()
    validation.checkInheritance()
    validation.checkProperties()
    validation.checkComposites()
    validation.checkConstraintsAndIndexes()
    validation.checkConfigurations()
    var outcome = Outcome(draft: validation.draft)
    validation.settle(draft.problems, into: &outcome)
    validation.checkRules(into: &outcome)
    validation.checkQuestions(into: &outcome)
    validation.checkTemplates(into: &outcome)
    guard validation.breaches.isEmpty else { throw ModelError(breaches: validation.breaches) }
    return outcome
  }

  mutating func report(
    _ rule: ModelError.Rule, _ entity: String? = nil, _ property: String? = nil, _ detail: String
  ) {
    self.breaches.append(ModelError.Breach(rule, entity: entity, property: property, detail))
  }

  // MARK: Names and inheritance

  private mutating func checkEntityNames() {
    var seen: [String: String] = [:]
    for entity in self.draft.entities {
      if entity.name.isEmpty {
        self.report(.emptyName, nil, nil, "An entity has an empty name. Name it.")
        continue
      }
      if ReservedNames.entities.contains(entity.name.uppercased()) {
        self.report(
          .reservedName, entity.name, nil,
          "A SQLite store has a table of its own under this name. Choose another name.")
      }
      let folded = ReservedNames.folded(entity.name)
      guard let other = seen.updateValue(entity.name, forKey: folded) else { continue }
      if other == entity.name {
        self.report(.duplicateEntity, entity.name, nil, "Two entities have this name. Rename one of them.")
      } else {
        self.report(
          .namesDifferOnlyByCase, entity.name, nil,
          "Entity \"\(other)\" has the same name but for case, and stores would mix the two up. Rename one.")
      }
    }
  }

  private mutating func checkInheritance() {
    var reported: Set<String> = []
    for entity in self.draft.entities {
      guard let parent = entity.parent else { continue }
      guard self.index.entity(parent) != nil else {
        self.report(
          .unknownParent, entity.name, nil,
          "The parent entity \"\(parent)\" is not in the model.\(self.index.entityHint(for: parent))")
        continue
      }
      let chain = self.index.chain(of: entity.name).map(\.name)
      guard self.index.entity(chain[chain.count - 1])?.parent == entity.name, !reported.contains(entity.name)
      else { continue }
      reported.formUnion(chain)
      self.report(
        .inheritanceCycle, entity.name, nil,
        "The entity inherits from itself: \((chain + [entity.name]).joined(separator: " < ")). "
          + "Take the parent away from one of them.")
    }
  }

  private mutating func checkComposites() {
    var seen: Set<String> = []
    for composite in self.draft.composites {
      if !seen.insert(composite.name).inserted {
        self.report(
          .duplicateComposite, nil, nil, "Two composites are named \"\(composite.name)\". Rename one of them."
        )
      }
      for element in composite.elements {
        guard case .composite(let name) = element.type,
          !self.draft.composites.contains(where: { $0.name == name })
        else { continue }
        self.report(
          .unknownComposite, nil, nil,
          "Element \"\(element.name)\" of composite \"\(composite.name)\" names composite \"\(name)\", "
            + "which is not in the model.")
      }
    }
    var codecs: Set<String> = []
    for codec in self.draft.codecs where !codecs.insert(codec.name).inserted {
      self.report(.duplicateCodec, nil, nil, "Two codecs are registered as \"\(codec.name)\". Keep one.")
    }
  }
}

/// Names that files of the tradition use for themselves.
enum ReservedNames {
  static let entities: Set<String> = ["_METADATA", "_PRIMARYKEY", "_MODELCACHE"]
  static let properties: Set<String> = ["_PK", "_ENT", "_OPT"]

  /// Equal for names that an upper-casing or a lower-casing store would take for one.
  static func folded(_ name: String) -> String { name.uppercased().lowercased() }
}
