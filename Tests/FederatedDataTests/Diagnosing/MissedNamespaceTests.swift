import FederatedData
import Foundation
import TestSupport
import Testing

/// What a store noticed about its file, told where an answer is empty because of it.
@Suite("Diagnoses of files that other programs made")
struct MissedNamespaceTests {
  private let folder: TemporaryFolder

  init() throws { self.folder = try TemporaryFolder() }

  private func container(namespace: String) throws -> PersistentContainer {
    let model = try ManagedObjectModel {
      EntityDescription("Order") {
        AttributeDescription("number", .integer64)
        AttributeDescription("customerId", .string)
        FetchedPropertyDescription("customer", of: "Customer", where: "id == $FETCH_SOURCE.customerId")
      }
      EntityDescription("Customer") { AttributeDescription("id", .string) }
      ModelConfiguration("Orders", entities: ["Order"])
      ModelConfiguration("Customers", entities: ["Customer"])
    }
    let file = self.folder.file("customers.xml")
    try Data("<customers xmlns='urn:real'><customer id='k1'/><customer id='K2'/></customers>".utf8)
      .write(to: file)
    var customers = PersistentStoreDescription(
      .xml, at: file, name: "customers", configuration: "Customers", readOnly: true)
    customers.mapping = XMLMapping(
      entities: [
        "Customer": XMLEntityMapping(
          records: "/c:customers/c:customer", key: ["id"], attributes: ["id": "@id"])
      ], namespaces: ["c": namespace])
    return try PersistentContainer(
      model: model,
      stores: [
        PersistentStoreDescription(
          .sqlite, at: self.folder.file("orders.sqlite"), name: "orders", configuration: "Orders"), customers,
      ])
  }

  @Test("a namespace that a record path missed is a reason, and a finding of a check")
  func missed() throws {
    let container = try self.container(namespace: "urn:other")
    let context = container.makeContext()
    let order = try context.insert("Order")
    try order.set("number", to: 1)
    try order.set("customerId", to: "k1")
    try context.save()
    let diagnosis = try order.diagnose("customer")
    #expect(diagnosis.results == 0)
    #expect(diagnosis.reasons.map(\.code) == [.noRows, .storeDiagnostic])
    #expect(diagnosis.reasons.last?.detail.contains("urn:real") == true, "\(diagnosis)")
    let check = try context.checkLinks()
    #expect(check.diagnostics == diagnosis.diagnostics)
    #expect(!check.isClean)
    #expect("\(check)".contains("urn:real"), "\(check)")
  }

  @Test("with the right namespace nothing is noticed, and keys are compared as in every store")
  func met() throws {
    let container = try self.container(namespace: "urn:real")
    let context = container.makeContext()
    for (number, key) in ["k1", "k2"].enumerated() {
      let order = try context.insert("Order")
      try order.set("number", to: number)
      try order.set("customerId", to: key)
    }
    try context.save()
    let orders = try context.fetch(FetchRequest("Order", order: [.ascending("number")]))
    #expect(try orders[0].diagnose("customer").reasons.map(\.code) == [.asAsked])
    let near = try orders[1].diagnose("customer")
    #expect(near.diagnostics == [])
    #expect(near.reasons.map(\.code) == [.keyNotFound, .nearMisses])
    #expect(near.nearMisses.map(\.differences) == [[.letterCase]])
    #expect(near.nearMisses.first?.examples.first?.row.contains("K2") == true)
  }
}
