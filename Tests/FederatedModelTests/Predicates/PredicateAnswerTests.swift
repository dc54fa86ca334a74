import FederatedModel
import Foundation
import Testing

/// A predicate, what it is asked of, and the answer.
struct AnswerCase: CustomTestStringConvertible, Sendable {
  let label: String
  let format: String
  let arguments: [Value]
  let subject: @Sendable () -> PredicateOperand
  let answer: Bool

  init(
    _ label: String, _ format: String, _ arguments: Value...,
    of subject: @escaping @autoclosure @Sendable () -> PredicateOperand,
    _ answer: Bool
  ) {
    self.label = label
    self.format = format
    self.arguments = arguments
    self.subject = subject
    self.answer = answer
  }

  var testDescription: String { "\(self.label) \(self.format)" }

  func check() throws {
    let predicate = try FetchPredicate(format: self.format, arguments: self.arguments)
    #expect(try predicate.evaluate(self.subject()) == self.answer, "\(predicate)")
    #expect(try FetchPredicate(format: predicate.description) == predicate || self.format.contains("%K"))
  }
}

@Suite("Predicates answer about values, dictionaries and collections") struct PredicateAnswerTests {
  static let operators: [AnswerCase] = [
    .init("PR-10", "SELF == '%@'", of: "Do", false),
    .init("PR-11", "%K == 1", "$single".value, of: .keyed(["$single": 1]), true),
    .init(
      "PR-12", "%K == %@", "Record1.Name".value, "John".value,
      of: .keyed(["Record1": .keyed(["Name": "John"])]), true),
    .init("PR-14", "%K BETWEEN %@", "age".value, .list([.int(20), .int(40)]), of: .keyed(["age": 34]), true),
    .init("PR-14", "%K BETWEEN %@", "age".value, .list([.int(34), .int(34)]), of: .keyed(["age": 34]), true),
    .init(
      "PR-14", "%K BETWEEN %@", "age".value, .list([.int(40), .int(20)]), of: .keyed(["age": 34]), false),
    .init("PR-14", "age BETWEEN range", of: .keyed(["age": 34, "range": [30, 40]]), true),
    .init(
      "PR-15", "#size == 3 AND box.#first == 1", of: .keyed(["size": 3, "box": .keyed(["first": 1])]), true),
    .init("PR-16", "x == 0x1F", of: .keyed(["x": 31]), true),
    .init("PR-18", "sum(a) == 3", of: [.keyed(["a": 1]), .keyed(["a": 2])], true),
    .init("PR-19", "SELF == 'Do'", of: "Do", true),
    .init("PR-19", "SELF == 'Do'", of: "Re", false),
    .init("PR-19", "self beginswith 'aaa'", of: "aaaa", true),
    .init("PR-19", "self beginswith 'aaa'", of: "aa", false),
    .init("PR-20", "SELF[FIRST] = 1", of: [1, 2, 0], true),
    .init("PR-20", "SELF[LAST] = 0", of: [1, 2, 0], true),
    .init("PR-20", "SELF[SIZE] = 3", of: [1, 2, 0], true),
    .init("PR-20", "SELF[1] = 2", of: [1, 2, 0], true),
    .init("PR-20", "SELF[7] == nil AND SELF[-1] == nil", of: [1, 2, 0], true),
    .init("Q32", "(SELF.h)['A'] == 1", of: .keyed(["h": .keyed(["A": 1])]), true),
    .init("PR-22", "name ==[c] 'ada'", of: .keyed(["name": "Ada"]), true),
    .init("PR-22", "name !=[c] 'ada'", of: .keyed(["name": "Ada"]), false),
    .init("PR-22", "name <[c] 'b'", of: .keyed(["name": "Ada"]), true),
    .init("PR-22", "age ==[c] 41", of: .keyed(["age": 41]), true),
    .init("PR-23", "name ==[cd] 'emile'", of: .keyed(["name": "Émile"]), true),
    .init("PR-23", "name ==[c] 'emile'", of: .keyed(["name": "Émile"]), false),
    .init("PR-23", "name ==[cd] 'o'", of: .keyed(["name": "ø"]), false),
    .init("PR-24", "name ==[c] 'STRASSE'", of: .keyed(["name": "straße"]), true),
    .init("PR-26", "SELF LIKE 'a*'", of: "a", true),
    .init("PR-26", "SELF LIKE 'a*'", of: "abc", true),
    .init("PR-26", "SELF LIKE 'a*'", of: "a\nb", true),
    .init("PR-26", "SELF LIKE 'a?b'", of: "axb", true),
    .init("PR-26", "SELF LIKE 'a?b'", of: "ab", false),
    .init("PR-26", "SELF LIKE 'a?b'", of: "axxb", false),
    .init("PR-27", "SELF LIKE 'a.b'", of: "a.b", true),
    .init("PR-27", "SELF LIKE 'a.b'", of: "axb", false),
    .init("PR-27", "SELF LIKE '[ab]'", of: "[ab]", true),
    .init("PR-27", "SELF LIKE '[ab]'", of: "a", false),
    .init("PR-27", "SELF LIKE 'a\\\\*b'", of: "a*b", true),
    .init("PR-27", "SELF LIKE 'a\\\\*b'", of: "axb", false),
    .init("PR-27", "SELF LIKE '100%'", of: "100%", true),
    .init("PR-27", "SELF LIKE '100%'", of: "1000", false),
    .init("PR-28", "name LIKE[c] 'A?C'", of: .keyed(["name": "abc"]), true),
    .init("PR-28", "name LIKE 'a_c'", of: .keyed(["name": "abc"]), false),
    .init("PR-30", "SELF MATCHES '.*^b$'", of: "a\nb", true),
    .init("PR-30", "SELF MATCHES '^a$.*'", of: "a\nb", true),
    .init("PR-30", "SELF MATCHES '^b$'", of: "a\nb", false),
    .init("PR-30", "SELF MATCHES 'a.b'", of: "a\nb", true),
    .init("PR-31", "SELF MATCHES 'a|ab'", of: "ab", true),
    .init("Q19", "SELF MATCHES[c] 'STRA.E'", of: "strafe", true),
    .init("Q19", "SELF MATCHES[d] 'e.*'", of: "élan", true),
    .init("Q19", "SELF ==[n] 'ADA'", of: "ada", false),
    .init("Q19", "SELF ==[cn] 'ADA'", of: "ada", false),
    .init("Q23", "SELF CONTAINS ''", of: "ada", true),
    .init("Q23", "SELF BEGINSWITH '' AND SELF ENDSWITH[c] ''", of: "", true),
    .init("Q20", "SELF ENDSWITH 'DA'", of: "ada", false),
    .init("Q20", "SELF ENDSWITH[c] 'DA'", of: "ada", true),
    .init("IN", "'BBB' IN 'AABBBAA'", of: 1, true),
    .init("IN", "SELF IN[c] 'AABBBAA'", of: "bbb", true),
    .init("IN", "SELF IN[c] {'ADA', 'BOB'}", of: "ada", true),
    .init("IN", "SELF IN {1, 2.0, 'x'}", of: 2, true),
    .init("IN", "SELF IN {1, 2.0, 'x'}", of: "1", false),
    .init("CONTAINS", "tags CONTAINS 'x'", of: .keyed(["tags": ["y", "x"]]), true),
    .init("CONTAINS", "tags CONTAINS[c] 'X'", of: .keyed(["tags": ["y", "x"]]), true),
    .init("CONTAINS", "tags CONTAINS 'X'", of: .keyed(["tags": ["y", "x"]]), false),
  ]

