import TestSupport
import Testing

@Suite struct LinkedFetchTests {
  @Test("requests lead through fetched properties", arguments: LinkedCases.answers + LinkedCases.questions)
  func links(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }
}
