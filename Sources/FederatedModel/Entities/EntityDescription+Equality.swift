extension EntityDescription: Equatable {
  /// Whether both describe the same entity, properties in the same order.
  public static func == (a: EntityDescription, b: EntityDescription) -> Bool {
    a.name == b.name && a.parent == b.parent && a.isAbstract == b.isAbstract
      && a.managedObjectClassName == b.managedObjectClassName && a.userInfo == b.userInfo
      && a.renamingIdentifier == b.renamingIdentifier && a.versionHashModifier == b.versionHashModifier
      && a.uniquenessConstraints == b.uniquenessConstraints && a.indexes == b.indexes
      && a.compoundIndexes == b.compoundIndexes && a.fileAttributes == b.fileAttributes
      && a.fileElements == b.fileElements && a.properties.count == b.properties.count
      && zip(a.properties, b.properties).allSatisfy { self.areEqual($0, $1) }
  }

  private static func areEqual(_ a: any PropertyDescription, _ b: any PropertyDescription) -> Bool {
    switch (a, b) {
    case (let a as AttributeDescription, let b as AttributeDescription): a == b
    case (let a as RelationshipDescription, let b as RelationshipDescription): a == b
    case (let a as FetchedPropertyDescription, let b as FetchedPropertyDescription): a == b
    default: false
    }
  }
}