  static let collections: [AnswerCase] = [
    .init("PR-35", "ANY c.name == 'ready'", of: children("ready", "pending"), true),
    .init("PR-35", "ANY c.name == 'ready'", of: children("ready", "ready"), true),
    .init("PR-35", "ANY c.name == 'ready'", of: children(), false),
    .init("PR-35", "ALL c.name == 'ready'", of: children("ready", "pending"), false),
    .init("PR-35", "ALL c.name == 'ready'", of: children("ready", "ready"), true),
    .init("PR-35", "ALL c.name == 'ready'", of: children(), true),
    .init("PR-35", "NONE c.name == 'ready'", of: children("ready", "pending"), false),
    .init("PR-35", "NONE c.name == 'ready'", of: children(), true),
    .init("Q24", "ANY missing == 1", of: .keyed([:]), false),
    .init("Q24", "ALL missing == 1", of: .keyed([:]), true),
    .init("PR-36", "SOME c == 1", of: .keyed(["c": [1, 2]]), true),
    .init("PR-36", "SOME c == 1", of: .keyed(["c": []]), false),
    .init("Q25", "ANY c == nil", of: .keyed(["c": [1, nil]]), true),
    .init("Q25", "ALL c != 2", of: .keyed(["c": [1, nil]]), true),
    .init("Q28", "ANY c != 1", of: .keyed(["c": [1, 2]]), true),
    .init("Q28", "NONE c == 1", of: .keyed(["c": [1, 2]]), false),
    .init("PR-38", "ANY c.x == 1 AND ANY c.y == 2", of: pairs, true),
    .init("PR-38", "SUBQUERY(c, $e, $e.x == 1 AND $e.y == 2).@count > 0", of: pairs, false),
    .init(
      "PR-39", "SUBQUERY(friends, $f, $f.age > age).@count == 2",
      of: .keyed(["age": 36, "friends": [.keyed(["age": 41]), .keyed(["age": 45])]]), true),
    .init("PR-40", "SUBQUERY(g, $x, $x == d).@count > 0", of: .keyed(["g": [5, 6], "d": 6]), true),
    .init(
      "Q33", "SUBQUERY(g, $x, SUBQUERY(g, $y, $y > $x).@count == 0).@count == 1", of: .keyed(["g": [5, 6]]),
      true),
    .init("Q33", "SUBQUERY(missing, $x, $x == 1).@count == 0", of: .keyed([:]), true),
    .init("PR-44", "g.@avg.v == 5", of: .keyed(["g": [.keyed(["v": 10]), .keyed(["v": nil])]]), true),
    .init(
      "Q38", "g.@sum.v == 7 AND a.@sum.v == 7",
      of: .keyed([
        "g": [
          .keyed(["v": 9_223_372_036_854_775_807]), .keyed(["v": 9_223_372_036_854_775_807]),
          .keyed(["v": 9]), .keyed(["v": -9_223_372_036_854_775_808]),
          .keyed(["v": -9_223_372_036_854_775_808]),
        ],
        "a": [
          .keyed(["v": -9_223_372_036_854_775_808]), .keyed(["v": 9_223_372_036_854_775_807]),
          .keyed(["v": -9_223_372_036_854_775_808]), .keyed(["v": 9]),
          .keyed(["v": 9_223_372_036_854_775_807]),
        ],
      ]), true),
    .init(
      "Q31", "g.@sum.v == 10 AND g.@min.v == 10 AND g.@max.v == 10 AND g.@count == 2",
      of: .keyed(["g": [.keyed(["v": 10]), .keyed(["v": nil])]]), true),
    .init(
      "Q31", "g.@sum.v == 0 AND g.@avg.v == 0 AND g.@min.v == nil AND g.@count == 0", of: .keyed(["g": []]),
      true),
    .init(
      "Q31", "g.@distinctUnionOfObjects.v == {1}",
      of: .keyed(["g": [.keyed(["v": 1]), .keyed(["v": 1.0]), .keyed([:])]]), true),
    .init(
      "Q31", "g.@unionOfArrays.v == {1, 2, 2}",
      of: .keyed(["g": [.keyed(["v": [1, 2]]), .keyed(["v": [2]])]]), true),
    .init(
      "sets", "(a UNION b) == {1, 2, 3} AND (a INTERSECT b) == {2} AND (a MINUS b) == {1}",
      of: .keyed(["a": [1, 2], "b": [2, 3]]), true),
    .init(
      "deep", "ANY a.b.c == 3",
      of: .keyed(["a": [.keyed(["b": [.keyed(["c": 1])]]), .keyed(["b": [.keyed(["c": 3])]])]]), true),
    .init("ALL IN", "ALL c IN {1, 2, 3}", of: .keyed(["c": [1, 2]]), true),
    .init("ANY NOT IN", "ANY c NOT IN {1}", of: .keyed(["c": [1, 2]]), true),
    .init("ANY NOT IN", "ANY c NOT IN {1, 2}", of: .keyed(["c": [1, 2]]), false),
  ]

