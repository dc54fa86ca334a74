import FederatedData
import Foundation
import TestSupport
import Testing

@Suite(
  "A real store with fetched properties",
  .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct SampleModel2Tests {
  private let folder: TemporaryFolder
  private let store: URL

  init() throws {
    self.folder = try TemporaryFolder()
    self.store = try self.folder.copy(
      #require(TestFiles.corpus).appending(path: "stores/SampleModel2_V2.sqlite"))
  }

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Writer", abstract: true) {
        AttributeDescription("age", .integer16)
      }
      EntityDescription("Author", parent: "Writer") {
        AttributeDescription("alias", .string)
        RelationshipDescription("books", to: "Book", .many, inverse: "author", deleteRule: .cascade)
        FetchedPropertyDescription(
          "feedbacks", of: "Feedback", where: "authorAlias == $FETCH_SOURCE.alias",
          order: .ascending("rating"))
        FetchedPropertyDescription(
          "favFeedbacks", of: "Feedback",
          where:
            "authorAlias == $FETCH_SOURCE.alias AND comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search",
          userInfo: ["search": "great"])
      }
      EntityDescription("Book") {
        AttributeDescription("title", .string)
        AttributeDescription("price", .decimal)
        AttributeDescription("publishedAt", .date)
        AttributeDescription("pagesCount", .integer64, optional: true)
        AttributeDescription("uniqueID", .uuid)
        AttributeDescription("frontCover", .transformable(codec: nil))
        RelationshipDescription("author", to: "Author", inverse: "books")
        RelationshipDescription("pages", to: "Page", .many, inverse: "book", deleteRule: .cascade)
      }
      EntityDescription("GraphicNovel", parent: "Book") {
        AttributeDescription("isBlackAndWhite", .boolean)
      }
      EntityDescription("Page") {
        AttributeDescription("number", .integer32)
        AttributeDescription("isBookmarked", .boolean)
        AttributeDescription("content", .transformable(codec: nil))
        RelationshipDescription("book", to: "Book", inverse: "pages")
      }
      EntityDescription("Feedback") {
        AttributeDescription("authorAlias", .string)
        AttributeDescription("bookID", .uuid)
        AttributeDescription("comment", .string, optional: true)
        AttributeDescription("rating", .double)
      }
      ModelConfiguration("Library", entities: ["Writer", "Author", "Book", "GraphicNovel", "Page"])
      ModelConfiguration("Feedback", entities: ["Feedback"])
    }
  }

  private func sqlite(_ configuration: String? = nil) -> PersistentStoreDescription {
    var description = PersistentStoreDescription(
      .sqlite, at: self.store, name: "library", configuration: configuration, readOnly: true)
    description.ignoresModelVersion = true
    return description
  }

  private func check(_ context: ManagedObjectContext) throws {
    let authors = try context.fetch(FetchRequest("Author"))
    try #require(authors.count == 1)
    #expect(try authors[0].value("alias") == .string("Alessandro"))
    let ratings = try authors[0].fetched("feedbacks").map { try $0.value("rating") }
    #expect(ratings == [.double(3.5), .double(4.2), .double(4.3)])
    let favourites = try authors[0].fetched("favFeedbacks").map { try $0.value("comment") }
    #expect(Set(favourites) == [.string("great book"), .string("great novel")])
  }

  @Test("both fetched properties answer as the original framework did, and the file stays as it was")
  func oneStore() throws {
    let before = try FolderState(self.folder.url)
    let container = try PersistentContainer(model: Self.model(), stores: [self.sqlite()])
    let context = container.makeContext()
    try self.check(context)
    let books = try context.fetch(FetchRequest("Book", order: [.ascending("title")]))
    #expect(books.map(\.entity.name).sorted() == ["Book", "Book", "GraphicNovel"])
    #expect(try books.reduce(0) { try $0 + $1.objects("pages").count } == 119)
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
    #expect(try FolderState(self.folder.url) == before)
  }

  @Test("the answers are the same when the feedback stands in an XML store")
  func acrossStores() throws {
    let model = try Self.model()
    let feedback = PersistentStoreDescription(
      .xml, at: self.folder.file("feedback.xml"), name: "feedback", configuration: "Feedback")
    try self.copyFeedback(to: feedback, model)
    let before = try FolderState(self.folder.url)
    let container = try PersistentContainer(model: model, stores: [self.sqlite("Library"), feedback])
    try self.check(container.makeContext())
    #expect(try FolderState(self.folder.url) == before)
  }

  private func copyFeedback(to description: PersistentStoreDescription, _ model: ManagedObjectModel) throws {
    let source = try PersistentContainer(model: model, stores: [self.sqlite()])
    let target = try PersistentContainer(model: model, stores: [description])
    let context = target.makeContext()
    let sourceContext = source.makeContext()
    for row in try sourceContext.fetch(FetchRequest("Feedback")) {
      let copy = try context.insert("Feedback")
      for attribute in row.entity.attributes { try copy.set(attribute.name, to: row.value(attribute.name)) }
    }
    try context.save()
  }
}
