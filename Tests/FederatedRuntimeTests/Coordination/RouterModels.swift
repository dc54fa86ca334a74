import FederatedModel

/// Small models that routing is tried on.
enum RouterModels {
  /// Person with Manager below it, Team, Note; Person and Team are tied.
  static func office(configurations: [ModelConfiguration] = officeConfigurations) throws -> ManagedObjectModel
  {
    try ManagedObjectModel(
      entities: [
        EntityDescription(
          "Person",
          properties: [
            AttributeDescription("name", .string, optional: true),
            RelationshipDescription("team", to: "Team", inverse: "members"),
            FetchedPropertyDescription("notes", of: "Note"),
          ]),
        EntityDescription(
          "Manager", parent: "Person", properties: [AttributeDescription("level", .integer32)]),
        EntityDescription(
          "Team",
          properties: [
            AttributeDescription("name", .string, optional: true),
            RelationshipDescription("members", to: "Person", .many, inverse: "team"),
          ]),
        EntityDescription(
          "Note",
          properties: [
            AttributeDescription("text", .string, optional: true), AttributeDescription("rating", .integer64),
          ]),
      ], configurations: configurations)
  }

  static let officeConfigurations = [
    ModelConfiguration("People", entities: ["Person", "Manager", "Team"]),
    ModelConfiguration("Managers", entities: ["Manager", "Team"]),
    ModelConfiguration("PersonAlone", entities: ["Person", "Manager"]),
    ModelConfiguration("TeamAlone", entities: ["Team"]),
    ModelConfiguration("Notes", entities: ["Note"]),
  ]
}

extension ManagedObjectModel {
  func id(_ name: String) throws -> EntityID {
    guard let entity = self.entity(named: name) else { throw UnknownName(name: name) }
    return entity.id
  }

  func relationship(_ name: String, of entity: String) throws -> RelationshipID {
    guard let relationship = self.entity(named: entity)?.relationship(named: name) else {
      throw UnknownName(name: "\(entity).\(name)")
    }
    return relationship.id
  }
}

struct UnknownName: Error { let name: String }
