import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

/// Objects over a mapped document: what is saved is what the document says when it is read anew.
@Suite("Objects over a mapped document")
struct MappedDocumentScriptTests {
  let folder: TemporaryFolder
  let file: URL
  let model: ManagedObjectModel

  init() throws {
    self.folder = try TemporaryFolder()
    self.file = self.folder.file("library.xml")
    self.model = try Self.model()
    try Data(Self.text.utf8).write(to: self.file)
  }

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Author",
        properties: [
          AttributeDescription("code", .string), AttributeDescription("name", .string, optional: true),
          RelationshipDescription("books", to: "Book", .many, inverse: "author"),
        ]),
      EntityDescription(
        "Book",
        properties: [
          AttributeDescription("code", .string), AttributeDescription("title", .string, optional: true),
          AttributeDescription("pages", .integer32, optional: true),
          AttributeDescription("price", .decimal, optional: true),
          AttributeDescription("published", .date, optional: true),
          RelationshipDescription("author", to: "Author", .one, inverse: "books"),
          RelationshipDescription("related", to: "Book", .many, inverse: "relatedBy"),
          RelationshipDescription("relatedBy", to: "Book", .many, inverse: "related"),
          RelationshipDescription(
            "chapters", to: "Chapter", .orderedMany, inverse: "book", deleteRule: .cascade),
        ]),
      EntityDescription(
        "Chapter",
        properties: [
          AttributeDescription("mark", .integer32), AttributeDescription("heading", .string, optional: true),
          RelationshipDescription("book", to: "Book", .one, inverse: "chapters"),
        ]),
    ])
  }

  static let mapping = XMLMapping(
    entities: [
      "Author": XMLEntityMapping(
        records: "/library/people/author", key: ["code"], attributes: ["code": "@code", "name": "name"]),
      "Book": XMLEntityMapping(
        records: "/library/book", key: ["code"],
        attributes: [
          "code": "@code", "title": "title", "pages": "extent/@pages", "price": "price",
          "published": "published",
        ],
        relationships: [
          "author": .reference("@by"), "related": .reference("see/@ref"), "chapters": .records("parts/part"),
        ]),
      "Chapter": XMLEntityMapping(
        records: [], key: ["mark"], attributes: ["mark": "@mark", "heading": "heading"]),
    ], zone: .utc)

  static let text = """
    <?xml version="1.0"?>
    <library>
      <people>
        <author code="ada"><name>Ada</name></author>
        <author code="bo"/>
      </people>
      <!-- the books -->
      <book code="b1" by="ada">
        <title>One</title>
        <extra>kept</extra>
        <see ref="b2"/>
        <parts>
          <part mark="1"><heading>a</heading></part>
        </parts>
      </book>
      <book code="b2"><price>2.5</price></book>
    </library>

    """

  private func open() throws -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(model: self.model)
    var description = PersistentStoreDescription(.xml, at: self.file)
    description.mapping = Self.mapping
    _ = try coordinator.add(description)
    return ManagedObjectContext(coordinator: coordinator)
  }

  /// Every object with its values and links, as text.
  private func contents(_ context: ManagedObjectContext) throws -> [String] {
    var lines: [String] = []
    for (entity, key) in [("Author", "code"), ("Book", "code"), ("Chapter", "mark")] {
      for object in try context.fetch(FetchRequest(entity)) {
        var line = "\(entity) \(try object.value(key))"
        for attribute in object.entity.attributes {
          line += " \(attribute.name)=\(try object.value(attribute.name))"
        }
        for relationship in object.entity.relationships {
          let destination =
            relationship.name == "chapters" ? "mark" : relationship.name == "book" ? "code" : "code"
          let members =
            relationship.isToMany
            ? try object.objects(relationship.name)
            : [try object.object(relationship.name)].compactMap(\.self)
          let keys = try members.map { "\(try $0.value(destination))" }
          line += " \(relationship.name)=\(relationship.isOrdered ? keys : keys.sorted())"
        }
        lines.append(line)
      }
    }
    return lines.sorted()
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return self.state ^ (self.state >> 29)
    }
  }

  @Test("after random edits the document read anew says what the objects say", arguments: 1...8)
  func script(seed: UInt64) throws {
    var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15)
    let context = try self.open()
    var number = 100
    for step in 0..<12 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        number += 1
        try self.edit(context, number, &random)
      }
      try context.save()
      let text = try String(contentsOf: self.file, encoding: .utf8)
      #expect(text.contains("<!-- the books -->"))
      #expect(
        try self.contents(self.open()) == self.contents(context), "seed \(seed), step \(step):\n\(text)")
    }
  }

  private func edit(_ context: ManagedObjectContext, _ number: Int, _ random: inout Generator) throws {
    let books = try context.fetch(FetchRequest("Book"))
    let authors = try context.fetch(FetchRequest("Author"))
    let book = books.randomElement(using: &random)
    switch Int.random(in: 0..<11, using: &random) {
    case 0: try book?.set("title", to: "t\(number) <&\">\n ")
    case 1: try book?.set("title", to: Value.null)
    case 2: try book?.set("pages", to: Bool.random(using: &random) ? .int(Int64(number)) : .null)
    case 3: try book?.set("price", to: .decimal(Decimal(number) / 8))
    case 4: try book?.set("published", to: .date(Date(timeIntervalSinceReferenceDate: Double(number) / 4)))
    case 5:
      try book?.set("author", to: Bool.random(using: &random) ? authors.randomElement(using: &random) : nil)
    case 6:
      if let book, let other = books.randomElement(using: &random) { try book.add(other, to: "related") }
    case 7:
      if let book, let other = try book.objects("related").first { try book.remove(other, from: "related") }
    case 8:
      let new = try context.insert(Bool.random(using: &random) ? "Book" : "Author")
      try new.set("code", to: "n\(number)")
      if new.entity.name == "Book" { try new.set("author", to: authors.randomElement(using: &random)) }
    case 9:
      let chapter = try context.insert("Chapter")
      try chapter.set("mark", to: number)
      if Bool.random(using: &random) { try chapter.set("heading", to: "h\(number)") }
      if let book { try chapter.set("book", to: book) } else { context.delete(chapter) }
    default:
      if books.count > 1, let book { context.delete(book) }
    }
  }

  @Test("a new object has the identifier that its key gives it, in every process and reading")
  func identifiers() throws {
    let context = try self.open()
    let author = try context.insert("Author")
    try author.set("code", to: "cy")
    try context.save()
    let other = try self.open()
    let found = try #require(try other.fetch(FetchRequest("Author", where: "code == 'cy'")).first)
    #expect(found.objectID.reference == author.objectID.reference)
    #expect(context.coordinator.uri(for: author.objectID) == other.coordinator.uri(for: found.objectID))
    #expect(context.coordinator.uri(for: author.objectID).absoluteString.hasSuffix("/Author/pcy"))
    let second = try context.insert("Author")
    try second.set("code", to: "ada")
    #expect(throws: SaveError.self) { try context.save() }
    context.delete(second)
    try author.set("code", to: "dy")
    #expect(throws: SaveError.self) { try context.save() }
  }

  @Test("a save over a mapped document and another store is one save")
  func joint() throws {
    let coordinator = PersistentStoreCoordinator(model: self.model)
    var description = PersistentStoreDescription(.xml, at: self.file, name: "library")
    description.mapping = Self.mapping
    _ = try coordinator.add(description)
    let copy = try coordinator.add(
      PersistentStoreDescription(.sqlite, at: self.folder.file("copy.sqlite"), name: "copy"))
    let context = ManagedObjectContext(coordinator: coordinator)
    let book = try #require(try context.fetch(FetchRequest("Book", where: "code == 'b2'")).first)
    try book.set("title", to: "Two")
    let note = try context.insert("Author")
    try note.set("code", to: "other")
    try context.assign(note, to: copy)
    try context.save()
    #expect(try String(contentsOf: self.file, encoding: .utf8).contains("<title>Two</title>"))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: self.folder.url.path(percentEncoded: false))
    #expect(!names.contains { $0.contains("journal") }, "\(names)")
  }
}
