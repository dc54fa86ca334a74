extension ModelValidation {
  mutating func checkConstraintsAndIndexes() {
    for entity in self.draft.entities {
      for constraint in entity.uniquenessConstraints {
        if constraint.isEmpty {
          self.report(
            .invalidUniquenessConstraint, entity.name, nil,
            "A uniqueness constraint names no attribute. Name one, or take the constraint away.")
        }
        for name in constraint {
          self.checkColumn(name, of: entity.name, .invalidUniquenessConstraint, "A uniqueness constraint")
        }
      }
      var names: Set<String> = []
      for index in entity.indexes {
        if !names.insert(index.name).inserted {
          self.report(
            .invalidIndex, entity.name, nil, "Two indexes are named \"\(index.name)\". Rename one of them.")
        }
        for element in index.elements {
          guard let name = element.property else { continue }
          self.checkColumn(name, of: entity.name, .invalidIndex, "Index \"\(index.name)\"")
        }
      }
      for name in entity.compoundIndexes.joined() {
        self.checkColumn(name, of: entity.name, .invalidIndex, "A compound index")
      }
    }
  }

  /// Constraints and indexes stand over stored attributes. Model files also index to-one relationships.
  private mutating func checkColumn(
    _ name: String, of entity: String, _ rule: ModelError.Rule, _ what: String
  ) {
    guard let (_, property) = self.index.property(named: name, of: entity) else {
      self.report(
        rule, entity, name,
        "\(what) names a property that the entity does not have.\(self.index.propertyHint(for: name, of: entity))"
      )
      return
    }
    if let attribute = property as? AttributeDescription {
      guard attribute.isTransient else { return }
      self.report(rule, entity, name, "\(what) names a transient attribute, which no store holds.")
    } else if self.deferringQuestions, rule == .invalidIndex,
      (property as? RelationshipDescription)?.isToMany == false
    {
      return
    } else {
      let kind = property is FetchedPropertyDescription ? "a fetched property" : "a relationship"
      self.report(rule, entity, name, "\(what) names \(kind), which is not an attribute.")
    }
  }

  mutating func checkConfigurations() {
    var seen: Set<String> = []
    for configuration in self.draft.configurations {
      if configuration.name.isEmpty {
        self.report(.emptyName, nil, nil, "A configuration has an empty name. Name it.")
      } else if !seen.insert(configuration.name).inserted {
        self.report(
          .duplicateConfiguration, nil, nil,
          "Two configurations are named \"\(configuration.name)\". Rename one of them.")
      }
      for member in configuration.entities where self.index.entity(member) == nil {
        self.report(
          .unknownConfigurationMember, nil, nil,
          "Configuration \"\(configuration.name)\" names entity \"\(member)\", which is not in the model."
            + self.index.entityHint(for: member))
      }
    }
  }
}
