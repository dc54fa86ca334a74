import FederatedData
import TestSupport
import Testing

/// The scripts of the runtime again, over an XML file and a SQLite file.
@Suite("Edit scripts over files")
struct EditScriptOverFilesTests {
  typealias Direction = CasesOverFilesTests.Direction

  @Test("a random script leaves what a naive graph says", arguments: EditScript.overFiles, Direction.allCases)
  func script(_ script: EditScript, _ direction: Direction) throws {
    let folder = try TemporaryFolder()
    let kinds = direction.kinds(in: folder)
    try script.run(first: kinds.first, second: kinds.second)
  }

  @Test(
    "both ends of every relationship follow each other, and are saved so (A8)", arguments: UpkeepCase.all,
    Direction.allCases)
  func upkeep(_ upkeep: UpkeepCase, _ direction: Direction) throws {
    let folder = try TemporaryFolder()
    let kinds = direction.kinds(in: folder)
    try upkeep.run(first: kinds.first, second: kinds.second)
  }

  @Test(
    "what a link without inverse led to stays out over a refresh once it is deleted",
    arguments: SeveredLinkCase.all, Direction.allCases)
  func severed(_ severed: SeveredLinkCase, _ direction: Direction) throws {
    let folder = try TemporaryFolder()
    let kinds = direction.kinds(in: folder)
    try severed.run(first: kinds.first, second: kinds.second)
  }
}
