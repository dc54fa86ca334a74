internal import FederatedModel

/// A model with links of every kind: one to one, one to many, many to many, ordered, to the entity itself, to
/// subentities, without an inverse, cascading, and a fetched property into another store.
enum ScriptModel {
  static func make() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Node") {
        AttributeDescription("name", .string, optional: true)
        AttributeDescription("number", .integer64, optional: true)
        AttributeDescription("flag", .boolean, optional: true, default: true)
        RelationshipDescription("boss", to: "Node", inverse: "reports")
        RelationshipDescription("reports", to: "Node", .many, inverse: "boss")
        RelationshipDescription("mate", to: "Node", inverse: "mate")
        RelationshipDescription("badge", to: "Tag", inverse: "holder")
        RelationshipDescription("friends", to: "Node", .many, inverse: "friends")
        RelationshipDescription("group", to: "Group", inverse: "nodes")
        RelationshipDescription("tags", to: "Tag", .many, inverse: "nodes")
        RelationshipDescription("parts", to: "Part", .orderedMany, inverse: "node", deleteRule: .cascade)
        RelationshipDescription("lineups", to: "Group", .many, inverse: "lineup")
        RelationshipDescription("favourite", to: "Group")
        RelationshipDescription("likes", to: "Tag", .many)
        FetchedPropertyDescription("notes", of: "Note", where: "key == $FETCH_SOURCE.number")
      }
      EntityDescription("Leader", parent: "Node") {
        AttributeDescription("level", .integer16, optional: true)
        RelationshipDescription("led", to: "Group", inverse: "leader")
      }
      EntityDescription("Group") {
        AttributeDescription("name", .string, optional: true)
        RelationshipDescription("nodes", to: "Node", .many, inverse: "group")
        RelationshipDescription("lineup", to: "Node", .orderedMany, inverse: "lineups")
        RelationshipDescription("leader", to: "Leader", inverse: "led")
      }
      EntityDescription("Tag") {
        AttributeDescription("name", .string, optional: true)
        RelationshipDescription("holder", to: "Node", inverse: "badge")
        RelationshipDescription("nodes", to: "Node", .many, inverse: "tags")
      }
      EntityDescription("Part") {
        AttributeDescription("name", .string, optional: true)
        RelationshipDescription("node", to: "Node", inverse: "parts")
      }
      EntityDescription("Note") {
        AttributeDescription("key", .integer64, optional: true)
      }
      ModelConfiguration("A", entities: ["Node", "Leader", "Group", "Tag", "Part"])
      ModelConfiguration("B", entities: ["Note"])
    }
  }

  /// Entities whose objects are inserted, with how many there are at most.
  static let entities: [(name: String, most: Int)] = [
    ("Node", 9), ("Leader", 4), ("Group", 4), ("Tag", 4), ("Part", 9), ("Note", 8),
  ]
}
