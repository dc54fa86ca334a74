extension QuestionCheck {
  /// Follows keys and reports the first that leads nowhere.
  mutating func walk(_ keys: [String], from start: Place, subject: String) -> Place {
    var place = start
    for key in keys {
      if key == "@count" { return .unknown }
      if key.hasPrefix("@") {
        // The keys of an operator start at the elements; what it makes of them is one value or a collection
        // that nothing here needs to tell apart.
        place = self.single(place)
        continue
      }
      switch place {
      case .unknown: return .unknown
      case .value(.string, let isMany) where key == "length": place = .value(.integer64, isMany: isMany)
      case .value(let type, _):
        self.report(
          .unknownKeyPath,
          "\"\(subject)\" goes on to \"\(key)\" from a value of type \(type), which has no keys.")
        return .unknown
      case .object(let entity, let isMany):
        if Self.namesIdentity(key) { continue }
        place = self.step(key, from: entity, isMany: isMany, subject: subject)
      }
    }
    return keys.contains { $0.hasPrefix("@") } ? .unknown : place
  }

  private mutating func step(_ key: String, from entity: String, isMany: Bool, subject: String) -> Place {
    guard let (_, property) = self.index.property(named: key, of: entity) else {
      self.report(
        .unknownKeyPath,
        "\"\(subject)\" names \"\(key)\", which entity \"\(entity)\" does not have."
          + self.index.propertyHint(for: key, of: entity))
      return .unknown
    }
    switch property {
    case let attribute as AttributeDescription:
      if !attribute.isTransient, attribute.type.slotKind != nil {
        return .value(attribute.type, isMany: isMany)
      }
      let why = attribute.isTransient ? "transient attribute" : "composite attribute"
      self.report(
        .keyPathNotFetchable,
        "\"\(subject)\" goes through \"\(key)\", a \(why) of \"\(entity)\", which no store can answer for.")
    case let relationship as RelationshipDescription where !relationship.isTransient:
      guard self.index.entity(relationship.destination) != nil else { return .unknown }
      return .object(relationship.destination, isMany: isMany || relationship.isToMany)
    default:
      let why = property is FetchedPropertyDescription ? "fetched property" : "transient relationship"
      self.report(
        .keyPathNotFetchable,
        "\"\(subject)\" goes through \"\(key)\", a \(why) of \"\(entity)\", which no store can answer for.")
    }
    return .unknown
  }

  private func single(_ place: Place) -> Place {
    switch place {
    case .object(let entity, _): .object(entity, isMany: false)
    case .value(let type, _): .value(type, isMany: false)
    case .unknown: .unknown
    }
  }

  static func namesIdentity(_ key: String) -> Bool {
    key == "objectID" || key == "self" || key == "SELF"
  }

  static func text(of expression: FetchExpression) -> String {
    switch expression {
    case .keyPath(let keys): keys.joined(separator: ".")
    case .path(.variable(let name), let keys): "$\(name)." + keys.joined(separator: ".")
    case .path(.evaluatedObject, let keys): "SELF." + keys.joined(separator: ".")
    case .variable(let name): "$\(name)"
    default: "an operand"
    }
  }
}
