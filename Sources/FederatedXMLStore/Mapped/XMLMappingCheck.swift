internal import FederatedModel
internal import FederatedStore

/// Checks a mapping whole against a model, and makes the plans of its records on the way.
struct XMLMappingCheck {
  let mapping: XMLMapping
  let model: ManagedObjectModel
  /// The entities that the store holds.
  let entities: [Entity]
  private(set) var faults: [MappingFault] = []

  init(_ mapping: XMLMapping, _ model: ManagedObjectModel, configuration: String?) {
    self.mapping = mapping
    self.model = model
    self.entities = model.entities(forConfiguration: configuration) ?? []
  }

  mutating func fault(_ path: [String], _ message: String) { self.faults.append(MappingFault(path, message)) }

  mutating func run() -> [XMLRecordPlan] {
    if self.mapping.entities.isEmpty { self.fault(["entities"], "no entity is mapped; map at least one") }
    for prefix in self.mapping.namespaces.keys.sorted() where self.mapping.namespaces[prefix]?.isEmpty ?? true
    {
      self.fault(["namespaces", prefix], "a namespace is not empty; leave the prefix out for names in none")
    }
    var plans: [XMLRecordPlan] = []
    for name in self.mapping.entities.keys.sorted() {
      if let entity = self.entity(name), let plan = self.plan(entity) { plans.append(plan) }
    }
    self.checkCompleteness()
    if self.faults.isEmpty { self.checkKeys(of: plans) }
    if self.faults.isEmpty { self.addReferences(to: &plans) }
    return plans
  }

  private mutating func entity(_ name: String) -> Entity? {
    let place = ["entities", name]
    guard let entity = self.entities.first(where: { $0.name == name }) else {
      let names = self.entities.filter { !$0.isAbstract }.map(\.name)
      self.fault(
        place,
        "the store holds no entity of that name.\(NearestName.hint(for: name, among: names)) "
          + "It holds \(names.joined(separator: ", "))")
      return nil
    }
    if entity.isAbstract {
      self.fault(
        place, "the entity is abstract and has no records of its own; map those that inherit from it")
      return nil
    }
    return entity
  }

  /// An entity without a place would be empty without a word.
  private mutating func checkCompleteness() {
    for entity in self.entities where !entity.isAbstract && self.mapping.entities[entity.name] == nil {
      self.fault(
        ["entities"],
        "the store holds \(entity.name), which is not mapped; map it, or give the store a configuration without it"
      )
    }
  }

  // MARK: One entity

  private mutating func plan(_ entity: Entity) -> XMLRecordPlan? {
    guard let mapped = self.mapping.entities[entity.name] else { return nil }
    let place = ["entities", entity.name]
    var plan = XMLRecordPlan(entity, self.recordPaths(mapped, entity, place))
    for name in mapped.attributes.keys.sorted() { self.add(name, mapped, to: &plan, place) }
    for attribute in entity.attributes where mapped.attributes[attribute.name] == nil {
      guard attribute.slot != nil, !attribute.description.isOptional else { continue }
      self.fault(
        place + ["attributes"],
        "\(attribute.name) has no place and is not optional; map it, or make it optional or transient in the model"
      )
    }
    for name in mapped.relationships.keys.sorted() { self.checkRelationship(name, entity, place) }
    self.takeKey(mapped, &plan, place)
    return plan
  }

  private mutating func recordPaths(
    _ mapped: XMLEntityMapping, _ entity: Entity, _ place: [String]
  ) -> [XMLPath] {
    if mapped.records.isEmpty, !self.isNested(entity) {
      self.fault(
        place, "no path leads to its records; add \"records\", or name it in a relationship's \"records\"")
    }
    return mapped.records.compactMap { text in
      guard let path = self.path(text, place + ["records"]) else { return nil }
      guard path.isAbsolute, path.end == .element else {
        self.fault(
          place + ["records"], "'\(text)' is no path of record elements; begin it with / and end it with one")
        return nil
      }
      return path
    }
  }

  /// Whether records of the entity stand inside those of another.
  private func isNested(_ entity: Entity) -> Bool {
    self.mapping.entities.contains { name, mapped in
      mapped.relationships.contains { relationship, place in
        guard case .records = place else { return false }
        return self.entities.first { $0.name == name }?.relationship(named: relationship)?.destination
          == entity.id
      }
    }
  }

  private mutating func add(
    _ name: String, _ mapped: XMLEntityMapping, to plan: inout XMLRecordPlan, _ entityPlace: [String]
  ) {
    let place = entityPlace + ["attributes", name]
    guard let value = mapped.attributes[name] else { return }
    guard let attribute = plan.entity.attribute(named: name), let slot = attribute.slot,
      let kind = attribute.type.slotKind
    else {
      return self.fault(
        place, self.unknown("stored attribute", name, plan.entity, plan.entity.attributes.map(\.name)))
    }
    guard let path = self.relativePath(value.path, place) else { return }
    guard let conversion = TextConversion(attribute.type, value.format, zone: self.mapping.zone) else {
      return self.fault(place + ["format"], "texts of this format cannot be values of the attribute's type")
    }
    if case .datePattern(let pattern, .required) = value.format, !ValueFormat.namesZone(pattern) {
      return self.fault(
        place + ["format"], "the pattern '\(pattern)' has no letter for the zone; add one, or give \"zone\"")
    }
    let valuePlan = XMLValuePlan(
      name: name, path: path, pathText: value.path,
      kind: .attribute(slot: slot, kind: kind, conversion: conversion), repeated: value.repeated,
      unfit: value.unfit)
    plan.columns.append(XMLValueColumn(valuePlan, type: attribute.type, format: value.format))
    plan.values.append(valuePlan)
  }

  private mutating func takeKey(_ mapped: XMLEntityMapping, _ plan: inout XMLRecordPlan, _ place: [String]) {
    for name in mapped.key {
      guard let value = mapped.attributes[name], let attribute = plan.entity.attribute(named: name),
        let index = plan.values.firstIndex(where: { $0.name == name })
      else {
        self.fault(
          place + ["key"],
          "'\(name)' is no mapped attribute\(NearestName.hint(for: name, among: mapped.attributes.keys.sorted()))"
        )
        continue
      }
      if value.unfit == .asNil || value.repeated == .last {
        self.fault(
          place + ["attributes", name],
          "the attribute is part of the key: its value is the one that stands there, so "
            + "\"unfit\" must be \"error\" and \"repeated\" \"error\" or \"first\"")
      }
      plan.key.append(attribute)
      plan.keyValues.append(index)
    }
  }

  func unknown(_ what: String, _ name: String, _ entity: Entity, _ names: [String]) -> String {
    "\(entity.name) has no \(what) of that name.\(NearestName.hint(for: name, among: names))"
  }
}
