import TestSupport
import Testing

@Suite struct SavingTests {
  @Test("delete rules are followed", arguments: RelationshipCases.deletion)
  func deletion(_ testCase: StackCase<PersonStack>) throws { try testCase.run(PersonStack()) }

  @Test("what breaks a rule is not saved", arguments: RelationshipCases.validation)
  func validation(_ testCase: StackCase<PersonStack>) throws { try testCase.run(PersonStack()) }

  @Test("rows that others changed are merged as the policy says", arguments: MergeCases.all)
  func merging(_ testCase: StackCase<PersonStack>) throws { try testCase.run(PersonStack()) }

  @Test("new objects become the rows that have their unique values", arguments: UpsertCases.all)
  func upserting(_ testCase: StackCase<ClubStack>) throws { try testCase.run(ClubStack(.inMemory)) }

  @Test("rules of the model and of classes", arguments: ValidationCases.all)
  func rules(_ testCase: StackCase<RuledStack>) throws { try testCase.run(RuledStack()) }
}
