extension ModelValidation {
  /// Checks every property where it is declared, and puts normalised defaults into the draft.
  mutating func checkProperties() {
    for (place, entity) in self.draft.entities.enumerated() {
      self.checkPropertyNames(of: entity)
      for (position, property) in entity.properties.enumerated() {
        switch property {
        case let attribute as AttributeDescription:
          self.draft.entities[place].properties[position] = self.checked(attribute, of: entity.name)
        case let relationship as RelationshipDescription: self.check(relationship, of: entity.name)
        case is FetchedPropertyDescription: break
        default:
          self.report(
            .unsupportedProperty, entity.name, property.name,
            "A \(type(of: property)) is no property of an entity. "
              + "Declare an attribute, a relationship or a fetched property.")
        }
      }
    }
  }

  private mutating func checkPropertyNames(of entity: EntityDescription) {
    var own: Set<String> = []
    /// Names that a store writes, folded, with who declares them.
    var stored: [String: (name: String, entity: String)] = [:]
    let ancestors = self.index.chain(of: entity.name).dropFirst()
    var inherited: [String: String] = [:]
    for ancestor in ancestors {
      for property in ancestor.properties {
        inherited[property.name] = ancestor.name
        guard self.isStored(property) else { continue }
        stored[ReservedNames.folded(property.name)] = (property.name, ancestor.name)
      }
    }
    for property in entity.properties {
      let name = property.name
      if name.isEmpty {
        self.report(.emptyName, entity.name, nil, "A property has an empty name. Name it.")
        continue
      }
      if ReservedNames.properties.contains(name.uppercased()), self.isStored(property) {
        self.report(
          .reservedName, entity.name, name,
          "A SQLite store has a column of its own under this name. Choose another name.")
      }
      if !own.insert(name).inserted {
        self.report(
          .duplicateProperty, entity.name, name, "Two properties have this name. Rename one of them.")
      } else if let ancestor = inherited[name], ancestor != entity.name {
        self.report(
          .redefinedProperty, entity.name, name,
          "Entity \"\(entity.name)\" declares a property that it inherits from \"\(ancestor)\". "
            + "Take it out of one of the two.")
      } else if self.isStored(property) {
        let folded = ReservedNames.folded(name)
        if let other = stored[folded], other.name != name {
          self.report(
            .namesDifferOnlyByCase, entity.name, name,
            "Property \"\(other.name)\" of \"\(other.entity)\" has the same name but for case, and stores "
              + "would mix the two up. Rename one.")
        }
        stored[folded] = (name, entity.name)
      }
    }
  }

  private func isStored(_ property: any PropertyDescription) -> Bool {
    !(property is FetchedPropertyDescription) && !property.isTransient
  }

  private mutating func checked(_ attribute: AttributeDescription, of entity: String) -> AttributeDescription
  {
    var attribute = attribute
    switch attribute.type {
    case .undefined where !attribute.isTransient:
      self.report(
        .undefinedTypeNotTransient, entity, attribute.name,
        "Only a transient attribute may go without a type. Give it one, or make it transient.")
    case .composite(let name) where !self.draft.composites.contains(where: { $0.name == name }):
      self.report(
        .unknownComposite, entity, attribute.name,
        "Composite \"\(name)\" is not in the model."
          + NearestName.hint(for: name, among: self.draft.composites.map(\.name)))
    case .transformable(let codec?)
    where !self.deferringQuestions && !attribute.isTransient
      && !self.draft.codecs.contains(where: { $0.name == codec }):
      self.report(
        .unregisteredCodec, entity, attribute.name,
        "No codec \"\(codec)\" is registered with the model. Add it to the draft's codecs."
          + NearestName.hint(for: codec, among: self.draft.codecs.map(\.name)))
    default: break
    }
    if let value = attribute.type.normalized(attribute.defaultValue) {
      attribute.defaultValue = value
    } else {
      self.report(
        .defaultOfWrongType, entity, attribute.name,
        "The default \(attribute.defaultValue) is no value of type \(attribute.type).")
    }
    return attribute
  }
}
