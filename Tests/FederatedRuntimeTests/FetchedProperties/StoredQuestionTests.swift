import FederatedModel
import FederatedRuntime
import TestSupport
import Testing

/// Questions that cannot be asked, and questions that lead back to themselves.
@Suite struct StoredQuestionTests {
  private func stack(_ property: FetchedPropertyDescription) throws -> AuthorStack {
    var entities = AuthorStack.entities()
    entities[0].properties.append(property)
    let draft = ModelDraft(entities: entities, configurations: AuthorStack.configurations)
    return try AuthorStack(model: try ManagedObjectModel(draft, deferringQuestions: true))
  }

  @Test(
    "FP-35, FP-69, P56: a model with a question that cannot be asked loads, and every read of it throws",
    arguments: [
      ("text == $foo", "Note", ModelError.Rule.unboundVariable, "foo"),
      ("nope == 1", "Note", .unknownKeyPath, "nope"),
      ("owner.name == 'Ann'", "Note", .keyPathNotFetchable, "owner"),
      ("text ==", "Note", .invalidPredicate, "text =="),
      ("text == 'x'", "Nope", .unknownFetchedEntity, "Nope"),
    ])
  func unusable(_ format: String, _ entity: String, _ rule: ModelError.Rule, _ word: String) throws {
    let stack = try self.stack(FetchedPropertyDescription("bad", of: entity, where: format))
    let context = stack.makeContext()
    let a1 = try stack.author("Ann", in: context)
    for _ in 0..<2 {
      let error = #expect(throws: ModelError.self) { try a1.fetched("bad") }
      #expect(error?.breaches.map(\.rule) == [rule])
      #expect(error?.description.contains(word) == true, "\(String(describing: error))")
    }
    #expect(throws: ModelError.self) { try context.prefetch("bad", for: [a1]) }
    #expect(try a1.fetched("notes").count == 3)
  }

  @Test(
    "1.10: a property without a question, or with one for other things than objects, is refused at freezing")
  func noQuestion() throws {
    #expect(throws: ModelError.self) {
      var entities = AuthorStack.entities()
      entities[0].properties.append(FetchedPropertyDescription("bad", nil))
      _ = try ManagedObjectModel(entities: entities, configurations: AuthorStack.configurations)
    }
    #expect(throws: ModelError.self) {
      var request = FetchRequest("Note")
      request.resultType = .count
      var entities = AuthorStack.entities()
      entities[0].properties.append(FetchedPropertyDescription("bad", request))
      _ = try ManagedObjectModel(entities: entities, configurations: AuthorStack.configurations)
    }
  }

  /// An author whose computed alias reads the notes that are found by it.
  final class LoopingAuthor: ManagedObject, TypedObject {
    struct Keys {}
    static let keys = Keys()
    static let entityName = "Author"
    var loops = true

    override func customValue(forKey key: String) throws -> Value? {
      guard key == "alias", self.loops else { return nil }
      return try self.fetched("notes").isEmpty ? .null : .string("ann")
    }
  }

  @Test("FP-77: a read that leads back to itself throws instead of overflowing the stack")
  func recursion() throws {
    let stack = try AuthorStack()
    let classes = try ObjectClasses([LoopingAuthor.self], checkedAgainst: stack.coordinator.model)
    let context = stack.makeContext(classes: classes)
    let a1 = try stack.author("Ann", in: context)
    let error = #expect(throws: FetchPredicateError.self) { try a1.fetched("notes") }
    #expect(error?.code == .recursiveFetchedProperty)
    (a1 as? LoopingAuthor)?.loops = false
    #expect(try a1.fetched("notes").count == 3)
  }

  @Test("FP-62: a description keeps the request that it was given")
  func copied() throws {
    var request = FetchRequest("Note", where: try FetchPredicate(format: "rating > 4"))
    let property = FetchedPropertyDescription("high", request)
    request.predicate = nil
    let stack = try self.stack(property)
    #expect(try stack.author("Ann", in: stack.makeContext()).fetched("high").count == 3)
  }
}
