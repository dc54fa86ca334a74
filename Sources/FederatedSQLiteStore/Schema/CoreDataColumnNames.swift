internal import FederatedModel

/// The column names of one root table.
///
/// Properties of sibling entities may have one name; in the order of entity ids the first keeps the plain
/// column name, and the others get 1, 2, 3 … behind it.
struct CoreDataColumnNames {
  private var nameByProperty: [Key: String] = [:]

  struct Key: Hashable {
    let declaringEntity: EntityID
    let property: String
  }

  /// - Parameter entities: every entity of one table, in the order of the file's entity ids.
  init(entities: [Entity]) {
    var count: [String: Int] = [:]
    for entity in entities {
      let own =
        entity.attributes.filter { $0.declaringEntity == entity.id && $0.slot != nil }.map(\.name)
        + entity.relationships.filter { $0.declaringEntity == entity.id && $0.slot != nil }.map(\.name)
      for name in own {
        let upper = name.uppercased()
        let taken = count[upper, default: 0]
        count[upper] = taken + 1
        self.nameByProperty[Key(declaringEntity: entity.id, property: name)] =
          taken == 0 ? name : "\(name)\(taken)"
      }
    }
  }

  /// The property's name with its suffix, still in the model's case.
  func name(_ property: String, declaredBy entity: EntityID) -> String {
    self.nameByProperty[Key(declaringEntity: entity, property: property)] ?? property
  }
}
