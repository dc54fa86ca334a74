import FederatedModel
import Foundation
import Testing

@Suite("Formats are read as trees") struct PredicateParsingTests {
  static func parsed(_ format: String, _ arguments: any PredicateArgument...) throws -> FetchPredicate {
    try FetchPredicate(format: format, arguments: arguments)
  }

  static func test(
    _ key: String, _ comparator: FetchPredicate.Operator, _ value: Value
  ) -> FetchPredicate {
    .comparison(.init(.keyPath([key]), comparator, .constant(value)))
  }

  static func equal(_ key: String, _ value: Int64) -> FetchPredicate { self.test(key, .equal, .int(value)) }

  @Test("AND binds tighter than OR, NOT tighter than AND (PR-02, PR-06, Q6)")
  func precedence() throws {
    #expect(try Self.parsed("not a = 1 or b = 2") == .or([.not(Self.equal("a", 1)), Self.equal("b", 2)]))
    #expect(
      try Self.parsed("a = 1 or b >= 1 and b <= 9")
        == .or([
          Self.equal("a", 1),
          .and([Self.test("b", .greaterOrEqual, .int(1)), Self.test("b", .lessOrEqual, .int(9))]),
        ]))
    #expect(try Self.parsed("a==1 AND(b==2)") == .and([Self.equal("a", 1), Self.equal("b", 2)]))
    #expect(
      try Self.parsed("a==1||b==2&&!c==3")
        == .or([Self.equal("a", 1), .and([Self.equal("b", 2), .not(Self.equal("c", 3))])]))
  }

  @Test("a chain of one connective is one flat compound, parentheses keep theirs (PR-03, PR-04, Q7)")
  func flatCompounds() throws {
    let predicate = try Self.parsed("a = 1 and b = 2 and c = 3 and d <= 4 and (e = nil or e >= 5)")
    guard case .and(let terms) = predicate else {
      Issue.record("\(predicate)")
      return
    }
    #expect(terms.count == 5)
    #expect(terms[4] == .or([Self.test("e", .equal, .null), Self.test("e", .greaterOrEqual, .int(5))]))
    #expect(try Self.parsed("(a = 1)") == Self.equal("a", 1))
    #expect(try Self.parsed("((((a)) = (1)))") == Self.equal("a", 1))
    #expect(
      try Self.parsed("(a = 1 AND b = 2) AND c = 3")
        == .and([.and([Self.equal("a", 1), Self.equal("b", 2)]), Self.equal("c", 3)]))
  }

  @Test(
    "operators have synonyms (PR-07)",
    arguments: [
      ("a <> 1", FetchPredicate.Operator.notEqual), ("a != 1", .notEqual), ("a =< 1", .lessOrEqual),
      ("a => 1", .greaterOrEqual), ("a = 1", .equal), ("a == 1", .equal), ("a<1", .less), ("a>1", .greater),
    ])
  func synonyms(format: String, comparator: FetchPredicate.Operator) throws {
    #expect(try Self.parsed(format) == Self.test("a", comparator, .int(1)))
  }

  @Test("keywords are read in any case, keys are not (PR-08, Q1)")
  func cases() throws {
    #expect(try Self.parsed("a == 1 aNd nOt b == 2") == .and([Self.equal("a", 1), .not(Self.equal("b", 2))]))
    #expect(try Self.parsed("A == 1") != Self.equal("a", 1))
    #expect(try !Self.parsed("A == 1").evaluate(KeyedSubject(["a": 1])))
  }

  @Test("a parenthesis may hold a predicate or an operand (Q10)")
  func parentheses() throws {
    #expect(
      try Self.parsed("(a + 1) * 2 == 6")
        == .comparison(
          .init(
            .function(
              "multiply:by:",
              [.function("add:to:", [.keyPath(["a"]), .constant(.int(1))]), .constant(.int(2))]),
            .equal, .constant(.int(6)))))
    #expect(
      try Self.parsed("(key & 1) > 0")
        == .comparison(
          .init(
            .function("bitwiseAnd:with:", [.keyPath(["key"]), .constant(.int(1))]), .greater,
            .constant(.int(0)))))
  }

  @Test("SOME is ANY, NONE is NOT ANY, NOT IN is NOT around IN (Q8, Q9)")
  func quantifiers() throws {
    let any = FetchPredicate.comparison(
      .init(.keyPath(["c", "n"]), .equal, .constant(.int(1)), modifier: .any))
    let all = FetchPredicate.comparison(
      .init(.keyPath(["c", "n"]), .equal, .constant(.int(1)), modifier: .all))
    #expect(try Self.parsed("ANY c.n == 1") == any)
    #expect(try Self.parsed("some c.n == 1") == any)
    #expect(try Self.parsed("ALL c.n == 1") == all)
    #expect(try Self.parsed("NONE c.n == 1") == .not(any))
    let member = FetchPredicate.comparison(.init(.keyPath(["x"]), .in, .keyPath(["y"])))
    #expect(try Self.parsed("x NOT IN y") == .not(member))
    #expect(
      try Self.parsed("ANY x NOT IN y")
        == .not(.comparison(.init(.keyPath(["x"]), .in, .keyPath(["y"]), modifier: .all))))
  }

  @Test(
    "literals (PR-16)",
    arguments: [
      ("0x1F", Value.int(31)), ("0o17", .int(15)), ("0b101", .int(5)), ("9.2e-5", .double(0.000092)),
      ("12", .int(12)),
      ("2.5", .double(2.5)), ("1e+2", .double(100)), ("-7", .int(-7)), ("--7", .int(7)),
      ("-9223372036854775808", .int(.min)),
      ("9223372036854775807", .int(.max)), ("18446744073709551615", .decimal(Decimal(UInt64.max))),
      ("nil", .null),
      ("NULL", .null), ("'a\\'b'", .string("a'b")), ("\"\\u00e9\\n\\t\\\\\"", .string("é\n\t\\")),
      ("'\\uD83D\\uDE00'", .string("😀")), ("'\\d+'", .string("\\d+")), ("'%@'", .string("%@")),
      ("YES", .int(1)),
      ("false", .int(0)), ("CAST(1000, 'NSDate')", .date(Date(timeIntervalSinceReferenceDate: 1000))),
      ("CAST('1.10', 'NSDecimalNumber')", .decimal(Decimal(string: "1.1")!)),
      ("CAST('AQI=', 'NSData')", .data(Data([1, 2]))), ("CAST('http://a/b', 'NSURL')", .uri("http://a/b")),
      (
        "CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')",
        .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!)
      ),
    ])
  func literals(format: String, value: Value) throws {
    #expect(try FetchExpression(format: format) == .constant(value))
  }

  @Test("arguments are constants or keys, never syntax (PR-10, PR-11, PR-12)")
  func arguments() throws {
    #expect(
      try FetchPredicate(format: "SELF == '%@'")
        == .comparison(.init(.evaluatedObject, .equal, .constant(.string("%@")))))
    #expect(
      try FetchPredicate(format: "%K == 1", "$single")
        == .comparison(.init(.keyPath(["$single"]), .equal, .constant(.int(1)))))
    #expect(try FetchPredicate(format: "%K == 1", "$single").freeVariables.isEmpty)
    #expect(
      try FetchPredicate(format: "%K == %@", "Record1.Name", "John")
        == .comparison(.init(.keyPath(["Record1", "Name"]), .equal, .constant(.string("John")))))
    #expect(
      try FetchPredicate(format: "%K.@count > %ld AND x < %f AND y == %@", "a.b", 3, 2, Int?.none)
        == .and([
          .comparison(.init(.keyPath(["a", "b", "@count"]), .greater, .constant(.int(3)))),
          Self.test("x", .less, .double(2)), Self.test("y", .equal, .null),
        ]))
    #expect(
      try FetchPredicate(format: "a IN %@ AND b == %@", [1, 2], UInt64.max)
        == .and([
          Self.test("a", .in, .list([.int(1), .int(2)])),
          Self.test("b", .equal, .decimal(Decimal(UInt64.max))),
        ]))
    #expect(throws: PredicateFormatError.self) { try FetchPredicate(format: "SELF == '%@'", "Do") }
  }

  @Test("reserved words are keys behind # or a dot (PR-15, Q4)")
  func reservedWords() throws {
    #expect(try FetchPredicate(format: "#size == 3") == Self.equal("size", 3))
    #expect(
      try FetchPredicate(format: "box.#first == 1")
        == .comparison(.init(.keyPath(["box", "first"]), .equal, .constant(.int(1)))))
  }

  @Test("CONTAINS stays CONTAINS (PR-34, Q18)")
  func containsStays() throws {
    #expect(try FetchPredicate(format: "name CONTAINS \"y\"") == Self.test("name", .contains, .string("y")))
  }

  @Test("operators are functions under their long names, left-associative (Q11, Q12, Q13)")
  func infixOperators() throws {
    func call(_ name: String, _ a: FetchExpression, _ b: FetchExpression) -> FetchExpression {
      .function(name, [a, b])
    }
    let (a, b, c) = (
      FetchExpression.keyPath(["a"]), FetchExpression.keyPath(["b"]), FetchExpression.keyPath(["c"])
    )
    #expect(try FetchExpression(format: "a + b * c") == call("add:to:", a, call("multiply:by:", b, c)))
    #expect(
      try FetchExpression(format: "a - b - c") == call("from:subtract:", call("from:subtract:", a, b), c))
    #expect(
      try FetchExpression(format: "a ** b ** c") == call("raise:toPower:", call("raise:toPower:", a, b), c))
    #expect(
      try FetchExpression(format: "a | b ^ c") == call("bitwiseOr:with:", a, call("bitwiseXor:with:", b, c)))
    #expect(
      try FetchExpression(format: "a << b >> c") == call("rightshift:by:", call("leftshift:by:", a, b), c))
    #expect(try FetchExpression(format: "-a") == call("multiply:by:", .constant(.int(-1)), a))
    #expect(try FetchExpression(format: "~a") == .function("onesComplement", [a]))
    #expect(
      try FetchExpression(format: "a UNION b MINUS c")
        == .setOperation(.minus, .setOperation(.union, a, b), c))
    #expect(try FetchExpression(format: "sum:(a)") == .function("sum", [a]))
    #expect(try FetchExpression(format: "modulus:by:(a, b)") == call("modulus:by:", a, b))
  }
}
