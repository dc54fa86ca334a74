import TestSupport
import Testing

@Suite struct ExplainingTests {
  @Test("explanations tell who was asked and what was read", arguments: ExplainingCases.all)
  func explains(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }
}
