public import FederatedModel
public import FederatedRuntime
internal import FederatedStore
public import Foundation

public final class Customer: ManagedObject, TypedObject {
  public struct Keys: Sendable {
    public let number = AttributeKey<Int>("number")
    public let name = AttributeKey<String?>("name")
    public let recentInvoices = FetchedKey<Invoice>("recentInvoices")
    public let largeInvoices = FetchedKey<Invoice>("largeInvoices")
  }
  public static let keys = Keys()

  public var label: String { "\(self.number) \(self.name ?? "unnamed")" }
}

public final class Invoice: ManagedObject, TypedObject {
  public struct Keys: Sendable {
    public let customerNumber = AttributeKey<Int>("customerNumber")
    public let total = AttributeKey<Decimal>("total")
    public let date = AttributeKey<Date>("date")
    public let code = AttributeKey<String?>("code")
    public let paid = AttributeKey<Bool>("paid")
    public let weight = AttributeKey<Double?>("weight")
    public let key = AttributeKey<UUID?>("key")
    public let page = AttributeKey<URL?>("page")
    public let scan = AttributeKey<Data?>("scan")
    public let rank = AttributeKey<Int>("rank")
    public let lines = ToManyKey<Line>("lines")
  }
  public static let keys = Keys()

  public override func awakeFromInsert() { self.date = Date(timeIntervalSinceReferenceDate: 1000) }
}

public class Line: ManagedObject, TypedObject {
  public struct Keys: Sendable {
    public let text = AttributeKey<String>("text")
    public let invoice = ToOneKey<Invoice>("invoice")
  }
  public static let keys = Keys()
  public class var entityName: String { "Line" }
}

/// A subentity's class: its own properties are written out over keys.
public final class DiscountLine: Line {
  static let percentKey = AttributeKey<Int>("percent")
  public var percent: Int {
    get { self[DiscountLine.percentKey] }
    set { self[DiscountLine.percentKey] = newValue }
  }
  public override class var entityName: String { "DiscountLine" }
}

/// Customers in one store, invoices and lines in another, typed.
public final class ShopStack {
  public let coordinator: PersistentStoreCoordinator
  public let context: ManagedObjectContext
  public let ledger: SpyStore

  public init(contacts: StoreKind = .inMemory, ledger: StoreKind = .inMemory) throws {
    let model = try ShopStack.model()
    self.coordinator = PersistentStoreCoordinator(model: model)
    let stores = try self.coordinator.add([
      try contacts.open("Contacts", "Contacts"), try ledger.open("Ledger", "Ledger"),
    ])
    guard let ledger = stores[1] as? SpyStore else { preconditionFailure("a spying type opens spies") }
    self.ledger = ledger
    self.context = ManagedObjectContext(
      coordinator: self.coordinator,
      classes: try ObjectClasses(ShopStack.classes, checkedAgainst: model))
  }

  public static let classes: [any TypedObject.Type] = [
    Customer.self, Invoice.self, Line.self, DiscountLine.self,
  ]

  public static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Customer") {
        AttributeDescription("number", .integer64)
        AttributeDescription("name", .string, optional: true)
        FetchedPropertyDescription(
          "recentInvoices", of: "Invoice",
          where: "customerNumber == $FETCH_SOURCE.number", order: .descending("date"), limit: 10)
        FetchedPropertyDescription(
          "largeInvoices",
          Fetch(Invoice.self).where { $0.customerNumber == Customer.source(\.number) && $0.total > 1000 })
      }
      EntityDescription("Invoice") {
        AttributeDescription("customerNumber", .integer64, optional: true)
        AttributeDescription("total", .decimal, default: 0)
        AttributeDescription("date", .date)
        AttributeDescription("code", .string, optional: true)
        AttributeDescription("paid", .boolean, default: false)
        AttributeDescription("weight", .double, optional: true)
        AttributeDescription("key", .uuid, optional: true)
        AttributeDescription("page", .uri, optional: true)
        AttributeDescription("scan", .binary, optional: true)
        AttributeDescription("rank", .integer16, default: 1)
        RelationshipDescription("lines", to: "Line", .many, inverse: "invoice", deleteRule: .cascade)
      }
      EntityDescription("Line") {
        AttributeDescription("text", .string)
        RelationshipDescription("invoice", to: "Invoice", inverse: "lines")
      }
      EntityDescription("DiscountLine", parent: "Line") {
        AttributeDescription("percent", .integer16, default: 0)
      }
      ModelConfiguration("Contacts", entities: ["Customer"])
      ModelConfiguration("Ledger", entities: ["Invoice", "Line", "DiscountLine"])
    }
  }

  public func customer(_ number: Int, _ name: String?) -> Customer {
    let customer = self.context.insert(Customer.self)
    customer.number = number
    customer.name = name
    return customer
  }

  public func invoice(_ customer: Int, _ total: Decimal, at seconds: Double) -> Invoice {
    let invoice = self.context.insert(Invoice.self)
    invoice.customerNumber = customer
    invoice.total = total
    invoice.date = Date(timeIntervalSinceReferenceDate: seconds)
    return invoice
  }
}
