import TestSupport
import Testing

@Suite struct EditScriptTests {
  @Test("a random script leaves what a naive graph says, in memory", arguments: EditScript.all)
  func script(_ script: EditScript) throws { try script.run(first: .inMemory, second: .inMemory) }

  @Test("both ends of every relationship follow each other, in memory (A8)", arguments: UpkeepCase.all)
  func upkeep(_ upkeep: UpkeepCase) throws { try upkeep.run(first: .inMemory, second: .inMemory) }
}
