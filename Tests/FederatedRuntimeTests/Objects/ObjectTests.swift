import TestSupport
import Testing

@Suite struct ObjectTests {
  @Test("objects live from insert to delete", arguments: LifecycleCases.life)
  func life(_ testCase: StackCase<PersonStack>) throws { try testCase.run(PersonStack()) }

  @Test("faults fire late, once, and many at a time", arguments: LifecycleCases.faults)
  func faults(_ testCase: StackCase<PersonStack>) throws { try testCase.run(PersonStack()) }

  @Test("changes are known, kept and taken back", arguments: LifecycleCases.changes)
  func changes(_ testCase: StackCase<PersonStack>) throws { try testCase.run(PersonStack()) }

  @Test("both ends of a link agree", arguments: RelationshipCases.upkeep)
  func links(_ testCase: StackCase<PersonStack>) throws { try testCase.run(PersonStack()) }

  @Test("what stays, what goes, and what is read again", arguments: LifecycleCases.refreshing)
  func refreshing(_ testCase: StackCase<PersonStack>) throws { try testCase.run(PersonStack()) }

  @Test("deleting in one store of several", arguments: LifecycleCases.stores)
  func stores(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }
}