  static let calculations: [AnswerCase] = [
    .init("PR-46", "a + b * 2 == 7", of: .keyed(["a": 1, "b": 3]), true),
    .init("PR-47", "7 / 2 == 3 AND 7.0 / 2 == 3.5 AND x / 2 == 3", of: .keyed(["x": 7]), true),
    .init(
      "PR-48", "2 ** 3 == 8 AND modulus:by:(-7, 3) == -1 AND 1 / 0 == nil AND 1.0 / 0 == nil", of: 0, true),
    .init(
      "PR-48", "modulus:by:(1, 0) == nil AND -9223372036854775808 / -1 > 9223372036854775807", of: 0, true),
    .init("PR-50", "x == 9007199254740993", of: .keyed(["x": .value(.int(9_007_199_254_740_992))]), false),
    .init("PR-50", "9007199254740993 == 9007199254740992.0", of: 0, false),
    .init(
      "PR-50", "9007199254740993 > 9007199254740992.0 AND 9223372036854775807 < 9223372036854775808.0", of: 0,
      true),
    .init(
      "PR-51", "max({1, 5, 3}) == 5 AND median({1, 2, 3, 10}) == 2.5 AND mode({1, 2, 2}) == {2}", of: 0, true),
    .init(
      "PR-51", "average({2, 4}) == 3 AND stddev({2, 4}) == 1 AND count({1, nil}) == 2 AND min(3, 2) == 2",
      of: 0, true),
    .init(
      "Q-empty",
      "sum({}) == 0 AND count({}) == 0 AND average({}) == nil AND median({}) == nil AND mode({}) == {}",
      of: 0, true),
    .init("PR-54", "TERNARY(j != NULL, j, '').length == 0", of: .keyed(["j": nil]), true),
    .init("PR-54", "TERNARY(j != NULL, j, '').length == 2", of: .keyed(["j": "ab"]), true),
    .init("Q34", "name.length == 2", of: .keyed(["name": "😀"]), true),
    .init("Q37", "a + 1 == nil AND a * a == nil", of: .keyed(["a": nil]), true),
    .init("Q38", "9223372036854775807 + 1 == 9223372036854775808.0", of: 0, true),
    .init(
      "bits",
      "5 & 3 == 1 AND (5 | 3) == 7 AND (5 ^ 3) == 6 AND (1 << 4) == 16 AND (16 >> 4) == 1 AND ~0 == -1",
      of: 0, true),
    .init(
      "reals", "abs(-2) == 2 AND sqrt(9) == 3 AND ln(1) == 0 AND log(100) == 2 AND exp(0) == 1", of: 0, true),
    .init(
      "reals", "ceiling(1.2) == 2 AND floor(-1.2) == -2 AND trunc(-1.8) == -1 AND ceiling(3) == 3", of: 0,
      true),
    .init(
      "decimals", "a + a == b AND trunc(a) == 1 AND floor(a) == 1 AND ceiling(a) == 2",
      of: .keyed(["a": decimal("1.1"), "b": decimal("2.2")]), true),
    .init(
      "text",
      "uppercase('straße') == 'STRASSE' AND lowercase('ÄB') == 'äb' AND canonical('É') == 'e' AND length('ab') == 2",
      of: 0, true),
    .init(
      "CAST", "CAST(a, 'NSNumber') == 12 AND CAST(12, 'NSString') == '12' AND CAST(1.0, 'NSString') == '1'",
      of: .keyed(["a": "12"]), true),
    .init(
      "CAST", "CAST(a, 'NSDate') == CAST(1000, 'NSDate') AND CAST('x', 'NSNumber') == nil",
      of: .keyed(["a": 1000]), true),
    .init("CAST", "CAST(a, 'NSDecimalNumber') == 1.5", of: .keyed(["a": "1.50"]), true),
    .init(
      "FUNCTION", "FUNCTION(d, 'dateByAddingTimeInterval:', 5) == CAST(6, 'NSDate')",
      of: .keyed(["d": .value(.date(Date(timeIntervalSinceReferenceDate: 1)))]), true),
    .init(
      "FUNCTION", "FUNCTION(a, 'uppercaseString') == 'AB' AND FUNCTION(a, 'length') == 2",
      of: .keyed(["a": "ab"]), true),
    .init(
      "now", "now() == now() AND now() > CAST(0, 'NSDate') AND random() < 1 AND randomn(3) < 3", of: 0, true),
    .init(
      "noindex", "noindex(a) == 1 AND objectFrom:withIndex:(b, 1) == 2", of: .keyed(["a": 1, "b": [1, 2]]),
      true),
  ]

