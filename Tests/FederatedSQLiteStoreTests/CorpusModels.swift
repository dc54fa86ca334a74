import FederatedModel

/// Models written for stores that other people's programs saved.
enum CorpusModels {
  static func cars() throws -> ManagedObjectModel {
    var person = EntityDescription(
      "Person",
      properties: [
        AttributeDescription("firstName", .string, optional: true), AttributeDescription("id", .uuid),
        AttributeDescription("lastName", .string, optional: true), AttributeDescription("updatedAt", .date),
        AttributeDescription("isDriving", .boolean, transient: true),
        RelationshipDescription("cars", to: "Car", .many, inverse: "owner"),
      ])
    person.uniquenessConstraints = [["firstName", "lastName"]]
    return try ManagedObjectModel(entities: [
      EntityDescription(
        "Car",
        properties: [
          AttributeDescription("color", .binary, optional: true),
          AttributeDescription("maker", .string, optional: true),
          AttributeDescription("markedForDeletionAsOf", .date, optional: true),
          AttributeDescription("model", .string, optional: true),
          AttributeDescription("numberPlate", .string),
          AttributeDescription("currentDrivingSpeed", .integer64, optional: true, transient: true),
          RelationshipDescription("owner", to: "Person", inverse: "cars"),
        ]),
      EntityDescription("SportCar", parent: "Car"),
      EntityDescription(
        "ExpensiveSportCar", parent: "SportCar",
        properties: [AttributeDescription("isLimitedEdition", .boolean, optional: true)]),
      person,
    ])
  }

  static func library() throws -> ManagedObjectModel {
    var pages = RelationshipDescription("pages", to: "Page", .many, inverse: "book", deleteRule: .cascade)
    pages.maxCount = 10_000
    var pagesCount = AttributeDescription("pagesCount", .integer64, optional: true)
    pagesCount.derivationExpression = "pages.@count"
    return try ManagedObjectModel(entities: [
      EntityDescription(
        "Book",
        properties: [
          AttributeDescription("frontCover", .binary, optional: true),
          AttributeDescription("price", .decimal),
          pagesCount, AttributeDescription("publishedAt", .date), AttributeDescription("title", .string),
          AttributeDescription("uniqueID", .uuid),
          RelationshipDescription("author", to: "Author", inverse: "books", optional: false), pages,
        ]),
      EntityDescription(
        "GraphicNovel", parent: "Book", properties: [AttributeDescription("isBlackAndWhite", .boolean)]),
      EntityDescription(
        "Feedback",
        properties: [
          AttributeDescription("bookID", .uuid), AttributeDescription("comment", .string, optional: true),
          AttributeDescription("authorAlias", .string), AttributeDescription("rating", .double),
        ]),
      EntityDescription(
        "Page",
        properties: [
          AttributeDescription("isBookmarked", .boolean), AttributeDescription("number", .integer32),
          AttributeDescription("content", .binary, optional: true),
          RelationshipDescription("book", to: "Book", inverse: "pages", optional: false),
        ]),
      EntityDescription("Writer", abstract: true, properties: [AttributeDescription("age", .integer16)]),
      EntityDescription(
        "Author", parent: "Writer",
        properties: [
          AttributeDescription("alias", .string),
          RelationshipDescription("books", to: "Book", .many, inverse: "author", deleteRule: .cascade),
        ]),
    ])
  }

  static func users() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "User",
        properties: [
          AttributeDescription("name", .string), AttributeDescription("petName", .string, optional: true),
        ])
    ])
  }

  static func bookmarks() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "BookmarkEntity",
        properties: [
          AttributeDescription("isFolder", .boolean),
          AttributeDescription("isPendingDeletion", .boolean, optional: true),
          AttributeDescription("lastChildrenPayloadReceivedFromSync", .string, optional: true),
          AttributeDescription("modifiedAt", .date, optional: true),
          AttributeDescription("title", .string, optional: true),
          AttributeDescription("url", .string, optional: true), AttributeDescription("uuid", .string),
          RelationshipDescription(
            "children", to: "BookmarkEntity", .orderedMany, inverse: "parent", deleteRule: .cascade),
          RelationshipDescription("favoriteFolders", to: "BookmarkEntity", .many, inverse: "favorites"),
          RelationshipDescription(
            "favorites", to: "BookmarkEntity", .orderedMany, inverse: "favoriteFolders"),
          RelationshipDescription("parent", to: "BookmarkEntity", inverse: "children"),
        ])
    ])
  }

  static func books() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Book",
        properties: [
          AttributeDescription("author", .string, optional: true),
          AttributeDescription("copyright", .date, optional: true),
          AttributeDescription("title", .string, optional: true),
        ])
    ])
  }

  /// Two of the nine entities of the file.
  static func usage() throws -> ManagedObjectModel {
    func hint(_ name: String, _ destination: String, _ inverse: String) -> RelationshipDescription {
      var hint = RelationshipDescription(name, to: destination, inverse: inverse)
      hint.isTransient = true
      return hint
    }
    return try ManagedObjectModel(entities: [
      EntityDescription(
        "LiveUsage",
        properties: [
          AttributeDescription("wifiIN", .double, optional: true),
          AttributeDescription("wwanIN", .double, optional: true),
          AttributeDescription("timeStamp", .date, optional: true),
          AttributeDescription("kind", .integer32, optional: true),
          RelationshipDescription("hasProcess", to: "Process", inverse: "hasLiveUsage"),
          hint("hintedBy", "Process", "hintLiveUsage"),
        ]),
      EntityDescription(
        "Process",
        properties: [
          AttributeDescription("procName", .string, optional: true),
          AttributeDescription("timeStamp", .date, optional: true),
          RelationshipDescription(
            "hasLiveUsage", to: "LiveUsage", .many, inverse: "hasProcess", deleteRule: .cascade),
          hint("hintLiveUsage", "LiveUsage", "hintedBy"),
        ]),
    ])
  }
}
