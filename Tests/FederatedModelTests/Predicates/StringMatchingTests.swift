import FederatedModel
import Testing

@Suite("Texts are compared by one set of functions") struct StringMatchingTests {
  static let c = FetchPredicate.Options.caseInsensitive
  static let d = FetchPredicate.Options.diacriticInsensitive

  @Test(
    "equality under options (PR-23, PR-24, §3.10)",
    arguments: [
      ("straße", "STRASSE", c, true), ("straße", "strasse", d, false), ("İ", "i", c, false),
      ("İ", "i", [c, d], true), ("É", "e", [c, d], true),
      ("É", "e", c, false), ("É", "E", d, true), ("ø", "o", [c, d], false), ("ł", "l", [c, d], false),
      ("e\u{301}", "\u{e9}", [], false),
      ("e\u{301}", "\u{e9}", c, true), ("e\u{301}", "\u{e9}", d, true), ("ς", "Σ", c, true),
      ("ﬁ", "FI", c, true), ("Ada", "ADA", [c, .normalized], false),
      ("Ada", "ADA", c, true), ("Ada", "ADA", d, false), ("", "", [c, d], true),
    ] as [(String, String, FetchPredicate.Options, Bool)])
  func equality(a: String, b: String, options: FetchPredicate.Options, isEqual: Bool) {
    #expect(StringMatching.equal(a, b, options) == isEqual)
    #expect(StringMatching.equal(b, a, options) == isEqual)
    #expect((StringMatching.order(a, b, options) == 0) == isEqual)
    #expect(StringMatching.like(a, b, options) == isEqual)
    // The one text that folds into two scalars.
    if a == "İ" { return }
    #expect(StringMatching.hasPrefix(a, b, options) == isEqual)
    #expect(StringMatching.contains(a, b, options) == isEqual)
    #expect(StringMatching.hasSuffix(a, b, options) == isEqual)
  }

  @Test("under [c] an é neither begins with e nor comes after z")
  func marks() {
    for text in ["Émile", "E\u{301}mile"] {
      #expect(!StringMatching.hasPrefix(text, "e", Self.c))
      #expect(StringMatching.hasPrefix(text, "e", [Self.c, Self.d]))
      #expect(StringMatching.order(text, "gamma", Self.c) < 0)
      #expect(StringMatching.order(text, "beta", Self.c) > 0)
    }
  }

  @Test("search is by scalars, not by characters")
  func scalars() {
    #expect(StringMatching.contains("e\u{301}", "e"))
    #expect(StringMatching.hasPrefix("e\u{301}x", "e"))
    #expect(!StringMatching.contains("e\u{301}", "\u{e9}"))
    #expect(StringMatching.contains("aab", "ab"))
    #expect(!StringMatching.contains("aa", "ab"))
    #expect(StringMatching.hasSuffix("abc", ""))
    #expect(!StringMatching.hasSuffix("c", "bc"))
  }

  @Test(
    "globs",
    arguments: [
      ("", "", true), ("", "*", true), ("", "?", false), ("abc", "a*c", true), ("abcbc", "a*bc", true),
      ("abcb", "a*bc", false), ("aaa", "*a?", true),
      ("a*b", "a\\*b", true), ("a?b", "a\\?b", true), ("a\\", "a\\", true), ("😀", "?", true),
      ("abab", "*ab*ab*", true), ("ab", "**", true),
      ("ab", "a\\b", true),
    ])
  func globs(text: String, pattern: String, isLike: Bool) {
    #expect(StringMatching.like(text, pattern) == isLike)
  }

  @Test("a hostile glob takes no more than the product of the lengths")
  func hostileGlob() {
    let text = String(repeating: "a", count: 2000)
    #expect(!StringMatching.like(text, String(repeating: "*a", count: 60) + "b"))
  }

  @Test(
    "regular expressions match the whole text and are refused when they do not compile (PR-30, PR-31, PR-32)")
  func expressions() throws {
    #expect(try StringMatching.matches("ab", "a|ab"))
    #expect(try !StringMatching.matches("abc", "a|ab"))
    #expect(try StringMatching.matches("STRASSE", "strasse", Self.c))
    #expect { try StringMatching.matches("a", "a)|(b") } throws: {
      ($0 as? FetchPredicateError)?.code == .invalidRegularExpression
    }
  }
}
