/// Turns drafts into numbered entities with inherited properties, slots and inverses.
struct ModelResolution {
  let draft: ModelDraft
  var entities: [Entity] = []
  var problems: [ModelError.Breach] = []

  static func resolve(_ draft: ModelDraft, deferringQuestions: Bool) throws(ModelError) -> ModelResolution {
    var resolution = ModelResolution(draft: draft)
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
      properties.add(draft, id: id, order: order, number: number)
      resolved.append(
        Entity(
          id: id, description: draft, parent: parent?.id, root: parent?.root ?? id,
          subentities: children[index], family: families[index], attributes: properties.attributes,
          relationships: properties.relationships, fetchedProperties: properties.fetched,
          layout: RowLayout(entity: id, columns: properties.columns)))
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
      _ draft: EntityDescription, id: EntityID, order: [EntityDescription], number: [String: EntityID]
    ) {
      for property in draft.properties {
        switch property {
        case let attribute as AttributeDescription: self.add(attribute, id: id)
        case let relationship as RelationshipDescription:
          self.add(relationship, id: id, order: order, number: number)
        case let question as FetchedPropertyDescription:
          self.fetched.append(
            FetchedProperty(
              description: question, declaringEntity: id, index: self.fetched.count,
              request: question.request, destination: question.request.flatMap { number[$0.entityName] },
              plan: nil))
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
      count += order[id.index].properties.count { ($0 as? RelationshipDescription).map { number[$0.destination] != nil } ?? false }
      parent = order[id.index].parent
    }
    return count
  }
}
