import FederatedStore
import FederatedStoreTesting
import Testing

@Suite struct ConformanceTests {
  @Test(
    "the in-memory store keeps the contract", arguments: StoreConformance.checks(.inMemory, persistent: false)
  )
  func inMemory(check: StoreConformance.Check) throws { try check.run() }

  @Test("a store type in a hundred lines keeps the contract", arguments: StoreConformance.checks(.csv))
  func csv(check: StoreConformance.Check) throws { try check.run() }
}
