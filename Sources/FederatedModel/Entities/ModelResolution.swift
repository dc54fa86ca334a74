import Foundation

/// Turns a validated draft into numbered entities with inherited properties, slots, inverses and plans.
struct ModelResolution {
  let validated: ModelValidation.Outcome
  let index: DraftIndex
  var entities: [Entity] = []
  var draft: ModelDraft { self.validated.draft }

  static func resolve(_ draft: ModelDraft, deferringQuestions: Bool) throws(ModelError) -> ModelResolution {
    let validated = try ModelValidation.check(draft, deferringQuestions: deferringQuestions)
    var resolution = ModelResolution(validated: validated, index: DraftIndex(validated.draft))
    resolution.entities = resolution.resolvedEntities(in: resolution.order())
    return resolution
  }

  /// Roots by name without regard to case, each followed by its descendants: the numbering of the tradition's
  /// SQLite stores.
  private func order() -> [EntityDescription] {
    let children = Dictionary(grouping: self.draft.entities) { $0.parent }
    var order: [EntityDescription] = []
    func visit(_ parent: String?) {
      let sorted = (children[parent] ?? []).sorted { a, b in
        let (x, y) = (a.name.lowercased(), b.name.lowercased())
        return x == y ? a.name < b.name : x < y
      }
      for entity in sorted {
        order.append(entity)
        visit(entity.name)
      }
    }
    visit(nil)
    return order
  }

  private func resolvedEntities(in order: [EntityDescription]) -> [Entity] {
    let number = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.name, EntityID($0)) })
    var families: [[EntityID]] = order.indices.map { [EntityID($0)] }
    var children: [[EntityID]] = order.indices.map { _ in [] }
    for (index, entity) in order.enumerated().reversed() {
      guard let parent = entity.parent.flatMap({ number[$0] }) else { continue }
      families[parent.index].insert(contentsOf: families[index], at: 1)
      children[parent.index].insert(EntityID(index), at: 0)
    }

    var resolved: [Entity] = []
    for (index, draft) in order.enumerated() {
      let id = EntityID(index)
      let parent = draft.parent.flatMap { number[$0] }.map { resolved[$0.index] }
      var properties = Properties(inheritedFrom: parent)
      properties.add(draft, id: id, order: order, number: number, resolution: self)
      resolved.append(
        Entity(
          id: id, description: draft, parent: parent?.id, root: parent?.root ?? id,
          subentities: children[index], family: families[index], attributes: properties.attributes,
          relationships: properties.relationships, fetchedProperties: properties.fetched,
          layout: RowLayout(entity: id, columns: properties.columns),
          versionHash: Data(VersionHash.bytes(of: draft, parent: parent.map { Array($0.versionHash) }))))
    }
    return resolved
  }

  /// The properties of one entity while they are gathered: the parent's first, then its own.
  private struct Properties {
    var attributes: [Attribute]
    var relationships: [Relationship]
    var fetched: [FetchedProperty]
    var columns: [RowLayout.Column]
    var nextSlot: Int

    init(inheritedFrom parent: Entity?) {
      self.attributes = parent?.attributes ?? []
      self.relationships = parent?.relationships ?? []
      self.fetched = parent?.fetchedProperties ?? []
      self.columns = parent?.layout.columns ?? []
      self.nextSlot = parent?.layout.slotCount ?? 0
    }

    mutating func add(
      _ draft: EntityDescription, id: EntityID, order: [EntityDescription], number: [String: EntityID],
      resolution: ModelResolution
    ) {
      for property in draft.properties {
        switch property {
        case let attribute as AttributeDescription: self.add(attribute, id: id)
        case let relationship as RelationshipDescription:
          self.add(relationship, id: id, order: order, number: number)
        case let question as FetchedPropertyDescription:
          self.fetched.append(
            resolution.fetchedProperty(
              question, of: draft.name, id: id, index: self.fetched.count, number: number))
        default: break
        }
      }
    }

    private mutating func add(_ attribute: AttributeDescription, id: EntityID) {
      var slot: Int?
      if !attribute.isTransient, let kind = attribute.type.slotKind {
        slot = self.nextSlot
        self.columns.append(.init(name: attribute.name, slot: self.nextSlot, kind: kind))
        self.nextSlot += 1
      }
      self.attributes.append(Attribute(description: attribute, declaringEntity: id, slot: slot))
    }

    private mutating func add(
      _ relationship: RelationshipDescription, id: EntityID, order: [EntityDescription],
      number: [String: EntityID]
    ) {
      guard let destination = number[relationship.destination] else { return }
      var slot: Int?
      if !relationship.isTransient, !relationship.isToMany {
        slot = self.nextSlot
        self.columns.append(
          .init(name: relationship.name, slot: self.nextSlot, kind: .reference, destination: destination))
        self.nextSlot += 2
      }
      self.relationships.append(
        Relationship(
          description: relationship, declaringEntity: id, destination: destination,
          index: self.relationships.count, slot: slot,
          inverse: ModelResolution.inverse(of: relationship, order: order, number: number)))
    }
  }

  private func fetchedProperty(
    _ description: FetchedPropertyDescription, of entity: String, id: EntityID, index: Int,
    number: [String: EntityID]
  ) -> FetchedProperty {
    let place = ModelValidation.PropertyPlace(entity: entity, property: description.name)
    let problems = self.validated.problems.filter { $0.entity == entity && $0.property == description.name }
    guard let question = self.validated.questions[place], problems.isEmpty else {
      return FetchedProperty(
        description: description, declaringEntity: id, index: index, request: nil,
        destination: description.request.flatMap { number[$0.entityName] }, plan: nil,
        unplannedReason: "the question cannot be asked", problems: problems)
    }
    let analysis = FetchedPropertyPlan.analyse(
      question.request.predicate, destination: question.request.entityName, source: entity, in: self.index)
    let (plan, reason): (FetchedPropertyPlan?, String?) =
      switch analysis {
      case .success(let plan): (plan, nil)
      case .failure(let refusal): (nil, refusal.reason)
      }
    return FetchedProperty(
      description: description, declaringEntity: id, index: index, request: question.request,
      destination: number[question.request.entityName], plan: plan, unplannedReason: reason, problems: [])
  }

  /// Finds the inverse by name in the destination or the nearest ancestor that declares it.
  private static func inverse(
    of relationship: RelationshipDescription, order: [EntityDescription], number: [String: EntityID]
  ) -> RelationshipID? {
    guard let name = relationship.inverse else { return nil }
    var current: String? = relationship.inverseEntity ?? relationship.destination
    while let entityName = current, let entity = number[entityName] {
      let draft = order[entity.index]
      let own = draft.properties.compactMap { $0 as? RelationshipDescription }
      if let place = own.firstIndex(where: { $0.name == name }) {
        return RelationshipID(entity: entity, index: place + self.inheritedCount(draft, order, number))
      }
      current = draft.parent
    }
    return nil
  }

  private static func inheritedCount(
    _ entity: EntityDescription, _ order: [EntityDescription], _ number: [String: EntityID]
  ) -> Int {
    var count = 0
    var parent = entity.parent
    while let name = parent, let id = number[name] {
      count += order[id.index].properties.count { $0 is RelationshipDescription }
      parent = order[id.index].parent
    }
    return count
  }
}
