public import FederatedModel

extension AuthorStack {
  /// The entities of fixture D0; the cases' variants of `notes` are further fetched properties.
  public static func entities(starred: Bool = true) -> [EntityDescription] {
    let byRating = FetchSortDescriptor.ascending("rating")
    let ofAuthor = "authorAlias == $FETCH_SOURCE.alias"
    var author = EntityDescription("Author") {
      AttributeDescription("name", .string)
      AttributeDescription("alias", .string, optional: true)
      AttributeDescription("code", .integer32, optional: true)
      AttributeDescription("score", .double, optional: true)
      AttributeDescription("uuid", .uuid, optional: true)
      AttributeDescription("mood", .string, optional: true, transient: true)
      RelationshipDescription("books", to: "Book", .many, inverse: "author")
      FetchedPropertyDescription("notes", of: "Note", where: ofAuthor, order: byRating)
      FetchedPropertyDescription(
        "peers", of: "Author", where: "SELF != $FETCH_SOURCE", order: .ascending("name"))
      FetchedPropertyDescription(
        "mine", of: "Book", where: "author == $FETCH_SOURCE", order: .ascending("title"))
      FetchedPropertyDescription("firstNotes", of: "Note", where: ofAuthor, order: byRating, limit: 2)
      FetchedPropertyDescription(
        "byTitle", of: "Note", where: "authorAlias IN $FETCH_SOURCE.books.title")
      FetchedPropertyDescription(
        "highNotes", of: "Note", where: ofAuthor + " AND rating > 4", order: byRating)
      FetchedPropertyDescription("rated", of: "Note", where: "rating > 4", order: byRating)
      FetchedPropertyDescription("allNotes", of: "Note", order: byRating)
      FetchedPropertyDescription("coded", of: "Note", where: "rating == $FETCH_SOURCE.code")
      FetchedPropertyDescription("titled", of: "Note", where: "text == $FETCHED_PROPERTY.name")
    }
    author.properties.append(
      AuthorStack.variant("savedNotes", ofAuthor) { $0.includesPendingChanges = false })
    author.properties.append(AuthorStack.variant("farNotes", ofAuthor) { $0.affectedStores = ["X2"] })
    author.properties.append(AuthorStack.variant("laterNotes", ofAuthor) { $0.fetchOffset = 1 })
    author.properties.append(AuthorStack.variant("plainNotes", ofAuthor) { $0.includesSubentities = false })
    if starred {
      author.properties.append(
        FetchedPropertyDescription(
          "starred", of: "Note",
          where: ofAuthor + " AND text CONTAINS[c] $FETCHED_PROPERTY.userInfo.search",
          userInfo: ["search": "great"]))
    }
    let writer = EntityDescription("Writer", parent: "Author") {
      AttributeDescription("genre", .string, optional: true)
    }
    let book = EntityDescription("Book") {
      AttributeDescription("title", .string, optional: true)
      AttributeDescription("pages", .integer32, optional: true)
      AttributeDescription("price", .decimal, optional: true)
      RelationshipDescription("author", to: "Author", inverse: "books")
      FetchedPropertyDescription(
        "authorNotes", of: "Note", where: "authorAlias == $FETCH_SOURCE.author.alias", order: byRating)
    }
    let note = EntityDescription("Note") {
      AttributeDescription("authorAlias", .string, optional: true)
      AttributeDescription("text", .string, optional: true)
      AttributeDescription("rating", .double, optional: true)
      AttributeDescription("at", .date, optional: true)
      FetchedPropertyDescription(
        "owner", of: "Author", where: "alias == $FETCH_SOURCE.authorAlias", order: .ascending("name"))
    }
    let memo = EntityDescription("Memo", parent: "Note") {
      AttributeDescription("extra", .string, optional: true)
    }
    return [author, writer, book, note, memo]
  }

  private static func variant(
    _ name: String, _ format: String, _ change: (inout FetchRequest) -> Void
  ) -> FetchedPropertyDescription {
    var description = FetchedPropertyDescription(
      name, of: "Note", where: format, order: .ascending("rating"))
    if var request = description.request {
      change(&request)
      description.request = request
    }
    return description
  }

  public static let configurations = [
    ModelConfiguration("Main", entities: ["Author", "Writer", "Book"]),
    ModelConfiguration("Side", entities: ["Note", "Memo"]),
  ]

  public static func model(starred: Bool = true) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: self.entities(starred: starred), configurations: self.configurations)
  }
}