  static let absences: [AnswerCase] = [
    .init("§3.9", "k == nil AND nil == nil AND NOT k != nil", of: .keyed([:]), true),
    .init("§3.9", "k == 'x'", of: .keyed([:]), false),
    .init("§3.9", "k != 'x' AND NOT (k == 'x')", of: .keyed([:]), true),
    .init("§3.9", "k < 5 OR k >= 5 OR k <= nil OR nil <= nil", of: .keyed([:]), false),
    .init("§3.9", "k BETWEEN {1, 5}", of: .keyed([:]), false),
    .init("§3.9", "k IN {1, 2}", of: .keyed([:]), false),
    .init("§3.9", "k IN {1, nil}", of: .keyed([:]), true),
    .init("§3.9", "NOT (k IN {1, nil})", of: .keyed(["k": 2]), true),
    .init("§3.9", "k IN {}", of: .keyed(["k": 2]), false),
    .init(
      "§3.9", "k CONTAINS 'x' OR k BEGINSWITH '' OR k LIKE '*' OR k MATCHES '.*' OR 'x' CONTAINS k",
      of: .keyed([:]), false),
    .init("§3.9", "rel.attr == 'x'", of: .keyed([:]), false),
    .init("§3.9", "rel.attr != 'x' AND rel.attr == nil", of: .keyed([:]), true),
    .init("§3.9", "k IN missing", of: .keyed(["k": 2]), false),
  ]

