import FederatedData
import Foundation
import TestSupport
import Testing

/// Fetched properties that a model gains over files that are there already, and that come from model files.
@Suite("Fetched properties and model files")
struct FetchedPropertyModelTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private func container(_ model: ManagedObjectModel) throws -> PersistentContainer {
    try PersistentContainer(
      model: model,
      stores: [
        PersistentStoreDescription(.sqlite, at: self.folder.file("main.sqlite"), configuration: "Main"),
        PersistentStoreDescription(.xml, at: self.folder.file("side.xml"), configuration: "Side"),
      ])
  }

  private func fill(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    try context.insert("Author").set("alias", to: "ann")
    for (text, rating) in [("great", 3.5), ("so-so", 4.3), ("memo", 5.0)] {
      let note = try context.insert(text == "memo" ? "Memo" : "Note")
      try note.set("authorAlias", to: "ann")
      try note.set("text", to: text)
      try note.set("rating", to: rating)
    }
    try context.save()
  }

  /// - Parameter questions: the fetched properties of Author, as the model file writes them.
  private func model(_ questions: String) throws -> ManagedObjectModel {
    let bundle = self.folder.url.appending(path: "\(UUID().uuidString).xcdatamodel")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let contents = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Author">
          <attribute name="alias" optional="YES" attributeType="String"/>
          \(questions)
        </entity>
        <entity name="Note">
          <attribute name="authorAlias" optional="YES" attributeType="String"/>
          <attribute name="text" optional="YES" attributeType="String"/>
          <attribute name="rating" optional="YES" attributeType="Double"/>
        </entity>
        <entity name="Memo" parentEntity="Note"/>
        <configuration name="Main"><memberEntity name="Author"/></configuration>
        <configuration name="Side"><memberEntity name="Note"/><memberEntity name="Memo"/></configuration>
      </model>
      """
    try Data(contents.utf8).write(to: bundle.appending(path: "contents"))
    return try ModelFile.load(at: bundle)
  }

  @Test("FP-66 files that were saved without a fetched property open with a model that has one")
  func added() throws {
    let before = try self.model("")
    try self.fill(self.container(before))
    let after = try self.model(
      """
      <fetchedProperty name="starred" optional="YES">
        <userInfo><entry key="search" value="GREAT"/></userInfo>
        <fetchRequest name="fetchedPropertyFetchRequest" entity="Note" predicateString="authorAlias == \
      $FETCH_SOURCE.alias AND text CONTAINS[c] $FETCHED_PROPERTY.userInfo.search"/>
      </fetchedProperty>
      """)
    #expect(before.entity(named: "Author")?.versionHash == after.entity(named: "Author")?.versionHash)
    let container = try self.container(after)
    let context = container.makeContext()
    let author = try #require(try context.fetch(FetchRequest("Author")).first)
    #expect(try author.fetched("starred").map { try $0.value("text") } == [.string("great")])
    // And back again: nothing of it was written.
    let again = try self.container(before).makeContext()
    #expect(try again.count(for: FetchRequest("Note")) == 3)
  }

  @Test(
    "FP-78, FP-79 a property from a model file asks what the file says, subentities included",
    arguments: [(#" predicateString="rating &gt; 4""#, [4.3, 5.0]), ("", [3.5, 4.3, 5.0])])
  func fromFile(condition: String, expected: [Double]) throws {
    let container = try self.container(
      try self.model(
        #"<fetchedProperty name="p"><fetchRequest entity="Note"\#(condition)/></fetchedProperty>"#))
    try self.fill(container)
    let context = container.makeContext()
    let author = try #require(try context.fetch(FetchRequest("Author")).first)
    let ratings = try author.fetched("p").map { try $0.value("rating") }
    #expect(Set(ratings) == Set(expected.map { .double($0) }))
    #expect(ratings.count == expected.count)
  }

  @Test(
    "FP-61 the request of a frozen model's property cannot be set",
    .enabled(if: ClientCompiler.modules != nil, "the modules of this build are not beside the tests"))
  func frozen() throws {
    let errors = try ClientCompiler.errors(
      in: """
        import FederatedData

        func f(_ property: FetchedProperty) {
          var property = property
          property.request = nil
        }
        """)
    #expect(errors.contains { $0.contains("'request' is a 'let' constant") }, "\(errors)")
  }
}
