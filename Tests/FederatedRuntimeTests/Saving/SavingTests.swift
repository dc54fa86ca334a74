import TestSupport
import Testing

@Suite struct SavingTests {
  @Test("delete rules are followed", arguments: RelationshipCases.deletion)
  func deletion(_ testCase: StackCase<PersonStack>) throws { try testCase.run(PersonStack()) }

  @Test("what breaks a rule is not saved", arguments: RelationshipCases.validation)
  func validation(_ testCase: StackCase<PersonStack>) throws { try testCase.run(PersonStack()) }
}
