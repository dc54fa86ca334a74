import TestSupport
import Testing

@Suite struct EditScriptTests {
  @Test("a random script leaves what a naive graph says, in memory", arguments: EditScript.all)
  func script(_ script: EditScript) throws { try script.run(first: .inMemory, second: .inMemory) }

  @Test("both ends of every relationship follow each other, in memory (A8)", arguments: UpkeepCase.all)
  func upkeep(_ upkeep: UpkeepCase) throws { try upkeep.run(first: .inMemory, second: .inMemory) }

  @Test(
    "what a link without inverse led to stays out over a refresh once it is deleted, in memory",
    arguments: SeveredLinkCase.all)
  func severed(_ severed: SeveredLinkCase) throws {
    try severed.run(first: .inMemory, second: .inMemory)
  }
}
