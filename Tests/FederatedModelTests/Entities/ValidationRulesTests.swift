import FederatedModel
import Foundation
import Testing

/// Rules that values must keep, as the model declares them.
@Suite struct ValidationRulesTests {
  private static func broken(
    _ name: String, _ attribute: AttributeDescription, _ rule: ModelError.Rule, _ words: String...
  ) -> BrokenModel {
    BrokenModel(name, [entity("A", attribute)], (rule, "A", attribute.name, words))
  }

  static let refused: [BrokenModel] = [
    broken(
      "a length that is none", AttributeDescription("p", .string).minimumLength(-1), .invalidValidation,
      "no length"),
    broken(
      "a date that bounds a number", AttributeDescription("p", .double).minimum(Date()), .invalidValidation,
      "double"),
    broken(
      "a number that bounds a flag", AttributeDescription("p", .boolean).maximum(1), .invalidValidation,
      "boolean"),
    broken(
      "bounds that no value is between", AttributeDescription("p", .integer16).minimum(2).maximum(1),
      .invalidValidation, "2", "1"),
    broken(
      "a pattern that cannot be read", AttributeDescription("p", .string).matching("(a"), .invalidValidation,
      "(a"),
    broken(
      "a pattern of a number", AttributeDescription("p", .double).matching("a"), .invalidValidation,
      "double"),
    broken(
      "a condition that cannot be read", AttributeDescription("p", .string).satisfying("SELF ==", else: ""),
      .invalidPredicate),
    broken(
      "a condition that names what is not there",
      AttributeDescription("p", .string).satisfying("SELF == q", else: ""), .unknownKeyPath, "\"q\""),
    broken(
      "a condition with a variable", AttributeDescription("p", .string).satisfying("SELF == $x", else: ""),
      .unboundVariable, "$x"),
  ]

  @Test("a rule that cannot be asked refuses a model built in Swift", arguments: refused)
  func refusal(model: BrokenModel) throws { try model.checkRefusal() }

  @Test("in a model from a file it is a problem that is told", arguments: refused)
  func problem(model: BrokenModel) throws {
    let frozen = try ManagedObjectModel(model.draft, deferringQuestions: true)
    #expect(frozen.problems.map(\.rule) == model.breaches.map(\.0))
  }

  @Test("rules of every kind are taken")
  func accepted() throws {
    let model = try ManagedObjectModel {
      EntityDescription("A") {
        AttributeDescription("text", .string).length(1...3).matching("[a-z]+")
          .satisfying("SELF.length > 1 OR other > 1", else: "too short")
        AttributeDescription("other", .double).range(0.5...2.5)
        AttributeDescription("whole", .integer16, optional: true).minimum(Decimal(string: "0.5")!)
        RelationshipDescription("few", to: "A", .many).count(1...2)
      }
    }
    let rules = model.entities[0].attributes[0].description.validation
    #expect(rules.minimum == .int(1) && rules.maximum == .int(3) && rules.pattern == "[a-z]+")
    #expect(rules.conditions.map(\.message) == ["too short"])
    let few = model.entities[0].relationships[0].description
    #expect(few.minCount == 1 && few.maxCount == 2)
  }

  @Test("a condition made of a predicate keeps its meaning")
  func predicates() throws {
    let predicate = try FetchPredicate(format: "SELF BEGINSWITH[c] 'a' AND other > 1.5")
    let condition = ValidationCondition(predicate, message: "no")
    #expect(try FetchPredicate(format: condition.format) == predicate)
  }
}
