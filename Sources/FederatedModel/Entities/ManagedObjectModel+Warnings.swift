extension ManagedObjectModel {
  /// What the model allows and is hardly meant: links whose two sides can never be equal, such as a text key `"007"`
  /// against a number 7. Reading such a fetched property finds nothing and throws nothing, but for a date against a
  /// number, which throws.
  ///
  /// ```swift
  /// for warning in model.warnings { print(warning) }
  /// ```
  public var warnings: [ModelError.Breach] {
    self.entities.flatMap { entity in
      entity.fetchedProperties.lazy.filter { $0.declaringEntity == entity.id }.flatMap {
        self.unlikeLinks(of: $0, entity)
      }
    }
  }

  private func unlikeLinks(of property: FetchedProperty, _ entity: Entity) -> [ModelError.Breach] {
    guard let plan = property.plan, let destination = property.destination.map({ self[$0] }) else {
      return []
    }
    return plan.keys.compactMap { key in
      guard let attribute = destination.attribute(named: key.attribute),
        let source = self.attribute(at: key.sourcePath, from: entity)
      else { return nil }
      let (left, right) = (OperandType(attribute.type), OperandType(source.type))
      if left == right || left == .unknown || right == .unknown { return nil }
      let path = key.sourcePath.joined(separator: ".")
      return ModelError.Breach(
        .unlikeLinkTypes, entity: entity.name, property: property.name,
        "The link compares \(destination.name).\(key.attribute), which is \(left.name), with \(path), which is "
          + "\(right.name): they are never equal. Give both one type, or put CAST around one of them.")
    }
  }

  private func attribute(at path: [String], from entity: Entity) -> Attribute? {
    var entity = entity
    for key in path.dropLast() {
      guard let relationship = entity.relationship(named: key) else { return nil }
      entity = self[relationship.destination]
    }
    return path.last.flatMap { entity.attribute(named: $0) }
  }
}