  static func children(_ names: PredicateOperand...) -> PredicateOperand {
    .keyed(["c": .collection(names.map { .keyed(["name": $0]) }, isOrdered: false)])
  }

  static var pairs: PredicateOperand {
    .keyed(["c": [.keyed(["x": 1, "y": 0]), .keyed(["x": 0, "y": 2])]])
  }

  static func decimal(_ text: String) -> PredicateOperand { .value(.decimal(Decimal(string: text)!)) }

  @Test("operators", arguments: operators) func checkOperators(_ answer: AnswerCase) throws {
    try answer.check()
  }
  @Test("collections", arguments: collections) func checkCollections(_ answer: AnswerCase) throws {
    try answer.check()
  }
  @Test("calculations", arguments: calculations) func checkCalculations(_ answer: AnswerCase) throws {
    try answer.check()
  }
  @Test("nil is an ordinary value that equals only itself", arguments: absences)
  func checkAbsences(_ answer: AnswerCase) throws { try answer.check() }

  @Test("a variable must be bound, and the original stays as it is (PR-56)")
  func variables() throws {
    let predicate = try FetchPredicate(format: "$v > 3")
    #expect(
      throws: FetchPredicateError(
        .unboundVariable, subject: "$v",
        "has no value: substitute every variable before the predicate is used")
    ) {
      try predicate.evaluate(PredicateOperand.value(.int(0)))
    }
    #expect(
      try predicate.substituting(["v": .int(4), "w": .int(1)]).evaluate(PredicateOperand.value(.int(0))))
    #expect(predicate.freeVariables == ["v"])
    #expect(try predicate == FetchPredicate(format: "$v > 3"))
  }

  @Test("a subquery's variable hides an outer one from substitution")
  func shadowing() throws {
    let predicate = try FetchPredicate(format: "SUBQUERY($x.list, $x, $x > $y).@count == 1 AND $x.key == 2")
    #expect(predicate.freeVariables == ["x", "y"])
    var asked: [String] = []
    let bound = predicate.substitutingPaths { variable, keys in
      asked.append(([variable] + keys).joined(separator: "."))
      switch (variable, keys) {
      case ("x", ["list"]): return .list([.int(1), .int(5)])
      case ("x", ["key"]): return .int(2)
      case ("y", []): return .int(3)
      default: return nil
      }
    }
    #expect(asked == ["x.list", "y", "x.key"])
    #expect(bound.freeVariables.isEmpty)
    #expect(try bound.evaluate(PredicateOperand.value(.null)))
  }
}
