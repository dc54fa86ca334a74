import FederatedModel
import FederatedRuntime
import Foundation
import TestSupport
import Testing

@Suite struct LinkedFetchTests {
  @Test("requests lead through fetched properties", arguments: LinkedCases.answers + LinkedCases.questions)
  func links(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }

  /// An author who goes by another's alias, by a computed value alone.
  final class Impostor: ManagedObject, TypedObject {
    struct Keys {}
    static let keys = Keys()
    static let entityName = "Author"

    override func customValue(forKey key: String) throws -> Value? {
      key == "alias" ? .string("bob") : key == "name" ? .string("Zoe") : nil
    }
  }

  /// A note that praises itself.
  final class Praised: ManagedObject, TypedObject {
    struct Keys {}
    static let keys = Keys()
    static let entityName = "Note"

    override func customValue(forKey key: String) throws -> Value? {
      key == "rating" ? .double(5) : key == "authorAlias" ? .string("dee") : nil
    }
  }

  private static func questions() throws -> [FetchRequest] {
    let any = try FetchRequest("Author").linked("notes", where: "rating > 4")
    var few = any
    few.predicate = try FetchPredicate(format: "name BEGINSWITH 'A' OR name BEGINSWITH 'B'")
    return [
      any, few, FetchRequest("Author").linked("notes", .none),
      FetchRequest("Author").linked("notes", .count(.greater, 1)),
      try FetchRequest("Author").linked("highNotes", .all, where: "rating < 4.25"),
      try FetchRequest("Author").linked("byTitle", where: "rating > 1"),
      FetchRequest("Author").sorted(through: "notes", by: .descending("rating")),
      FetchRequest("Author", order: [.descending("name")]),
      try FetchRequest("Author", where: "alias == 'bob'"), try FetchRequest("Note", where: "rating > 4"),
    ]
  }

  @Test("a computed value changes no fetch, saved or not, and no link, whichever side is asked first")
  func computed() throws {
    let stack = try AuthorStack()
    let plain = stack.makeContext()
    let classes = try ObjectClasses([Impostor.self, Praised.self], checkedAgainst: stack.coordinator.model)
    let context = stack.makeContext(classes: classes)
    let edited = stack.makeContext(classes: classes)
    for object in try edited.fetch(FetchRequest("Author")) + edited.fetch(FetchRequest("Note")) {
      let key = object.entity.name == "Author" || object.entity.name == "Writer" ? "code" : "at"
      let value = try object.storedValue(key)
      try object.set(
        key, to: value.isNull ? (key == "code" ? .int(77) : .date(.init(timeIntervalSince1970: 1))) : .null)
    }
    #expect(edited.hasChanges)
    for request in try Self.questions() {
      let expected = try plain.fetch(request).map(\.objectID)
      #expect(try context.fetch(request).map(\.objectID) == expected, "\(request)")
      #expect(try edited.fetch(request).map(\.objectID) == expected, "\(request)")
      #expect(try edited.count(for: request) == expected.count, "\(request)")
    }
    let ann = try #require(try context.fetch(FetchRequest("Author")).first)
    #expect(try ann.value("name") == .string("Zoe"))
    #expect(try FetchPredicate(format: "name == 'Zoe'").evaluate(ann))
    #expect(try ann.fetched("notes").map { try $0.storedValue("text") } == [.string("dull")])
  }
}
