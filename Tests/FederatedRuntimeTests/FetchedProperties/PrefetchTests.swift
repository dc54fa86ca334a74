import TestSupport
import Testing

@Suite struct PrefetchTests {
  @Test("fetched properties are filled by the set", arguments: PrefetchCases.all)
  func bySet(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }
}
