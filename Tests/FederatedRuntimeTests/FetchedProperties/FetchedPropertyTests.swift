import TestSupport
import Testing

@Suite struct FetchedPropertyTests {
  @Test("a fetched property answers what its question finds", arguments: FetchedPropertyCases.reading)
  func reading(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }

  @Test("an answer is kept until its source is refreshed", arguments: FetchedPropertyCases.caching)
  func caching(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }

  @Test("unsaved work takes part in an answer", arguments: FetchedPropertyCases.pending)
  func pending(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }

  @Test("a fetched property is no stored property", arguments: FetchedPropertyCases.exclusions)
  func exclusions(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }
}
