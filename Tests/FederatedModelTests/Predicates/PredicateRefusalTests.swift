import FederatedModel
import Foundation
import Testing

/// A predicate that has no answer, and why.
struct RefusalCase: CustomTestStringConvertible, Sendable {
  let label: String
  let format: String
  let subject: @Sendable () -> PredicateOperand
  let code: FetchPredicateError.Code

  init(
    _ label: String, _ format: String,
    of subject: @escaping @autoclosure @Sendable () -> PredicateOperand = PredicateOperand.value(.int(0)),
    _ code: FetchPredicateError.Code
  ) {
    self.label = label
    self.format = format
    self.subject = subject
    self.code = code
  }

  var testDescription: String { "\(self.label) \(self.format)" }
}

@Suite("What has no answer throws") struct PredicateRefusalTests {
  static let refusals: [RefusalCase] = [
    .init("PR-14", "age BETWEEN {20}", of: .keyed(["age": 34]), .invalidRange),
    .init("PR-14", "age BETWEEN range", of: .keyed(["age": 34, "range": [1, 2, 3]]), .invalidRange),
    .init("PR-14", "age BETWEEN 3", of: .keyed(["age": 34]), .invalidRange),
    .init("PR-32", "SELF MATCHES 'a('", of: "a", .invalidRegularExpression),
    .init("PR-32", "SELF MATCHES 'a)(b'", of: "a", .invalidRegularExpression),
    .init("PR-32", "x MATCHES p", of: .keyed(["x": "a", "p": "a("]), .invalidRegularExpression),
    .init("PR-43", "ANY name == 'x'", of: .keyed(["name": "x"]), .collectionExpected),
    .init("Q21", "x LIKE 'a'", of: .keyed(["x": 5]), .predicateTypeMismatch),
    .init("Q21", "x BEGINSWITH 5", of: .keyed(["x": "5"]), .predicateTypeMismatch),
    .init("Q21", "x CONTAINS 5", of: .keyed(["x": "5"]), .predicateTypeMismatch),
    .init("PR-75", "name < 5", of: .keyed(["name": "x"]), .predicateTypeMismatch),
    .init("PR-76", "d == 1000", of: .keyed(["d": .value(.date(Date()))]), .predicateTypeMismatch),
    .init("PR-76", "d IN {1000, 'x'}", of: .keyed(["d": .value(.date(Date()))]), .predicateTypeMismatch),
    .init("PR-76", "1000 >= d", of: .keyed(["d": .value(.date(Date()))]), .predicateTypeMismatch),
    .init("Q29", "c == 1", of: .keyed(["c": [1, 2]]), .toManyKeyNeedsModifier),
    .init("Q29", "c < 1", of: .keyed(["c": [1, 2]]), .toManyKeyNeedsModifier),
    .init("Q29", "c IN {1, 2}", of: .keyed(["c": [1, 2]]), .toManyKeyNeedsModifier),
    .init("Q31", "x.@count == 1", of: .keyed(["x": 5]), .collectionExpected),
    .init("Q31", "x.@magic == 1", of: .keyed(["x": 5]), .unsupportedConstruct),
    .init("Q31", "x.@sum.v == 1", of: .keyed(["x": [.keyed(["v": "a"])]]), .predicateTypeMismatch),
    .init("Q32", "c[0] == 1", of: .keyed(["c": .collection([1], isOrdered: false)]), .predicateTypeMismatch),
    .init("Q32", "c[0] == 1", of: .keyed(["c": 5]), .collectionExpected),
    .init("Q37", "a + 1 == 2", of: .keyed(["a": "1"]), .predicateTypeMismatch),
    .init("Q37", "'1' + 1 == 2", .predicateTypeMismatch),
    .init("§3.6", "a & 1 == 2", of: .keyed(["a": 1.5]), .predicateTypeMismatch),
    .init("§3.6", "uppercase(a) == 'A'", of: .keyed(["a": 1]), .predicateTypeMismatch),
    .init("§3.6", "distanceToLocation:fromLocation:(a, b) < 5", .unsupportedFunction),
    .init("§3.6", "FUNCTION(a, 'description') == 'x'", .unsupportedFunction),
    .init("§3.6", "FUNCTION(a, 'dateByAddingTimeInterval:') == 'x'", .unsupportedFunction),
    .init("§3.6", "CAST(a, 'NSObject') == 'x'", .unsupportedFunction),
    .init("Q34", "name.size0 == 1", of: .keyed(["name": "x"]), .unknownKeyPath),
    .init(
      "§3.10", "a < b", of: .keyed(["a": .value(.uuid(UUID())), "b": .value(.uuid(UUID()))]),
      .predicateTypeMismatch),
    .init("IN", "1 IN 2", .predicateTypeMismatch),
    .init("IN", "1 IN 'abc'", .predicateTypeMismatch),
    .init("==", "a == {1, 2}", of: .keyed(["a": 1]), .predicateTypeMismatch),
  ]

  @Test("errors carry their code", arguments: refusals)
  func refuses(_ refusal: RefusalCase) throws {
    let predicate = try FetchPredicate(format: refusal.format)
    do {
      let answer = try predicate.evaluate(refusal.subject())
      Issue.record("\(predicate) answered \(answer)")
    } catch let error as FetchPredicateError {
      #expect(error.code == refusal.code, "\(error)")
    }
  }

  @Test("a tree of too many levels is refused before it is walked")
  func depth() throws {
    var predicate = FetchPredicate.constant(true)
    for _ in 0..<2000 { predicate = .not(predicate) }
    #expect { try predicate.boundToKeys() } throws: {
      ($0 as? FetchPredicateError)?.code == .unsupportedConstruct
    }
  }
}
