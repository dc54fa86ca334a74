internal import FederatedModel
internal import FederatedRuntime
internal import Foundation
internal import Testing

extension LanguageCases {
  /// Numbers, functions, collections.
  public static let values: [StackCase<LanguageStack>] = [
    StackCase(
      "PR-18 sum over a list",
      [Sample("a", parts: [["x": 1], ["x": 2]]), Sample("b", parts: [["x": 3], [:]])],
      [
        .init("sum(steps.x) == 3", finds: ["a", "b"]), .init("count(parts.x) == 2", finds: ["a", "b"]),
        .init("average(steps.x) == 1.5", finds: ["a", "b"]), .init("max(parts.x) == 3", finds: ["b"]),
      ]),
    StackCase(
      "PR-20 elements of an ordered list",
      [Sample("a", parts: [["x": 1], ["x": 2], ["x": 0]]), Sample("empty")],
      [
        .init("(steps.x)[FIRST] = 1", finds: ["a"]), .init("(steps.x)[LAST] = 0", finds: ["a"]),
        .init("(steps.x)[SIZE] = 3", finds: ["a"]), .init("(steps.x)[1] = 2", finds: ["a"]),
        .init("(steps.x)[7] == nil", finds: ["a", "empty"]), .init("steps[FIRST].x == 1", finds: ["a"]),
        .init("steps[0] == nil", finds: ["empty"]), .init("parts[SIZE] == 0", finds: ["empty"]),
        .init("objectFrom:withIndex:(steps.x, 1) == 2", finds: ["a"]),
        .init("(steps.x)[(steps.x)[FIRST]] == 2", finds: ["a"]),
      ]),
    StackCase(
      "PR-35, PR-36, Q25 quantifiers",
      [
        Sample("mixed", parts: [["name": "ready"], ["name": "pending"]]),
        Sample("all", parts: [["name": "ready"], ["name": "ready"]]), Sample("empty"),
        Sample("nil", parts: [[:]]),
      ],
      [
        .init("ANY parts.name == 'ready'", finds: ["mixed", "all"]),
        .init("ALL parts.name == 'ready'", finds: ["all", "empty"]),
        .init("NONE parts.name == 'ready'", finds: ["empty", "nil"]),
        .init("SOME parts.name == 'pending'", finds: ["mixed"]),
        .init("ANY parts.name == nil", finds: ["nil"]),
        .init("ALL parts.name != 'pending'", finds: ["all", "empty", "nil"]),
        .init("NOT (ALL parts.name == 'ready')", finds: ["mixed", "nil"]),
        .init("NOT (NONE parts.name == 'ready')", finds: ["mixed", "all"]),
        .init("ANY parts.name IN {'pending', nil}", finds: ["mixed", "nil"]),
        .init("ANY parts.name NOT IN {'ready'}", finds: ["mixed", "nil"]),
        .init("ALL parts.name BEGINSWITH 'r'", finds: ["all", "empty"]),
        .init("'ready' IN parts.name", finds: ["mixed", "all"]),
        .init("parts.name CONTAINS 'pending'", finds: ["mixed"]),
      ]),
    StackCase(
      "PR-38, PR-39, PR-40, Q33 subqueries tie conditions to one element",
      [
        Sample("split", ["number": 1, "age": 36], parts: [["x": 1, "y": 0], ["x": 0, "y": 2]]),
        Sample("tied", ["number": 41, "age": 36], parts: [["x": 41, "y": 2], ["x": 45, "y": 2]]),
      ],
      [
        .init("ANY parts.x == 1 AND ANY parts.y == 2", finds: ["split"]),
        .init("SUBQUERY(parts, $e, $e.x == 1 AND $e.y == 2).@count > 0", finds: []),
        .init("SUBQUERY(parts, $f, $f.x > age).@count == 2", finds: ["tied"]),
        .init("SUBQUERY(parts, $p, $p.x == number).@count > 0", finds: ["split", "tied"]),
        .init("SUBQUERY(parts.x, $x, $x == number).@count > 0", finds: ["split", "tied"]),
        .init("SUBQUERY(parts, $p, $p.y == 2).@sum.x == 86", finds: ["tied"]),
        .init(
          "SUBQUERY(parts, $p, SUBQUERY(parts, $q, $q.x > $p.x).@count == 0).@count == 1",
          finds: ["split", "tied"]),
        .init("ANY SUBQUERY(parts, $p, $p.y == 2).x == 45", finds: ["tied"]),
      ]),
    StackCase(
      "PR-44, Q31 collection operators count nil as 0, or skip it",
      [Sample("a", parts: [["v": 10.0], [:]]), Sample("empty")],
      [
        .init("parts.@avg.v == 5", finds: ["a"]), .init("parts.@sum.v == 10", finds: ["a"]),
        .init("parts.@min.v == 10 AND parts.@max.v == 10", finds: ["a"]),
        .init("parts.@count == 0", finds: ["empty"]), .init("parts.@sum.v == 0", finds: ["empty"]),
        .init("parts.@avg.v == 0 AND average(parts.v) == nil", finds: ["empty"]),
        .init("parts.@min.v == nil", finds: ["empty"]), .init("parts.v.@count == 2", finds: ["a"]),
        .init("parts.@distinctUnionOfObjects.v == {10}", finds: ["a"]),
        .init("parts.@unionOfObjects.v[SIZE] == 0", finds: ["empty"]),
      ]),
    StackCase(
      "PR-47, PR-48 division, powers, remainders", [Sample("a", ["size": 7, "real": 7.0, "age": 0])],
      [
        .init("#size / 2 == 3", finds: ["a"]), .init("real / 2 == 3.5", finds: ["a"]),
        .init("2 ** 3 == 8 AND 2 ** 3 ** 2 == 64", finds: ["a"]),
        .init("modulus:by:(0 - #size, 3) == -1", finds: ["a"]),
        .init("1 / 0 == nil AND #size / age == nil AND real / 0 == nil", finds: ["a"]),
        .init("-#size == -7 AND - #size + 1 == -6", finds: ["a"]), .init("#size - 2 - 3 == 2", finds: ["a"]),
        .init("#size + 1 * 2 == 9 AND (#size + 1) * 2 == 16", finds: ["a"]),
        .init("#size == %d + %d", 3, 4, finds: ["a"]),
      ]),
    StackCase(
      "Q38 decimals that become too large or too small are doubles, and nothing traps",
      [Sample("a", ["age": 1])],
      [
        .init(
          "%@ * %@ < 1e-199", Decimal(sign: .plus, exponent: -100, significand: 1),
          Decimal(sign: .plus, exponent: -100, significand: 1), finds: ["a"]),
        .init("%@ ** 20 == 0", Decimal(sign: .plus, exponent: -100, significand: 1), finds: ["a"]),
        .init("%@ ** 3 > 1e299", Decimal(sign: .plus, exponent: 100, significand: 1), finds: ["a"]),
        .init("CAST('1.1', 'NSDecimalNumber') ** 3 == CAST('1.331', 'NSDecimalNumber')", finds: ["a"]),
      ]),
    StackCase(
      "PR-48 a power of zero below 0 is nil, whichever sign the zero had",
      [
        Sample("zero", ["real": 0.0, "age": 0]), Sample("minus", ["real": -0.0, "age": 0]),
        Sample("two", ["real": 2.0, "age": 2]),
      ],
      [
        .init("real ** -1 == nil AND age ** -1 == nil", finds: ["zero", "minus"]),
        .init("real ** -1 == 0.5 AND age ** -1 == 0.5", finds: ["two"]),
        .init("(real * -1) ** -3 < 0", finds: ["two"]),
        .init("real ** 0 == 1", finds: ["zero", "minus", "two"]),
      ]),
    StackCase(
      "PR-50, Q38 integers to the last digit, overflow to doubles",
      [
        Sample("2^53", ["number": 9_007_199_254_740_992, "real": 9_007_199_254_740_992.0]),
        Sample("max", ["number": Int64.max]), Sample("min", ["number": Int64.min]),
      ],
      [
        .init("number == 9007199254740993", finds: []),
        .init("number == 9007199254740992.0", finds: ["2^53"]),
        .init("number < 9007199254740993", finds: ["2^53", "min"]),
        .init("number == 9223372036854775808.0", finds: []),
        .init("number < 9223372036854775808.0", finds: ["2^53", "max", "min"]),
        .init("number + 1 == 9223372036854775808.0", finds: ["max"]),
        .init("number - 1 < -9223372036854775807", finds: ["min"]),
        .init("number * 2 > 9223372036854775807", finds: ["max"]),
        .init("number / -1 == 9223372036854775808.0", finds: ["min"]),
        .init("abs(number) == 9223372036854775808.0", finds: ["min"]),
        .init("number == -9223372036854775808", finds: ["min"]),
        .init("number > 9223372036854775806", finds: ["max"]),
      ]),
    StackCase(
      "PR-51, §3.6 functions",
      [
        Sample("a", ["text": "Straße", "real": -1.5, "number": 9, "amount": Decimal(string: "1.25") ?? 0]),
        Sample("nil"),
      ],
      [
        .init("max({1, 5, number}) == 9 AND min(number, 3) == 3", finds: ["a"]),
        .init(
          "median({1, 2, 3, 10}) == 2.5 AND mode({1, 2, 2}) == {2} AND average({2, 4}) == 3",
          finds: ["a", "nil"]),
        .init("stddev({2, 4}) == 1 AND count({number, nil}) == 2", finds: ["a", "nil"]),
        .init(
          "abs(real) == 1.5 AND ceiling(real) == -1 AND floor(real) == -2 AND trunc(real) == -1", finds: ["a"]
        ),
        .init("sqrt(number) == 3 AND ln(1) == 0 AND log(100) == 2 AND exp(0) == 1", finds: ["a"]),
        .init("uppercase(text) == 'STRASSE' AND lowercase(text) == 'straße'", finds: ["a"]),
        .init("canonical(text) == 'strasse' AND length(text) == 6 AND text.length == 6", finds: ["a"]),
        .init("length(text) == nil AND uppercase(text) == nil AND abs(real) == nil", finds: ["nil"]),
        .init("trunc(amount) == 1 AND ceiling(amount) == 2", finds: ["a"]),
        .init("noindex(number) == 9 AND now() > CAST(0, 'NSDate') AND random() < 1", finds: ["a"]),
        .init("CAST(number, 'NSString') == '9' AND CAST('9', 'NSNumber') == number", finds: ["a"]),
        .init("CAST(number, 'NSDecimalNumber') == 9", finds: ["a"]),
        .init(
          "FUNCTION(text, 'uppercaseString') == 'STRASSE' AND FUNCTION(text, 'length') == 6", finds: ["a"]),
        .init("FUNCTION(text, 'lowercaseString') == 'straße'", finds: ["a"]),
        .init(
          "FUNCTION(CAST(number, 'NSDate'), 'dateByAddingTimeInterval:', 1) == CAST(10, 'NSDate')",
          finds: ["a"]),
        .init("sum: (number, 1) == 10 AND add:to:(number, 1) == 10", finds: ["a"]),
      ]),
    StackCase(
      "bits and sets",
      [Sample("a", ["number": 5, "age": 3], parts: [["x": 1, "y": 2], ["x": 2, "y": 3]]), Sample("nil")],
      [
        .init("(number & age) == 1 AND (number | age) == 7 AND (number ^ age) == 6", finds: ["a"]),
        .init("(number << 2) == 20 AND (number >> 1) == 2 AND ~number == -6", finds: ["a"]),
        .init("(number & 1) == nil AND ~number == nil", finds: ["nil"]),
        .init("(steps.x UNION steps.y) == {1, 2, 3}", finds: ["a"]),
        .init("(steps.x INTERSECT steps.y) == {2} AND (steps.x MINUS steps.y) == {1}", finds: ["a"]),
        .init("number IN ({5} UNION steps.x)", finds: ["a"]),
        .init("({1, 2} INTERSECT {2}) == {2}", finds: ["a", "nil"]),
      ]),
    StackCase(
      "PR-54 a choice", [Sample("nil"), Sample("ab", ["text": "ab"])],
      [
        .init("TERNARY(text != NULL, text, '').length == 0", finds: ["nil"]),
        .init("TERNARY(text != NULL, text, '').length == 2", finds: ["ab"]),
        .init("TERNARY(text == nil, 1, 2) >= 2", finds: ["ab"]),
        .init("TERNARY(text == nil, 'x', text) CONTAINS 'a'", finds: ["ab"]),
      ]),
    StackCase("PR-56 a variable is bound before a store is asked") { (stack: LanguageStack) throws in
      let context = stack.makeContext()
      try stack.fill([Sample("3", ["size": 3]), Sample("5", ["size": 5])], in: context)
      try context.save()
      let predicate = try FetchPredicate(format: "#size > $v")
      let error = #expect(throws: FetchPredicateError.self) { try stack.labels(predicate, in: context) }
      #expect(error?.code == .unboundVariable && error?.subject == "$v")
      #expect(try stack.labels(predicate.substituting(["v": .int(4)]), in: context) == ["5"])
      #expect(try stack.labels(predicate.substituting(["v": .null]), in: context) == [])
      #expect(predicate.freeVariables == ["v"])
    },
    StackCase("PR-84 300 parentheses and 1,500 terms are asked whole") { (stack: LanguageStack) throws in
      let context = stack.makeContext()
      try stack.fill([Sample("3", ["size": 3]), Sample("5", ["size": 5]), Sample("nil")], in: context)
      try context.save()
      let nested = String(repeating: "(", count: 300) + "#size == 3" + String(repeating: ")", count: 300)
      let chain = (0..<1500).map { "#size != \($0 + 10)" }.joined(separator: " AND ")
      let choices = (0..<1500).map { "#size == \($0 + 5)" }.joined(separator: " OR ")
      let negated = String(repeating: "NOT (", count: 300) + "#size == 3" + String(repeating: ")", count: 300)
      for context in [context, stack.makeContext()] {
        #expect(try stack.labels(FetchPredicate(format: nested), in: context) == ["3"])
        #expect(try stack.labels(FetchPredicate(format: chain), in: context) == ["3", "5", "nil"])
        #expect(try stack.labels(FetchPredicate(format: chain + " AND #size > 3"), in: context) == ["5"])
        #expect(try stack.labels(FetchPredicate(format: choices), in: context) == ["5"])
        #expect(try stack.labels(FetchPredicate(format: negated), in: context) == ["3"])
      }
    },
  ]
}
