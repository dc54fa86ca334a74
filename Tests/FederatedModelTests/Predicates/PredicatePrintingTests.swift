import FederatedModel
import Foundation
import Testing

@Suite("Predicates print one canonical text") struct PredicatePrintingTests {
  @Test(
    "text (PR-46, PR-58, PR-59, §3.8)",
    arguments: [
      (
        "((X == 10 and V = 11) or (Y == 30 && W != 5)) or (Z == 20 or (K == 40 AND C == 11))",
        "((X == 10 AND V == 11) OR (Y == 30 AND W != 5)) OR (Z == 20 OR (K == 40 AND C == 11))"
      ),
      ("a + b * 2 == 7", "a + (b * 2) == 7"), ("TRUEPREDICATE", "TRUEPREDICATE"),
      ("falsepredicate", "FALSEPREDICATE"),
      ("a =< 1 and b => 2 and c <> 3", "a <= 1 AND b >= 2 AND c != 3"),
      ("name contains[dc] 'x'", "name CONTAINS[cd] \"x\""),
      ("flag == YES", "flag == 1"), ("flag = no", "flag == 0"), ("a == NULL", "a == nil"),
      ("a == 1.0", "a == 1.0"),
      ("not a = 1", "NOT a == 1"), ("NOT (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
      ("none a.b == 1", "NOT ANY a.b == 1"),
      ("a IN {1,2 , 'x'}", "a IN {1, 2, \"x\"}"), ("a IN {}", "a IN {}"),
      ("#size == 1 AND a.#first == 2", "#size == 1 AND a.#first == 2"),
      ("self.a == $v.b.c", "SELF.a == $v.b.c"),
      ("d < CAST(-978307200, 'NSDate')", "d < CAST(-978307200.000000, \"NSDate\")"),
      ("sum(a.b) == 1", "sum(a.b) == 1"), ("a[first] == b[0] + c[#first]", "a[FIRST] == b[0] + c[#first]"),
      ("subquery(a, $x, $x.b == c).@count == 1", "SUBQUERY(a, $x, $x.b == c).@count == 1"),
      ("ternary(a == 1, b, c) == 1", "TERNARY(a == 1, b, c) == 1"),
      ("CAST(a, 'NSDate') == b", "CAST(a, \"NSDate\") == b"),
      ("FUNCTION(a, 'length') == 1", "FUNCTION(a, \"length\") == 1"), ("x union y == z", "x UNION y == z"),
      ("x NOT IN y", "NOT x IN y"), ("modulus:by:(a, 2) == 1", "modulus:by:(a, 2) == 1"),
      ("(a).b == 1", "(a).b == 1"),
    ])
  func text(format: String, canonical: String) throws {
    let predicate = try FetchPredicate(format: format)
    #expect(predicate.description == canonical)
    #expect(try FetchPredicate(format: predicate.description) == predicate)
  }

  @Test("a key spelled like a variable prints as the tradition prints it (PR-60)")
  func dollarKey() throws {
    let predicate = try FetchPredicate(format: "%K like %@+$b+$c", "$single", "b\"")
    #expect(predicate.description == "$single LIKE (\"b\\\"\" + $b) + $c")
  }

  @Test("a date prints six decimals, or all its digits when six do not give it back")
  func dates() throws {
    let short = FetchExpression.constant(.date(Date(timeIntervalSinceReferenceDate: 0.5)))
    #expect(short.description == "CAST(0.500000, \"NSDate\")")
    let long = FetchExpression.constant(.date(Date(timeIntervalSinceReferenceDate: 0.1234567890123)))
    #expect(long.description == "CAST(0.1234567890123, \"NSDate\")")
    #expect(try FetchExpression(format: long.description) == long)
  }

  @Test("an identifier prints a text that does not read back")
  func identifiers() {
    let id = ManagedObjectID(store: StoreID(2), entity: EntityID(5), reference: 17)
    let predicate = FetchPredicate.comparison(.init(.evaluatedObject, .equal, .constant(.object(id))))
    #expect(predicate.description == "SELF == <object 2/5/17>")
    #expect(throws: PredicateFormatError.self) { try FetchPredicate(format: predicate.description) }
  }

  @Test("equal trees are equal and hash alike, other options make other predicates (PR-63, Q17)")
  func equality() throws {
    let a = try FetchPredicate(format: "name == 'x'")
    #expect(try a == FetchPredicate(format: "name == \"x\""))
    #expect(try a.hashValue == FetchPredicate(format: "(name = 'x')").hashValue)
    #expect(try a != FetchPredicate(format: "name ==[c] 'x'"))
    #expect(try FetchPredicate(format: "a == 1 AND b == 2") != FetchPredicate(format: "a == 1 OR b == 2"))
    let list = FetchExpression.constant(.list([.bool(true), .list([.int(2)])]))
    let aggregate = FetchExpression.aggregate([.constant(.int(1)), .aggregate([.constant(.int(2))])])
    #expect(list == aggregate)
    #expect(list.hashValue == aggregate.hashValue)
    #expect(list != .aggregate([.constant(.int(1)), .constant(.int(2))]))
  }
}
