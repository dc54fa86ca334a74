import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("Bug reports: routing, opening, identity")
struct StoreReportsTests {
  private static func itemModel(_ attribute: String) throws -> ManagedObjectModel {
    try ManagedObjectModel { EntityDescription("Item") { AttributeDescription(attribute, .string) } }
  }

  @Test("BR-11: an object of an entity in two stores goes where it is assigned, and only that file changes")
  func assigned() throws {
    let folder = try TemporaryFolder()
    let container = try PersistentContainer(
      model: Self.itemModel("name"),
      stores: [
        PersistentStoreDescription(.xml, at: folder.file("a.xml"), name: "a"),
        PersistentStoreDescription(.sqlite, at: folder.file("b.sqlite"), name: "b"),
      ])
    let context = container.makeContext()
    let unassigned = try context.insert("Item")
    try unassigned.set("name", to: "first")
    try context.save()
    #expect(container.coordinator.store(of: unassigned.objectID)?.description.name == "a")

    let before = try FolderState(folder.url)
    let item = try context.insert("Item")
    try item.set("name", to: "second")
    try context.assign(item, toStoreNamed: "b")
    try context.save()
    #expect(container.coordinator.store(of: item.objectID)?.description.name == "b")
    #expect(try FolderState(folder.url).files["a.xml"] == before.files["a.xml"])
    #expect(try FolderState(folder.url) != before)
  }

  @Test("BR-13: an object that no store takes is an error that names its entity, and no trap")
  func noStore() throws {
    let folder = try TemporaryFolder()
    let container = try PersistentContainer(
      model: TwoFileStack.model(),
      stores: [PersistentStoreDescription(.xml, at: folder.file("books.xml"), configuration: "Books")],
      missingDestinations: .allow)
    let context = container.makeContext()
    let info = try context.insert("Info")
    try info.set("text", to: "nowhere")
    let error = try #require(throws: (any Error).self) { try context.save() }
    #expect("\(error)".contains("Info"), "\(error)")
    #expect(context.hasChanges)
  }

  @Test("BR-15: entities of one name belong to their own model, also from two tasks at once")
  func twoModels() async throws {
    let folder = try TemporaryFolder()
    let attributes = ["left", "right"]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for attribute in attributes {
        group.addTask {
          let container = try PersistentContainer(
            model: Self.itemModel(attribute),
            stores: [PersistentStoreDescription(.sqlite, at: folder.file("\(attribute).sqlite"))])
          for number in 0..<50 {
            let context = container.makeContext()
            let item = try context.insert("Item")
            try item.set(attribute, to: "\(number)")
            #expect(item.entity.attributes.map(\.name) == [attribute])
            try context.save()
          }
          #expect(try container.makeContext().count(for: FetchRequest("Item")) == 50)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("BR-19: kind and type come from content, whatever the files are called")
  func renamed() throws {
    let stack = try TwoFileStack()
    try stack.fill([("A", "a")], [("a", "one"), ("a", "two")])
    for store in stack.container.coordinator.stores { try stack.container.coordinator.remove(store) }
    let (xml, sqlite) = (stack.folder.file("books.dat"), stack.folder.file("infos.xml"))
    try FileManager.default.moveItem(at: stack.folder.file("books.xml"), to: xml)
    try FileManager.default.moveItem(at: stack.folder.file("infos.sqlite"), to: sqlite)
    let books = try FileInspection(of: xml)
    #expect(books.kind == .coreDataXML)
    #expect(books.entities.map(\.name) == ["Book"] && books.entities.map(\.rows) == [1])
    #expect(books.uuid != nil)
    let infos = try FileInspection(of: sqlite)
    #expect(infos.kind == .coreDataSQLite)
    #expect(infos.entities.map(\.rows) == [2])
    #expect(try BuiltInStoreTypes.type(ofFileAt: xml).name == StoreType.xml.name)
    #expect(try BuiltInStoreTypes.type(ofFileAt: sqlite).name == StoreType.sqlite.name)
  }

  @Test("BR-21: a file of another type is refused, and both types are named")
  func otherType() throws {
    let stack = try TwoFileStack()
    for store in stack.container.coordinator.stores { try stack.container.coordinator.remove(store) }
    let pairs: [(StoreType, String)] = [(.sqlite, "books.xml"), (.xml, "infos.sqlite")]
    for (type, name) in pairs {
      let error = try #require(throws: StoreError.self) {
        try PersistentContainer(
          model: TwoFileStack.model(),
          stores: [PersistentStoreDescription(type, at: stack.folder.file(name))])
      }
      #expect(error.code == .typeMismatch, "\(error)")
      #expect("\(error)".contains("XML") && "\(error)".contains("SQLite"), "\(error)")
    }
  }

  @Test(
    "BR-91: an unsaved object's URI is temporary, a saved one's resolves in a new stack, in its own store only"
  )
  func identity() throws {
    let stack = try TwoFileStack()
    let context = stack.container.makeContext()
    let book = try context.insert("Book")
    try book.set("title", to: "A")
    #expect(book.objectID.isTemporary)
    let temporary = context.uri(for: book.objectID)
    #expect(temporary.host() == nil || temporary.host() == "")
    try context.save()
    #expect(!book.objectID.isTemporary)
    let permanent = context.uri(for: book.objectID)
    for store in stack.container.coordinator.stores { try stack.container.coordinator.remove(store) }

    let again = try TwoFileStack.open(stack.folder)
    let fresh = again.makeContext()
    #expect(try fresh.existingObject(for: permanent)?.value("title") == .string("A"))
    // This process made the temporary identifier; no row and no object of the new stack has it.
    #expect(throws: ManagedObjectError.self) { try fresh.existingObject(for: temporary) }
    let uuid = try #require(again.coordinator.store(named: "infos")?.metadata.uuid.uuidString)
    let host = try #require(permanent.host())
    let foreign = try #require(URL(string: permanent.absoluteString.replacing(host, with: uuid)))
    #expect(try fresh.existingObject(for: foreign) == nil)
  }
}
