extension ModelDiagram {
  /// A line between two boxes.
  struct Line: Sendable {
    let kind: Kind
    let from: String
    let to: String
    /// The properties that the line stands for; none for inheritance.
    let properties: [String]
    /// How many there may be at each end: `0..1`, `1..*`; nil where nothing is said.
    let fromCount: String?
    let toCount: String?

    /// What is written along the line: `lines / invoice`.
    func label(_ escaped: (String) -> String) -> String {
      self.properties.map(escaped).joined(separator: " / ")
    }

    enum Kind: Sendable {
      /// From an entity to its parent.
      case inheritance
      /// A relationship that has no inverse.
      case oneWay
      /// A relationship and its inverse.
      case bothWays
      case fetched
    }

    /// Inheritance first, then relationships, then fetched properties, each in the order of the entities. A pair of
    /// inverse relationships is one line.
    static func all(in model: ManagedObjectModel) -> [Line] {
      let inheritance = model.entities.compactMap { entity in
        entity.parent.map {
          Line(
            kind: .inheritance, from: entity.name, to: model[$0].name, properties: [], fromCount: nil,
            toCount: nil
          )
        }
      }
      let relationships = model.entities.flatMap { entity in
        entity.relationships.filter { $0.declaringEntity == entity.id }.compactMap {
          self.line(of: $0, in: model)
        }
      }
      let fetched = model.entities.flatMap { entity in
        entity.fetchedProperties.filter { $0.declaringEntity == entity.id }.compactMap { property in
          property.destination.map { destination in
            let limit = property.description.request?.fetchLimit ?? 0
            return Line(
              kind: .fetched, from: entity.name, to: model[destination].name, properties: [property.name],
              fromCount: nil, toCount: limit > 0 ? "0..\(limit)" : "0..*")
          }
        }
      }
      return inheritance + relationships + fetched
    }

    /// Nil for the second of two inverse relationships, which the line of the first one draws.
    private static func line(of relationship: Relationship, in model: ManagedObjectModel) -> Line? {
      let inverse = relationship.inverse.map { model.relationship($0) }
      // An inverse that leads elsewhere itself, as old files have it, is a line of its own.
      let isPair = inverse.map { $0.inverse == relationship.id } ?? false
      if let inverse, isPair,
        (inverse.id.entity, inverse.id.index) < (relationship.id.entity, relationship.id.index)
      {
        return nil
      }
      let partner = isPair && inverse?.id != relationship.id ? inverse : nil
      return Line(
        kind: isPair ? .bothWays : .oneWay, from: model[relationship.declaringEntity].name,
        to: model[relationship.destination].name,
        properties: [relationship.name, partner?.name].compactMap(\.self),
        fromCount: isPair ? inverse.map { Self.count($0.description) } : nil,
        toCount: Self.count(relationship.description))
    }

    private static func count(_ relationship: RelationshipDescription) -> String {
      let least = relationship.isOptional ? 0 : max(1, relationship.minCount)
      if !relationship.isToMany { return least == 0 ? "0..1" : "1" }
      return "\(least)..\(relationship.maxCount > 0 ? String(relationship.maxCount) : "*")"
    }
  }
}
