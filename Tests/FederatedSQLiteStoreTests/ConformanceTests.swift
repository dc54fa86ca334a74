import FederatedSQLiteStore
import FederatedStore
import FederatedStoreTesting
import Testing

@Suite struct ConformanceTests {
  @Test("the SQLite store keeps the contract", arguments: StoreConformance.checks(.sqlite))
  func conforms(check: StoreConformance.Check) throws { try check.run() }
}
