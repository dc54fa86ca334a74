public import FederatedModel

/// The model that all checks share: every attribute type, inheritance, and every kind of relationship.
///
/// | entity | what it is for |
/// | --- | --- |
/// | `Folder` | to-many (`records`), ordered to-many (`pinned`), one-to-one (`cover`), a tree of itself |
/// | `Record` | one attribute of each type, to-one sides, `tags`; `Note` and `Memo` inherit from it |
/// | `Tag` | many-to-many (`records`), ordered many-to-many (`shelf`), many-to-many with itself (`related`) |
/// | `Thing` | abstract; `Pen` and `Cup` are its rows |
public enum ConformanceModel {
  public static func make() throws(ModelError) -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [folder, record, note, memo, tag, thing, pen, cup],
      configurations: [
        ModelConfiguration(
          "Everything", entities: ["Folder", "Record", "Note", "Memo", "Tag", "Thing", "Pen", "Cup"]),
        ModelConfiguration("Things", entities: ["Thing", "Pen", "Cup"]),
      ])
  }

  /// The model after a change of one entity.
  public static func makeNext() throws(ModelError) -> ManagedObjectModel {
    var pen = pen
    pen.properties.append(AttributeDescription("colour", .string, optional: true))
    return try ManagedObjectModel(entities: [folder, record, note, memo, tag, thing, pen, cup])
  }

  static let folder = EntityDescription(
    "Folder",
    properties: [
      AttributeDescription("name", .string, optional: true),
      AttributeDescription("rank", .integer32, optional: true),
      RelationshipDescription("parent", to: "Folder", inverse: "children"),
      RelationshipDescription("children", to: "Folder", .many, inverse: "parent"),
      RelationshipDescription("records", to: "Record", .many, inverse: "folder"),
      RelationshipDescription("pinned", to: "Record", .orderedMany, inverse: "pinnedIn"),
      RelationshipDescription("cover", to: "Record", inverse: "coverOf"),
    ])

  static let record = EntityDescription(
    "Record",
    properties: [
      AttributeDescription("small", .integer16, optional: true),
      AttributeDescription("middle", .integer32, optional: true),
      AttributeDescription("large", .integer64, optional: true),
      AttributeDescription("price", .decimal, optional: true),
      AttributeDescription("weight", .double, optional: true),
      AttributeDescription("ratio", .float, optional: true),
      AttributeDescription("title", .string, optional: true),
      AttributeDescription("isOpen", .boolean, optional: true),
      AttributeDescription("date", .date, optional: true),
      AttributeDescription("bytes", .binary, optional: true),
      AttributeDescription("uuid", .uuid, optional: true),
      AttributeDescription("link", .uri, optional: true),
      AttributeDescription("shape", .transformable(codec: nil), optional: true),
      AttributeDescription("draft", .string, optional: true, transient: true),
      RelationshipDescription("folder", to: "Folder", inverse: "records"),
      RelationshipDescription("pinnedIn", to: "Folder", inverse: "pinned"),
      RelationshipDescription("coverOf", to: "Folder", inverse: "cover"),
      RelationshipDescription("tags", to: "Tag", .many, inverse: "records"),
      RelationshipDescription("shelves", to: "Tag", .many, inverse: "shelf"),
    ])

  static let note = EntityDescription(
    "Note", parent: "Record", properties: [AttributeDescription("text", .string, optional: true)])

  static let memo = EntityDescription(
    "Memo", parent: "Note", properties: [AttributeDescription("urgency", .integer16, optional: true)])

  static let tag = EntityDescription(
    "Tag",
    properties: [
      AttributeDescription("label", .string, optional: true),
      RelationshipDescription("records", to: "Record", .many, inverse: "tags"),
      RelationshipDescription("shelf", to: "Record", .orderedMany, inverse: "shelves"),
      RelationshipDescription("related", to: "Tag", .many, inverse: "related"),
    ])

  static let thing = EntityDescription(
    "Thing", abstract: true, properties: [AttributeDescription("size", .integer32, optional: true)])
  static let pen = EntityDescription("Pen", parent: "Thing")
  static let cup = EntityDescription("Cup", parent: "Thing")
}
