import TestSupport
import Testing

@Suite struct FetchedPropertyTests {
  @Test("a fetched property answers what its question finds", arguments: FetchedPropertyCases.reading)
  func reading(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }
}
