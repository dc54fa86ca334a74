import FederatedData
import Foundation
import TestSupport

/// Books in an XML file, infos in a SQLite file, and a fetched property between them.
struct TwoFileStack {
  let folder: TemporaryFolder
  let container: PersistentContainer

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Book") {
        AttributeDescription("title", .string)
        AttributeDescription("key", .string, optional: true)
        FetchedPropertyDescription(
          "info", of: "Info", where: "key == $FETCH_SOURCE.key", order: .ascending("text"))
      }
      EntityDescription("Info") {
        AttributeDescription("key", .string, optional: true)
        AttributeDescription("text", .string)
        AttributeDescription("rating", .double, default: 0)
      }
      ModelConfiguration("Books", entities: ["Book"])
      ModelConfiguration("Infos", entities: ["Info"])
    }
  }

  init() throws {
    self.folder = try TemporaryFolder()
    self.container = try Self.open(self.folder)
  }

  static func open(_ folder: TemporaryFolder) throws -> PersistentContainer {
    try PersistentContainer(
      model: Self.model(),
      stores: [
        PersistentStoreDescription(.xml, at: folder.file("books.xml"), name: "books", configuration: "Books"),
        PersistentStoreDescription(
          .sqlite, at: folder.file("infos.sqlite"), name: "infos", configuration: "Infos"),
      ])
  }

  /// Books by title and key, infos by key and text.
  func fill(_ books: [(String, String?)], _ infos: [(String?, String)]) throws {
    let context = self.container.makeContext()
    for (title, key) in books {
      let book = try context.insert("Book")
      try book.set("title", to: title)
      try book.set("key", to: key)
    }
    for (number, (key, text)) in infos.enumerated() {
      let info = try context.insert("Info")
      try info.set("key", to: key)
      try info.set("text", to: text)
      try info.set("rating", to: Double(number))
    }
    try context.save()
  }

  func books(in context: ManagedObjectContext) throws -> [ManagedObject] {
    try context.fetch(FetchRequest("Book", order: [.ascending("title")]))
  }

  static func texts(_ objects: [ManagedObject]) throws -> [String] {
    try objects.map { object in
      if case .string(let text) = try object.value("text") { text } else { "nil" }
    }
  }
}
