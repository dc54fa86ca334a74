import FederatedModel
import Testing

/// A condition of `Customer.p` over `Invoice`, the keys it must give, and words of the reason when there are none.
struct PlanCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let predicate: FetchPredicate?
  var keys: [FetchedPropertyPlan.Key] = []
  var residual: FetchPredicate?
  var reason: String?
}

@Suite struct FetchedPropertyPlanTests {
  static let number = FetchExpression.keyPath(["number"])
  static func source(_ keys: String...) -> FetchExpression { .path(.variable("FETCH_SOURCE"), keys) }
  static func equal(
    _ left: FetchExpression, _ right: FetchExpression, modifier: FetchPredicate.Modifier = .direct,
    options: FetchPredicate.Options = []
  ) -> FetchPredicate {
    .comparison(.init(left, .equal, right, modifier: modifier, options: options))
  }
  static let link = equal(number, source("number"))
  static let key = FetchedPropertyPlan.Key(attribute: "number", sourcePath: ["number"])
  static let large = FetchPredicate.comparison(.init(.keyPath(["total"]), .greater, .constant(.int(10))))
  static let search = equal(
    .keyPath(["text"]), .path(.variable("FETCHED_PROPERTY"), ["userInfo", "search"]))
  static let byOwner = equal(.keyPath(["owner"]), .variable("FETCH_SOURCE"))

  static let cases: [PlanCase] = [
    PlanCase(testDescription: "attribute first", predicate: link, keys: [key]),
    PlanCase(testDescription: "source first", predicate: equal(source("number"), number), keys: [key]),
    PlanCase(
      testDescription: "SELF.attribute",
      predicate: equal(.path(.evaluatedObject, ["number"]), source("number")),
      keys: [key]),
    PlanCase(
      testDescription: "a to-one path from the source", predicate: equal(number, source("chief", "number")),
      keys: [.init(attribute: "number", sourcePath: ["chief", "number"])]),
    PlanCase(
      testDescription: "a rest that is the same for all", predicate: .and([link, large, search]), keys: [key],
      residual: .and([large, search])),
    PlanCase(
      testDescription: "two keys in nested ANDs",
      predicate: .and([large, .and([link, equal(.keyPath(["text"]), source("name"))])]),
      keys: [key, .init(attribute: "text", sourcePath: ["name"])], residual: large),
    PlanCase(testDescription: "no condition", predicate: nil, reason: "no condition"),
    PlanCase(testDescription: "no source", predicate: large, reason: "no term mentions $FETCH_SOURCE"),
    PlanCase(testDescription: "a bare object", predicate: byOwner, reason: "depends on the source"),
    PlanCase(
      testDescription: "a key and a rest that mentions the source", predicate: .and([link, .not(byOwner)]),
      reason: "depends on the source"),
    PlanCase(testDescription: "an OR", predicate: .or([link, large]), reason: "depends on the source"),
    PlanCase(
      testDescription: "a comparison with options",
      predicate: equal(number, source("number"), options: .caseInsensitive), reason: "depends on the source"),
    PlanCase(
      testDescription: "another operator", predicate: .comparison(.init(number, .less, source("number"))),
      reason: "depends on the source"),
    PlanCase(
      testDescription: "a to-many path from the source",
      predicate: equal(number, source("friends", "number")),
      reason: "depends on the source"),
    PlanCase(
      testDescription: "a path in the destination",
      predicate: equal(.keyPath(["owner", "number"]), source("number")), reason: "depends on the source"),
    PlanCase(
      testDescription: "a source path that ends in an object", predicate: equal(number, source("chief")),
      reason: "depends on the source"),
    PlanCase(
      testDescription: "the source inside a function",
      predicate: equal(number, .function("abs", [source("number")])), reason: "depends on the source"),
  ]

  static func model(_ predicate: FetchPredicate?) throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Customer") {
        AttributeDescription("number", .integer64)
        AttributeDescription("name", .string)
        RelationshipDescription("chief", to: "Customer")
        RelationshipDescription("friends", to: "Customer", .many)
        FetchedPropertyDescription("p", FetchRequest("Invoice", where: predicate))
      }
      EntityDescription("Invoice") {
        AttributeDescription("number", .integer64)
        AttributeDescription("total", .decimal)
        AttributeDescription("text", .string)
        RelationshipDescription("owner", to: "Customer")
      }
      EntityDescription("Prospect", parent: "Customer")
    }
  }

  @Test("a condition is split into keys and a rest, or the plan says why not", arguments: cases)
  func analysis(plan: PlanCase) throws {
    let property = try #require(
      Self.model(plan.predicate).entity(named: "Customer")?.fetchedProperty(named: "p"))
    #expect(property.request?.predicate == plan.predicate)
    if let reason = plan.reason {
      #expect(property.plan == nil)
      #expect(property.unplannedReason?.contains(reason) == true, "\(property.unplannedReason ?? "")")
    } else {
      #expect(property.plan?.keys == plan.keys)
      #expect(property.plan?.residual == plan.residual)
      #expect(property.unplannedReason == nil)
    }
  }

  @Test("P53 a subentity inherits the property with its plan")
  func inherits() throws {
    let model = try Self.model(Self.link)
    let own = try #require(model.entity(named: "Customer")?.fetchedProperty(named: "p"))
    let inherited = try #require(model.entity(named: "Prospect")?.fetchedProperty(named: "p"))
    #expect(own === inherited)
  }
}
