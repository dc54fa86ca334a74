import FederatedModel
import FederatedSQLiteStore
import FederatedStore
import FederatedStoreTesting
import Foundation
import Testing

/// The contract of every store, over tables that this library did not design.
@Suite("Files of others: conformance")
struct MappedConformanceTests {
  @Test(
    "a mapped store keeps the contract, but for what its file has no place for",
    arguments: StoreConformance.checks(ForeignTables.type).filter { !ForeignTables.left.contains($0.name) })
  func conforms(check: StoreConformance.Check) throws { try check.run() }

  @Test(
    "generated questions have the answers of memory",
    arguments: [3, 20_010_101, 953_004, .random(in: 0..<1_000_000)] as [UInt64])
  func answers(seed: UInt64) throws {
    let type = ForeignTables.type
    try StoreComparison(against: StoreUnderTest(type), seed: seed).run(questions: 250)
    let plans = [
      FederationPlan(.inMemory), FederationPlan(type), .pending(over: type), FederationPlan(type, .inMemory),
    ]
    let report = try FederationComparison(plans, seed: seed).run(questions: 120)
    #expect(report.comparisons >= 360)
  }

  @Test("what is left out of the contract is still part of it")
  func leftOut() {
    #expect(Set(StoreConformance.checks(ForeignTables.type).map(\.name)).isSuperset(of: ForeignTables.left))
  }
}
