import FederatedModel

/// A model that meets every rule of the layout: clashing siblings, polymorphic and ordered to-ones,
/// one-to-one, every kind of to-many, constraints and indexes.
enum ShopModel {
  static let model: ManagedObjectModel = {
    do { return try make() } catch { preconditionFailure("\(error)") }
  }()

  private static func make() throws -> ManagedObjectModel {
    var picture = AttributeDescription("picture", .binary, optional: true)
    picture.allowsExternalBinaryDataStorage = true
    var code = AttributeDescription("code", .string, optional: true)
    code.isIndexed = true
    var party = EntityDescription(
      "Party", abstract: true,
      properties: [
        AttributeDescription("name", .string, optional: true),
        AttributeDescription("since", .date, optional: true),
        code, picture,
        RelationshipDescription("orders", to: "Order", .orderedMany, inverse: "party"),
        RelationshipDescription("groups", to: "Group", .many, inverse: "members"),
        RelationshipDescription("knows", to: "Party", .many, inverse: "knownBy"),
        RelationshipDescription("knownBy", to: "Party", .many, inverse: "knows"),
        RelationshipDescription("friends", to: "Party", .many, inverse: "friends"),
      ])
    party.uniquenessConstraints = [["code"]]
    party.indexes = [
      FetchIndexDescription("byNameSince", [.init("name"), .init("since", ascending: false)])
    ]
    return try ManagedObjectModel(entities: [
      party,
      EntityDescription(
        "Person", parent: "Party",
        properties: [
          AttributeDescription("title", .string, optional: true),
          AttributeDescription("age", .integer16, optional: true),
          RelationshipDescription("passport", to: "Passport", inverse: "holder"),
        ]),
      EntityDescription(
        "Company", parent: "Party", properties: [AttributeDescription("title", .integer32, optional: true)]),
      EntityDescription(
        "Passport",
        properties: [
          AttributeDescription("number", .uuid, optional: true),
          RelationshipDescription("holder", to: "Person", inverse: "passport"),
        ]),
      EntityDescription(
        "Group",
        properties: [
          AttributeDescription("label", .string, optional: true),
          RelationshipDescription("members", to: "Party", .orderedMany, inverse: "groups"),
          RelationshipDescription("links", to: "Order", .orderedMany),
        ]),
      EntityDescription(
        "Order",
        properties: [
          AttributeDescription("total", .decimal, optional: true),
          AttributeDescription("weight", .double, optional: true),
          AttributeDescription("isOpen", .boolean, optional: true),
          AttributeDescription("count", .integer64, optional: true),
          AttributeDescription("page", .uri, optional: true),
          AttributeDescription("data", .binary, optional: true),
          RelationshipDescription("party", to: "Party", inverse: "orders"),
        ]),
    ])
  }
}
