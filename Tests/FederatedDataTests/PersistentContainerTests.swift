import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("The container")
struct PersistentContainerTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Book") {
        AttributeDescription("code", .string)
        FetchedPropertyDescription("notes", of: "Note", where: "bookCode == $FETCH_SOURCE.code")
      }
      EntityDescription("Note") {
        AttributeDescription("bookCode", .string)
      }
      ModelConfiguration("Books", entities: ["Book"])
      ModelConfiguration("Notes", entities: ["Note"])
    }
  }

  private static let books = PersistentStoreDescription(.inMemory, at: nil, configuration: "Books")
  private static let notes = PersistentStoreDescription(.inMemory, at: nil, configuration: "Notes")

  @Test("a fetched property whose destination has no store is refused, unless it is allowed")
  func missingDestination() throws {
    let error = try #require(throws: PersistentContainerError.self) {
      try PersistentContainer(model: Self.model(), stores: [Self.books])
    }
    #expect(error.missingDestinations.map(\.property) == ["notes"])
    #expect("\(error)".contains("Book.notes: no store holds its destination Note"))

    let allowed = try PersistentContainer(
      model: Self.model(), stores: [Self.books], missingDestinations: .allow)
    let context = allowed.makeContext()
    let book = try context.insert("Book")
    try book.set("code", to: "a")
    #expect(try book.fetched("notes").isEmpty)
    // Nobody reads it where the source has no store either.
    _ = try PersistentContainer(model: Self.model(), stores: [Self.notes])
  }

  @Test("a context of its own for each task")
  func withContext() async throws {
    let container = try PersistentContainer(model: Self.model(), stores: [Self.books, Self.notes])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          try await container.withContext { context in
            let note = try context.insert("Note")
            try note.set("bookCode", to: "code \(number)")
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    let codes = try await container.withContext { context in
      try context.fetch(FetchRequest("Note", order: [.ascending("bookCode")])).map {
        try $0.value("bookCode")
      }
    }
    #expect(codes == (0..<8).map { .string("code \($0)") })
  }

  @Test("a federation file opens model and stores, read-only where it is wanted")
  func federation() throws {
    let folder = try TemporaryFolder()
    let shop = TestFiles.fixtures.appending(path: "Shop")
    for name in ["Shop.xcdatamodeld", "customers.xml", "ledger.sqlite", "shop.federation.json"] {
      _ = try folder.copy(shop.appending(path: name))
    }
    let file = folder.file("shop.federation.json")
    let reading = try PersistentContainer(federation: file, readOnly: true)
    #expect(reading.coordinator.stores.allSatisfy { $0.capabilities.contains(.readOnly) })
    #expect(reading.coordinator.stores.map(\.description.name) == ["crm", "ledger"])
    let writing = try PersistentContainer(federation: file)
    let context = writing.makeContext()
    try context.insert("Customer").set("number", to: 41)
    // Nothing else of the customer is set, so the save names what is missing.
    #expect(throws: SaveError.self) { try context.save() }
  }

  @Test("a configuration or type that does not fit is told at its place in the federation file")
  func misfits() throws {
    let folder = try TemporaryFolder()
    let shop = TestFiles.fixtures.appending(path: "Shop").path(percentEncoded: false)
    let cases: [(String, FederationFileError.Code, String)] = [
      (
        #""path": "\#(shop)/customers.xml", "configuration": "CMR""#, .unknownConfiguration,
        "the model has no configuration 'CMR' (did you mean CRM?); it has CRM, Ledger"
      ),
      (#""path": "\#(shop)/shop.federation.json""#, .unrecognisedContent, "the content is that of no store"),
      (#""path": "\#(shop)/none.xml""#, .unrecognisedContent, "there is no such file to tell the type from"),
    ]
    for (entry, code, message) in cases {
      let text = #"{"model": "\#(shop)/Shop.xcdatamodeld", "stores": [{\#(entry)}]}"#
      try Data(text.utf8).write(to: folder.file("f.json"))
      let error = try #require(throws: FederationFileError.self) {
        try PersistentContainer(federation: folder.file("f.json"))
      }
      #expect(error.code == code)
      #expect("\(error)".contains(message), "\(error)")
    }
  }
}
