/// Names of a draft that may still be wrong, resolved as far as they can be.
///
/// Validation works on drafts, not on the frozen model, so that one pass reports every breach.
struct DraftIndex {
  private let entities: [String: EntityDescription]
  private let properties: [String: [String: any PropertyDescription]]
  let names: [String]

  init(_ draft: ModelDraft) {
    self.entities = Dictionary(draft.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.properties = self.entities.mapValues { entity in
      Dictionary(entity.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    self.names = draft.entities.map(\.name)
  }

  func entity(_ name: String) -> EntityDescription? { self.entities[name] }

  /// The entity and its ancestors, nearest first; ends where a name is unknown or comes round again.
  func chain(of name: String) -> [EntityDescription] {
    var chain: [EntityDescription] = []
    var seen: Set<String> = []
    var current: String? = name
    while let name = current, seen.insert(name).inserted, let entity = self.entities[name] {
      chain.append(entity)
      current = entity.parent
    }
    return chain
  }

  /// The property of that name, own or inherited, and the entity that declares it.
  func property(
    named name: String, of entity: String
  ) -> (declaring: EntityDescription, property: any PropertyDescription)? {
    for declaring in self.chain(of: entity) {
      if let property = self.properties[declaring.name]?[name] { return (declaring, property) }
    }
    return nil
  }

  /// All property names of an entity, inherited ones included.
  func propertyNames(of entity: String) -> [String] {
    self.chain(of: entity).flatMap { $0.properties.map(\.name) }
  }

  /// Whether one of the two is the other or an ancestor of it.
  func areRelated(_ a: String, _ b: String) -> Bool {
    self.chain(of: a).contains { $0.name == b } || self.chain(of: b).contains { $0.name == a }
  }

  /// ` Did you mean "x"?`, or nothing when no entity name is near.
  func entityHint(for name: String) -> String { NearestName.hint(for: name, among: self.names) }

  func propertyHint(for name: String, of entity: String) -> String {
    NearestName.hint(for: name, among: self.propertyNames(of: entity))
  }
}
