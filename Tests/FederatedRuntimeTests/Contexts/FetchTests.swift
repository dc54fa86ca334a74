import TestSupport
import Testing

@Suite struct FetchTests {
  @Test("unsaved work is laid over what stores answer", arguments: FetchCases.employees + FetchCases.requests)
  func employees(_ testCase: StackCase<EmployeeStack>) throws { try testCase.run(EmployeeStack()) }

  @Test("columns, aggregates and groups are of saved rows", arguments: GroupCases.all)
  func groups(_ testCase: StackCase<EmployeeStack>) throws { try testCase.run(EmployeeStack()) }

  @Test("columns and groups are over all stores", arguments: GroupCases.stores)
  func groupsOverStores(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }

  @Test("links to unsaved work decide who is found", arguments: FetchCases.links)
  func links(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }

  @Test("several stores answer as one", arguments: FetchCases.stores)
  func stores(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }

  @Test("conditions find their objects, in store and unsaved", arguments: PredicateCases.all)
  func conditions(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }

  @Test(
    "the language means the same of unsaved, saved and edited rows (PR-08 to PR-84)",
    arguments: LanguageCases.text + LanguageCases.values + BlockCases.all + FetchCases.orderings
      + SumCases.all)
  func language(_ testCase: StackCase<LanguageStack>) throws { try testCase.run(LanguageStack()) }
}
