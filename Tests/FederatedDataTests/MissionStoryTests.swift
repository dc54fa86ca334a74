import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("The mission, in order")
struct MissionStoryTests {
  private static func model(withRelationship: Bool) throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Customer") {
        AttributeDescription("number", .integer64)
        AttributeDescription("name", .string, optional: true)
        FetchedPropertyDescription(
          "recentInvoices", of: "Invoice",
          where: "customerNumber == $FETCH_SOURCE.number", order: .descending("date"), limit: 10)
        if withRelationship { RelationshipDescription("invoices", to: "Invoice", .many, inverse: "customer") }
      }
      EntityDescription("Invoice") {
        AttributeDescription("customerNumber", .integer64)
        AttributeDescription("date", .date)
        if withRelationship { RelationshipDescription("customer", to: "Customer", inverse: "invoices") }
      }
      ModelConfiguration("CRM", entities: ["Customer"])
      ModelConfiguration("Ledger", entities: ["Invoice"])
    }
  }

  private static func stores(in folder: TemporaryFolder) -> [PersistentStoreDescription] {
    [
      PersistentStoreDescription(.xml, at: folder.file("customers.xml"), name: "crm", configuration: "CRM"),
      PersistentStoreDescription(
        .sqlite, at: folder.file("ledger.sqlite"), name: "ledger", configuration: "Ledger"),
    ]
  }

  private static func fill(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    for number in 1...2 {
      let customer = try context.insert("Customer")
      try customer.set("number", to: number)
      try customer.set("name", to: "Customer \(number)")
    }
    for (customer, day) in [(1, 1), (1, 3), (2, 2)] {
      try self.insertInvoice(customer, day: day, into: context)
    }
    try context.save()
  }

  private static func insertInvoice(_ customer: Int, day: Int, into context: ManagedObjectContext) throws {
    let invoice = try context.insert("Invoice")
    try invoice.set("customerNumber", to: customer)
    try invoice.set("date", to: Date(timeIntervalSinceReferenceDate: Double(day) * 86_400))
  }

  private static func days(_ invoices: [ManagedObject]) throws -> [Double] {
    try invoices.map { invoice in
      guard case .date(let date) = try invoice.value("date") else { return .nan }
      return date.timeIntervalSinceReferenceDate / 86_400
    }
  }

  @Test("a relationship ends at the border of its store; a fetched property crosses it")
  func story() throws {
    let folder = try TemporaryFolder()

    // A relationship across stores is refused, before any file is made, and the error names the way across.
    let refusal = try #require(throws: CoordinatorError.self) {
      try PersistentContainer(model: Self.model(withRelationship: true), stores: Self.stores(in: folder))
    }
    #expect(refusal.code == .relationshipAcrossStores)
    #expect("\(refusal)".contains("Fetched property Customer.recentInvoices is the way across"), "\(refusal)")
    #expect(try FolderState(folder.url).files.isEmpty)

    // The fetched property does the job.
    let container = try PersistentContainer(
      model: Self.model(withRelationship: false), stores: Self.stores(in: folder))
    try Self.fill(container)
    let context = container.makeContext()
    let customer = try #require(try context.fetch(FetchRequest("Customer", where: "number == %@", 1)).first)
    #expect(try Self.days(customer.fetched("recentInvoices")) == [3, 1])

    // The second read touches no store.
    let reads = container.coordinator.statistics
    #expect(try Self.days(customer.fetched("recentInvoices")) == [3, 1])
    #expect(container.coordinator.statistics == reads)

    // A new matching row is invisible until refresh, whoever saves it.
    let other = container.makeContext()
    try Self.insertInvoice(1, day: 5, into: other)
    try other.save()
    try Self.insertInvoice(1, day: 4, into: context)
    try context.save()
    #expect(try Self.days(customer.fetched("recentInvoices")) == [3, 1])
    context.refresh(customer, mergeChanges: true)
    #expect(try Self.days(customer.fetched("recentInvoices")) == [5, 4, 3, 1])

    // Saving the owner writes only its own file.
    let before = try FolderState(folder.url)
    try customer.set("name", to: "Renamed")
    try context.save()
    let after = try FolderState(folder.url)
    #expect(after.files["customers.xml"] != before.files["customers.xml"])
    #expect(
      after.files.filter { $0.key != "customers.xml" } == before.files.filter { $0.key != "customers.xml" })

    // Nothing about the property is in either file.
    for store in container.coordinator.stores { try container.coordinator.remove(store) }
    let files = try FolderState(folder.url).files
    #expect(Set(files.keys) == ["customers.xml", "ledger.sqlite"])
    for (name, bytes) in files {
      let text = String(decoding: bytes, as: UTF8.self).lowercased()
      #expect(!text.contains("recentinvoices"), "\(name) speaks of the property")
      #expect(!text.contains("fetch_source"), "\(name) holds the question")
    }
  }
}
