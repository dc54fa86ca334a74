import FederatedModel
import FederatedStore
import FederatedStoreTesting
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// What the generator makes is answered by SQL, so that comparing it with memory proves the SQL.
@Suite struct PushdownShareTests {
  @Test("nearly every generated predicate is answered by SQL alone", arguments: [1, 2, 3] as [UInt64])
  func share(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let file = try SQLiteFileUnderTest(folder.file("records.sqlite"), ConformanceModel.make())
    var generator = FederatedStoreTesting.PredicateGenerator(file.model, seed: seed)
    var finished: [String] = []
    let count = 300
    for number in 0..<count {
      let entity = try file.entity(["Record", "Note", "Memo", "Folder", "Tag"][number % 5])
      var query = StoreQuery(entity: entity.id)
      let predicate = generator.predicate(of: entity)
      do {
        query.predicate = try predicate.bound(to: entity, in: file.model)
      } catch  where error.code == .invalidRegularExpression {
        // Made on purpose, and refused by every store.
        continue
      }
      finished += try file.explanation(query).inMemory
    }
    #expect(finished.count < count / 20, "seed \(seed): \(finished.prefix(5))")
  }
}
