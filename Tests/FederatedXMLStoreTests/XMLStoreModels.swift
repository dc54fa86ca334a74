import FederatedModel

/// The models of these tests.
enum XMLStoreModels {
  /// One entity with an attribute of every type.
  static func everything() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Item",
        properties: [
          AttributeDescription("title", .string, optional: true),
          AttributeDescription("small", .integer16, optional: true),
          AttributeDescription("middle", .integer32, optional: true),
          AttributeDescription("large", .integer64, optional: true),
          AttributeDescription("price", .decimal, optional: true),
          AttributeDescription("ratio", .double, optional: true),
          AttributeDescription("share", .float, optional: true),
          AttributeDescription("isDone", .boolean, optional: true),
          AttributeDescription("dueDate", .date, optional: true),
          AttributeDescription("picture", .binary, optional: true),
          AttributeDescription("key", .uuid, optional: true),
          AttributeDescription("link", .uri, optional: true),
          AttributeDescription("shape", .transformable(codec: nil), optional: true),
        ])
    ])
  }

  /// Folders with notes, tags on notes in both directions, and an ordered list.
  static func notes() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Folder",
        properties: [
          AttributeDescription("name", .string, optional: true),
          RelationshipDescription("notes", to: "Note", .many, inverse: "folder"),
          RelationshipDescription("pinned", to: "Note", .orderedMany, inverse: "pinnedIn"),
        ]),
      EntityDescription(
        "Note",
        properties: [
          AttributeDescription("title", .string, optional: true),
          RelationshipDescription("folder", to: "Folder", .one, inverse: "notes"),
          RelationshipDescription("pinnedIn", to: "Folder", .one, inverse: "pinned"),
          RelationshipDescription("tags", to: "Tag", .many, inverse: "notes"),
        ]),
      EntityDescription(
        "Task", parent: "Note", properties: [AttributeDescription("done", .boolean, optional: true)]),
      EntityDescription(
        "Tag",
        properties: [
          AttributeDescription("name", .string, optional: true),
          RelationshipDescription("notes", to: "Note", .many, inverse: "tags"),
        ]),
    ])
  }
}
