import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("A real XML store", .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct ThingsTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Thing", abstract: true) {
        AttributeDescription("title", .string, optional: true)
        AttributeDescription("index", .integer32, optional: true)
        AttributeDescription("identifier", .string, optional: true)
        AttributeDescription("compact", .boolean, optional: true)
        RelationshipDescription("parent", to: "Thing", inverse: "children")
        RelationshipDescription("children", to: "Thing", .many, inverse: "parent")
      }
      EntityDescription("Focus", parent: "Thing") {
        AttributeDescription("focusType", .integer32, optional: true)
        AttributeDescription("focusLevel", .integer16, optional: true)
        AttributeDescription("display", .boolean, optional: true)
        AttributeDescription("childrenHidden", .boolean, optional: true)
        RelationshipDescription("focusToDos", to: "ToDo", .many, inverse: "focus")
      }
      EntityDescription("ToDo", parent: "Thing") {
        AttributeDescription("focusType", .integer32, optional: true)
        AttributeDescription("focusLevel", .integer16, optional: true)
        AttributeDescription("dateModified", .date, optional: true)
        AttributeDescription("dateCreated", .date, optional: true)
        AttributeDescription("dateCompleted", .date, optional: true)
        AttributeDescription("dateDue", .date, optional: true)
        AttributeDescription("tickleDate", .date, optional: true)
        AttributeDescription("status", .integer32, optional: true)
        AttributeDescription("content", .string, optional: true)
        AttributeDescription("todayOffset", .float, optional: true)
        RelationshipDescription("focus", to: "Focus", inverse: "focusToDos")
        RelationshipDescription("author", to: "Coworker")
        RelationshipDescription("delegate", to: "Coworker")
        RelationshipDescription("recurrenceInstance", to: "ToDo", inverse: "recurrenceTemplate")
        RelationshipDescription("recurrenceTemplate", to: "ToDo", inverse: "recurrenceInstance")
        RelationshipDescription("scheduler", to: "Globals", inverse: "scheduledToDos")
        RelationshipDescription("syncData", to: "SyncedTask")
        RelationshipDescription("tags", to: "Tag", .many, inverse: "notes")
        RelationshipDescription("reminderDates", to: "Reminder", .many)
      }
      EntityDescription("Tag", parent: "Thing") {
        AttributeDescription("dateUsed", .date, optional: true)
        AttributeDescription("type", .integer32, optional: true)
        AttributeDescription("shortcut", .string, optional: true)
        RelationshipDescription("record", to: "Record")
        RelationshipDescription("notes", to: "ToDo", .many, inverse: "tags")
      }
      EntityDescription("Globals") {
        AttributeDescription("applicationQuitDate", .date, optional: true)
        AttributeDescription("maintenanceDate", .date, optional: true)
        AttributeDescription("cleanupDate", .date, optional: true)
        RelationshipDescription("scheduledToDos", to: "ToDo", .many, inverse: "scheduler")
      }
      EntityDescription("SyncedCalendar") {
        AttributeDescription("title", .string, optional: true)
        AttributeDescription("systemID", .string, optional: true)
        AttributeDescription("syncs", .boolean, optional: true)
        AttributeDescription("isEditable", .boolean, optional: true)
        AttributeDescription("index", .integer32, optional: true)
        RelationshipDescription("tasks", to: "SyncedTask", .many)
      }
      for name in ["Coworker", "SyncedTask", "Reminder", "Record"] { EntityDescription(name) {} }
    }
  }

  /// Every object with every attribute and link, in text: what must not be lost.
  private static func content(of url: URL, readOnly: Bool = true) throws -> [String] {
    let container = try Self.container(url, readOnly: readOnly)
    let context = container.makeContext()
    return try container.model.entities.filter { $0.parent == nil }.flatMap { entity in
      try context.fetch(FetchRequest(entity.name)).map { object in
        let values = try object.entity.attributes.map { "\($0.name)=\(try object.value($0.name))" }
        let links = try object.entity.relationships.map { relationship in
          let ends =
            relationship.isToMany
            ? try object.objects(relationship.name)
            : try [object.object(relationship.name)].compactMap(\.self)
          return
            "\(relationship.name)->\(ends.map { context.uri(for: $0.objectID).lastPathComponent }.sorted())"
        }
        return "\(context.uri(for: object.objectID)) \(values + links)"
      }
    }.sorted()
  }

  private static func container(_ url: URL, readOnly: Bool) throws -> PersistentContainer {
    var description = PersistentStoreDescription(.xml, at: url, readOnly: readOnly)
    description.ignoresModelVersion = true
    return try PersistentContainer(model: Self.model(), stores: [description])
  }

  @Test("every object, value and link survives load, save, load")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let file = try folder.copy(#require(TestFiles.corpus).appending(path: "xmlstores/things-Database.xml"))
    let before = try Self.content(of: file)
    #expect(before.count == 76)

    let container = try Self.container(file, readOnly: false)
    let context = container.makeContext()
    var counts: [String: Int] = [:]
    for name in ["Focus", "SyncedCalendar", "Globals", "ToDo", "Tag"] {
      counts[name] = try context.count(for: FetchRequest(name))
    }
    #expect(counts == ["Focus": 18, "SyncedCalendar": 11, "Globals": 1, "ToDo": 41, "Tag": 5])
    let titles = try context.fetch(FetchRequest("SyncedCalendar", where: "title CONTAINS %@", "&")).map {
      try $0.value("title")
    }
    #expect(titles.contains(.string("& Konst & Teknik")), "\(titles)")

    // One value there and back makes the file be written.
    let tag = try #require(try context.fetch(FetchRequest("Tag", order: [.ascending("title")])).first)
    let shortcut = try tag.value("shortcut")
    try tag.set("shortcut", to: "changed")
    try context.save()
    try tag.set("shortcut", to: shortcut)
    try context.save()
    #expect(try Self.content(of: file) == before)
    let text = try String(contentsOf: file, encoding: .utf8)
    for kept in [
      "BuildNumber", "OSMajorVersion", "<integer>591</integer>", "<UUID>B4FC79D0-E654-43EF-9020-A5273B3F104A",
    ] {
      #expect(text.contains(kept), "\(kept) is lost")
    }
  }
}
