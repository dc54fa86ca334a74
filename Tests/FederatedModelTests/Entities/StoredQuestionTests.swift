import FederatedModel
import Testing

@Suite struct StoredQuestionTests {
  /// A model whose `A.p` has the condition, and what must be said about it.
  static func condition(
    _ title: String, _ format: String, _ breaches: (ModelError.Rule, [String])...
  ) -> BrokenModel {
    let broken = entity(
      "A", name(), AttributeDescription("shade", .string, transient: true),
      AttributeDescription("place", .composite(name: "Place")),
      RelationshipDescription("parts", to: "A", .many),
      RelationshipDescription("whole", to: "A"), FetchedPropertyDescription("p", of: "A", where: format))
    var model = BrokenModel(title, [broken]) { $0.composites = [CompositeDescription("Place", elements: [])] }
    model.breaches = breaches.map { ($0.0, "A", "p", $0.1) }
    return model
  }

  static let conditions: [BrokenModel] = [
    condition("BR-07 a misspelt key", "nmae == 1", (.unknownKeyPath, ["\"nmae\"", "\"A\"", "\"name\""])),
    condition("BR-07 a transient key", "shade == 'x'", (.keyPathNotFetchable, ["\"shade\"", "transient"])),
    condition(
      "FP-45 a fetched property on the way", "ANY p.name == 'x'",
      (.keyPathNotFetchable, ["\"p\"", "fetched"])),
    condition("a composite", "place == nil", (.keyPathNotFetchable, ["composite"])),
    condition(
      "a path that goes on behind a value", "name.first == 'x'", (.unknownKeyPath, ["\"first\"", "string"])),
    condition("a misspelt key behind a relationship", "whole.nam == 'x'", (.unknownKeyPath, ["\"nam\""])),
    condition(
      "two wrong keys", "(a == 1 OR NOT b == 2) AND name == 'x'", (.unknownKeyPath, ["\"a\""]),
      (.unknownKeyPath, ["\"b\""])),
    condition(
      "PR-42 a to-many without ANY", "parts.name == 'x'", (.toManyKeyNeedsModifier, ["\"parts.name\""])),
    condition("FP-35 a variable that nothing binds", "name == $foo", (.unboundVariable, ["$foo"])),
    condition("a condition that cannot be read", "name ==", (.invalidPredicate, ["column"])),
    condition("a placeholder", "name == %@", (.invalidPredicate, ["column"])),
    condition(
      "a wrong key of a subquery's element", "SUBQUERY(parts, $x, $x.nam == 'x' AND name == 'y').@count > 0",
      (.unknownKeyPath, ["\"$x.nam\""])),
    condition("a wrong key inside a function", "uppercase(nam) == 'X'", (.unknownKeyPath, ["\"nam\""])),
  ]

  @Test(
    "a condition that no store can answer is refused with entity, property and key", arguments: conditions)
  func refuses(model: BrokenModel) throws { try model.checkRefusal() }

  @Test("P56 a read model keeps such a condition as a problem of its property", arguments: conditions)
  func defers(model: BrokenModel) throws { try model.checkDeferral() }

  static let lawful = [
    "name == 'x'", "whole.whole.name == 'x'", "ANY parts.name == 'x'", "'x' IN parts.name",
    "parts.name CONTAINS 'x'", "parts.@count > 3", "parts.@max.name == 'x'", "name.length == 3",
    "SELF == $FETCH_SOURCE", "whole == $FETCH_SOURCE.whole", "objectID IN $FETCH_SOURCE.parts",
    "name == $FETCHED_PROPERTY.userInfo.search", "name IN $FETCH_SOURCE.parts.name",
    "SUBQUERY(parts, $x, $x.name == name).@count == 2", "TRUEPREDICATE", "", "1 == 1",
    "SELF.name == $FETCH_SOURCE.anything", "parts[0].name == 'x'",
  ]

  private static func model(_ format: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      entity(
        "A", name(), RelationshipDescription("parts", to: "A", .orderedMany),
        RelationshipDescription("whole", to: "A"),
        FetchedPropertyDescription("p", of: "A", where: format))
    ])
  }

  @Test("a condition may name all that a store can answer", arguments: lawful)
  func takesConditions(format: String) throws {
    let model = try Self.model(format)
    let predicate = try #require(model.entities[0].fetchedProperties[0].request).predicate
    #expect(predicate == (format.isEmpty ? nil : try FetchPredicate(format: format)))
  }

  @Test("what freezing takes, binding takes", arguments: lawful.filter { !$0.isEmpty })
  func agreesWithBinding(format: String) throws {
    let model = try Self.model(format)
    let predicate = try #require(model.entities[0].fetchedProperties[0].request?.predicate)
    _ = try predicate.substitutingPaths { _, _ in .null }.bound(to: model.entities[0], in: model)
  }

  @Test(
    "what freezing refuses for its keys, binding refuses for the same reason",
    arguments: conditions.filter { ![.invalidPredicate, .unboundVariable].contains($0.breaches[0].0) })
  func refusesLikeBinding(broken: BrokenModel) throws {
    let model = try ManagedObjectModel(broken.draft, deferringQuestions: true)
    let format = try #require(model.entities[0].fetchedProperties[0].description.predicateFormat)
    let predicate = try FetchPredicate(format: format)
    let error = try #require(throws: FetchPredicateError.self) {
      try predicate.bound(to: model.entities[0], in: model)
    }
    #expect(error.code.rawValue == broken.breaches[0].0.rawValue)
  }
}
