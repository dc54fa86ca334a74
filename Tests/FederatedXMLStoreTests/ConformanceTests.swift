import FederatedStore
import FederatedStoreTesting
import FederatedXMLStore
import Testing

@Suite struct ConformanceTests {
  @Test("the XML store keeps the contract", arguments: StoreConformance.checks(.xml))
  func conforms(check: StoreConformance.Check) throws { try check.run() }
}
