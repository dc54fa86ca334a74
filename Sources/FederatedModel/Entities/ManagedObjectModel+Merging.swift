extension ManagedObjectModel {
  /// The union of models: their entities, configurations, templates, composites and codecs.
  ///
  /// An entity that several models describe alike is taken once. Configurations of one name are joined.
  /// - Throws: ``ModelError`` when two models describe an entity of one name differently, or when the union
  ///   breaks a rule.
  public convenience init(merging models: [ManagedObjectModel]) throws(ModelError) {
    var merged = ModelDraft()
    var known: [String: EntityDescription] = [:]
    var breaches: [ModelError.Breach] = []
    for model in models {
      for entity in model.draft.entities {
        switch known.updateValue(entity, forKey: entity.name) {
        case nil: merged.entities.append(entity)
        case let other? where ManagedObjectModel.areAlike(other, entity): break
        default:
          breaches.append(
            ModelError.Breach(
              .duplicateEntity, entity: entity.name,
              "Two of the merged models describe this entity differently. Rename one, or make them agree."))
        }
      }
      for configuration in model.configurations {
        if let place = merged.configurations.firstIndex(where: { $0.name == configuration.name }) {
          let members = Set(merged.configurations[place].entities)
          merged.configurations[place].entities += configuration.entities.filter { !members.contains($0) }
        } else {
          merged.configurations.append(configuration)
        }
      }
      merged.templates += model.draft.templates.filter { !merged.templates.contains($0) }
      merged.composites += model.draft.composites.filter { !merged.composites.contains($0) }
      let codecs = Set(merged.codecs.map(\.name))
      merged.codecs += model.draft.codecs.filter { !codecs.contains($0.name) }
      merged.problems += model.draft.problems.filter { !merged.problems.contains($0) }
      merged.versionIdentifiers += model.versionIdentifiers.filter { !merged.versionIdentifiers.contains($0) }
    }
    guard breaches.isEmpty else { throw ModelError(breaches: breaches) }
    try self.init(merged, deferringQuestions: models.contains { $0.defersQuestions })
  }

  /// Whether two descriptions differ in the order of their properties at most.
  private static func areAlike(_ a: EntityDescription, _ b: EntityDescription) -> Bool {
    var (a, b) = (a, b)
    a.properties.sort { $0.name < $1.name }
    b.properties.sort { $0.name < $1.name }
    return a == b
  }
}
