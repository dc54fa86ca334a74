/// All that a model says, item by item in a stable order: what is printed of a model, and what two are compared by.
///
/// What only a model editor knows (the place of a box in its diagram, how code is generated) is left out.
///
/// ```swift
/// for item in ModelOutline(of: model).items { print(item, item.summary) }
/// ```
public struct ModelOutline: Hashable, Sendable {
  /// The model itself, then each entity followed by its own properties, configurations, templates, composites.
  public let items: [ModelItem]

  public init(of model: ManagedObjectModel) {
    var items = [ModelItem(model)]
    for entity in model.entities {
      items.append(ModelItem(entity.description))
      let own = entity.description.properties
      items += own.compactMap { $0 as? AttributeDescription }.map { ModelItem($0, of: entity.name) }
      items += own.compactMap { $0 as? RelationshipDescription }.map { ModelItem($0, of: entity.name) }
      items += entity.fetchedProperties.filter { $0.declaringEntity == entity.id }.map {
        ModelItem($0, of: entity.name)
      }
    }
    items += model.configurations.map(ModelItem.init)
    items += model.templates.map(ModelItem.init)
    for composite in model.composites {
      items.append(ModelItem(.composite, composite.name, facts: []))
      items += composite.elements.map { ModelItem($0, of: composite.name, kind: .element) }
    }
    self.items = items
  }

  /// The items of a kind that have that owner.
  public func items(_ kind: ModelItem.Kind, of owner: String? = nil) -> [ModelItem] {
    self.items.filter { $0.kind == kind && $0.owner == owner }
  }
}

extension ModelItem {
  fileprivate init(_ model: ManagedObjectModel) {
    let identifiers = model.versionIdentifiers
    self.init(
      .model, "",
      facts: [ModelFact("versionIdentifiers", .list(identifiers.map(Value.string)), usually: .list([]))])
  }

  fileprivate init(_ configuration: ModelConfiguration) {
    let members = configuration.entities.map(Value.string)
    let sorted = configuration.entities.sorted().map(Value.string)
    self.init(
      .configuration, configuration.name,
      facts: [ModelFact("entities", .list(members), compared: .list(sorted))])
  }

  fileprivate init(_ template: FetchRequestTemplate) {
    self.init(
      .template, template.name,
      facts: [ModelFact("destination", template.request.entityName)]
        + template.request.facts(format: template.predicateFormat))
  }

  fileprivate init(_ entity: EntityDescription) {
    var facts = [
      ModelFact("parent", entity.parent),
      ModelFact("abstract", entity.isAbstract),
      ModelFact("class", entity.managedObjectClassName.flatMap { $0.isEmpty ? nil : $0 }),
      ModelFact("renamingIdentifier", entity.renamingIdentifier),
      ModelFact("versionHashModifier", entity.versionHashModifier),
      Self.lists("unique", entity.uniquenessConstraints, ordered: false),
      Self.lists("compoundIndexes", entity.compoundIndexes, ordered: true),
    ]
    facts += entity.indexes.map { ModelFact("index", key: $0.name, $0.text) }
    facts += Self.userInfo(entity.userInfo)
    self.init(.entity, entity.name, identifier: entity.effectiveRenamingIdentifier, facts: facts)
  }

  /// Lists of attribute names, each as one text. The order of the lists has no meaning.
  private static func lists(_ name: String, _ lists: [[String]], ordered: Bool) -> ModelFact {
    let text = { (list: [String]) in Value.string(list.joined(separator: ", ")) }
    let compared = lists.map { ordered ? $0 : $0.sorted() }.sorted { $0.lexicographicallyPrecedes($1) }
    return ModelFact(name, .list(lists.map(text)), usually: .list([]), compared: .list(compared.map(text)))
  }

  /// User info in the order of its keys.
  static func userInfo(_ info: [String: String]) -> [ModelFact] {
    info.sorted { $0.key < $1.key }.map { ModelFact("userInfo", key: $0.key, $0.value) }
  }
}

extension FetchIndexDescription {
  /// `code descending, seen where count > 0`.
  fileprivate var text: String {
    let parts = self.elements.map { element in
      [
        element.property ?? element.expressionFormat ?? "", element.ascending ? nil : "descending",
        element.kind == "Binary" ? nil : element.kind,
      ].compactMap(\.self).joined(separator: " ")
    }
    return (parts.isEmpty ? "of nothing" : parts.joined(separator: ", "))
      + (self.partialPredicateFormat.map { " where \($0)" } ?? "")
  }
}
