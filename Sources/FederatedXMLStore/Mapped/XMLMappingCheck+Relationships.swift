internal import FederatedModel
internal import FederatedStore

extension XMLMappingCheck {
  /// What can be said of a relationship before the keys of all entities are known.
  mutating func checkRelationship(_ name: String, _ entity: Entity, _ entityPlace: [String]) {
    let place = entityPlace + ["relationships", name]
    guard let relationship = entity.relationship(named: name), !relationship.isTransient else {
      let names = entity.relationships.map(\.name)
      return self.fault(place, self.unknown("stored relationship", name, entity, names))
    }
    switch self.mapping.entities[entity.name]?.relationships[name] {
    case .records(let text):
      guard let path = self.relativePath(text, place + ["records"]) else { return }
      if path.end != .element || path.steps.isEmpty {
        self.fault(place + ["records"], "'\(text)' is no path of elements inside the record")
      }
      let destination = self.model[relationship.destination]
      if self.mapping.entities[destination.name] == nil {
        self.fault(
          place, "\(destination.name), its destination, is not mapped; records of it could not be read")
      }
    case .reference(let text): _ = self.relativePath(text, place + ["path"])
    case .references(let texts):
      for text in texts { _ = self.relativePath(text, place + ["path"]) }
      if relationship.isToMany, texts.count != 1 {
        self.fault(
          place, "a to-many by keys of several parts cannot be kept in paths; keep it at its other end")
      }
    case nil: return
    }
  }

  /// Entities of one hierarchy name their records in one way, because a reference may lead to any of them.
  mutating func checkKeys(of plans: [XMLRecordPlan]) {
    var first: [EntityID: XMLRecordPlan] = [:]
    for plan in plans {
      guard let known = first[plan.entity.root] else {
        first[plan.entity.root] = plan
        continue
      }
      if known.key.map(\.name) != plan.key.map(\.name) {
        self.fault(
          ["entities", plan.entity.name, "key"],
          "\(plan.entity.name) and \(known.entity.name) are of one hierarchy and must have the same key")
      }
    }
  }

  mutating func addReferences(to plans: inout [XMLRecordPlan]) {
    let all = plans
    for index in plans.indices {
      let entity = plans[index].entity
      let mapped = self.mapping.entities[entity.name]?.relationships ?? [:]
      for name in mapped.keys.sorted() {
        guard let relationship = entity.relationship(named: name), let place = mapped[name] else { continue }
        switch place {
        case .records(let text):
          guard let path = self.relativePath(text, []) else { continue }
          plans[index].links.append(XMLLinkPlan(relationship, path, in: self.model))
        case .reference(let text): self.add(relationship, [text], to: &plans[index], all)
        case .references(let texts): self.add(relationship, texts, to: &plans[index], all)
        }
      }
      self.checkPlaces(of: plans[index])
    }
    self.findUntoldInverses(of: &plans)
  }

  /// A relationship that is kept as keys at one end only tells the to-one of the other end too.
  private func findUntoldInverses(of plans: inout [XMLRecordPlan]) {
    var told = Set<RelationshipID>()
    for plan in plans {
      told.formUnion(plan.references.map(\.relationship.id))
      for link in plan.links {
        told.insert(link.relationship.id)
        if let inverse = link.inverse { told.insert(inverse.id) }
      }
    }
    for plan in plans.indices {
      for reference in plans[plan].references.indices {
        let relationship = plans[plan].references[reference].relationship
        guard let inverse = relationship.inverse, !told.contains(inverse) else { continue }
        let back = self.model.relationship(inverse)
        if back.slot != nil { plans[plan].references[reference].untoldInverse = back }
      }
    }
  }

  private mutating func add(
    _ relationship: Relationship, _ texts: [String], to plan: inout XMLRecordPlan, _ plans: [XMLRecordPlan]
  ) {
    let place = ["entities", plan.entity.name, "relationships", relationship.name]
    let destination = self.model[relationship.destination]
    let family = plans.filter { $0.entity.isKind(of: destination) }
    guard let target = family.first, target.isKeyed else {
      return self.fault(
        place, "\(destination.name), its destination, has no \"key\" that a reference could name")
    }
    guard target.key.count == texts.count else {
      return self.fault(
        place, "the key of \(destination.name) has \(target.key.count) parts and the reference \(texts.count)"
      )
    }
    var reference = XMLReferencePlan(relationship: relationship)
    for (part, text) in texts.enumerated() {
      guard let path = self.relativePath(text, place),
        case .attribute(_, _, let conversion) = target.values[target.keyValues[part]].kind
      else { continue }
      reference.conversions.append(conversion)
      reference.values.append(plan.values.count)
      let value = XMLValuePlan(
        name: relationship.name, path: path, pathText: text,
        kind: .reference(plan.references.count, part: part))
      plan.columns.append(XMLValueColumn(value, type: nil, format: nil))
      plan.values.append(value)
    }
    plan.references.append(reference)
  }

  /// A relationship without a place is nil in every object, which only an optional one may be.
  private mutating func checkPlaces(of plan: XMLRecordPlan) {
    for relationship in plan.entity.relationships where !relationship.isTransient {
      guard !self.hasPlace(relationship, of: plan.entity), !relationship.description.isOptional else {
        continue
      }
      self.fault(
        ["entities", plan.entity.name, "relationships"],
        "\(relationship.name) has no place and is not optional; map it or its inverse")
    }
  }

  private func hasPlace(_ relationship: Relationship, of entity: Entity) -> Bool {
    if self.mapping.entities[entity.name]?.relationships[relationship.name] != nil { return true }
    guard let inverse = relationship.inverse.map({ self.model.relationship($0) }) else { return false }
    return self.model[relationship.destination].family.contains { member in
      self.mapping.entities[self.model[member].name]?.relationships[inverse.name] != nil
    }
  }
}
