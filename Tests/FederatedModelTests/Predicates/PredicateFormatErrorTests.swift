import FederatedModel
import Testing

@Suite("Formats that cannot be read say where and why") struct PredicateFormatErrorTests {
  static func error(_ format: String, _ arguments: any PredicateArgument...) -> PredicateFormatError? {
    do throws(PredicateFormatError) {
      let predicate = try FetchPredicate(format: format, arguments: arguments)
      Issue.record("\(format) was read as \(predicate)")
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "the column is that of the word in question",
    arguments: [
      ("", 1), ("   ", 4), ("name", 5), ("flag AND a == 1", 6), ("a == ", 6), ("a == 1 b", 8), ("a === 1", 5),
      ("a ? 1", 3),
      ("(a == 1", 8), ("a == 1)", 7), ("a IN {1, }", 10), ("size == 3", 1), ("a == 'x", 6), ("a == 12abc", 8),
      ("ANY a", 6), ("a LIKE[x] 'b'", 8), ("a LIKE[c 'b'", 10), ("a.%d == 1", 3), ("a == 0x", 6), ("NOT", 4),
      ("a BETWEEN", 10), ("SUBQUERY(a, b, c == 1).@count == 1", 13), ("ändern == ", 11), ("a == '\\u12'", 9),
      ("a %% 2 == 1", 3), ("(a == 1) + 2 == 3", 10), ("a == (b == 1)", 14), ("a[1 == 2", 5), ("$ == 1", 2),
    ])
  func columns(format: String, column: Int) {
    let error = Self.error(format)
    #expect(error?.column == column, "\(format): \(error?.description ?? "")")
    #expect(error?.code == .syntax)
  }

  @Test("an empty text is told what should stand there", arguments: ["", "  "])
  func empty(format: String) {
    #expect(Self.error(format)?.expected == "a predicate")
    do {
      Issue.record("was read as \(try FetchExpression(format: format))")
    } catch {
      #expect(error.expected == "an operand" && error.found == "nothing")
    }
  }

  @Test("arguments are counted and typed")
  func arguments() {
    #expect(Self.error("a == %@")?.code == .arguments)
    #expect(Self.error("a == %@", 1, 2)?.code == .arguments)
    #expect(Self.error("a == %d", "x")?.code == .arguments)
    #expect(Self.error("a == %d", 1.5)?.code == .arguments)
    #expect(Self.error("%K == 1", 7)?.code == .arguments)
    #expect(Self.error("%K == 1", "a..b")?.code == .arguments)
    #expect(Self.error("a == %y", 1)?.code == .arguments)
    #expect(Self.error("a == %")?.code == .arguments)
  }

  @Test("an unknown function is named (PR-52)")
  func unknownFunction() {
    let error = Self.error("foo(a) == 1")
    #expect(error?.code == .unknownFunction)
    #expect(error?.found.contains("foo") == true)
    #expect(Self.error("a == 1 AND sum() == 1")?.column == 12)
    #expect(Self.error("FUNCTION(a) == 1")?.code == .syntax)
  }

  @Test(
    "constructs that nothing answers are named (Q16)",
    arguments: [
      "$v := 5", "FETCH(a, b) == 1", "ANYKEY == 1", "a UTI-CONFORMS-TO 'public.text'", "UTI-EQUALS == 1",
    ])
  func unsupportedConstructs(format: String) {
    let error = Self.error(format)
    #expect(error?.code == .unsupportedConstruct || format.hasPrefix("a UTI"), "\(error?.description ?? "")")
  }

  @Test("the message shows the line with a caret under the place")
  func caret() {
    let error = Self.error("name == 'x'\nAND age >")
    #expect(
      error?.description == """
        column 22: expected an operand, found the end
          AND age >
                   ^
        """)
  }
}
