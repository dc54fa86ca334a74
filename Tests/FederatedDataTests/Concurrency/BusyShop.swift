import FederatedData
import Foundation
import TestSupport

/// Customers in one store and orders in another, with a link between them, for many tasks at a time.
struct BusyShop {
  let container: PersistentContainer
  let kinds: Kinds
  private let folder: TemporaryFolder

  /// What kinds of stores the two are.
  enum Kinds: String, CaseIterable {
    case memory = "in memory"
    case xml = "in XML"
    case sqlite = "in SQLite"
    case both = "in XML and in SQLite"

    fileprivate var types: (customers: StoreType, orders: StoreType) {
      switch self {
      case .memory: (.inMemory, .inMemory)
      case .xml: (.xml, .xml)
      case .sqlite: (.sqlite, .sqlite)
      case .both: (.xml, .sqlite)
      }
    }
  }

  init(_ kinds: Kinds, classes: [any TypedObject.Type] = []) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    self.kinds = kinds
    func description(_ type: StoreType, _ name: String) -> PersistentStoreDescription {
      PersistentStoreDescription(
        type, at: type.name == StoreType.inMemory.name ? nil : folder.file(name), name: name,
        configuration: name)
    }
    self.container = try PersistentContainer(
      model: Self.model(),
      stores: [description(kinds.types.customers, "Contacts"), description(kinds.types.orders, "Ledger")],
      classes: classes)
  }

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Buyer") {
        AttributeDescription("number", .integer64)
        FetchedPropertyDescription(
          "orders", of: "Order", where: "buyer == $FETCH_SOURCE.number", order: .ascending("place"))
      }
      EntityDescription("Order") {
        AttributeDescription("buyer", .integer64)
        AttributeDescription("place", .integer64)
        AttributeDescription("total", .decimal)
      }
      EntityDescription("Passing") { AttributeDescription("text", .string, optional: true) }
      ModelConfiguration("Contacts", entities: ["Buyer"])
      ModelConfiguration("Ledger", entities: ["Order"])
      ModelConfiguration("Guests", entities: ["Passing"])
    }
  }

  /// A store that comes and goes, and holds nothing that others ask for.
  static func guest(_ number: Int) -> PersistentStoreDescription {
    PersistentStoreDescription(.inMemory, at: nil, name: "guest \(number)", configuration: "Guests")
  }
}

/// Work of many tasks on one context: one after the other, each at a time.
actor Desk {
  private let context: ManagedObjectContext

  init(_ container: PersistentContainer) { self.context = container.makeContext() }

  func perform<Result: Sendable>(_ work: @Sendable (ManagedObjectContext) throws -> Result) throws -> Result {
    try work(self.context)
  }
}

extension ManagedObjectContext {
  func addBuyer(_ number: Int) throws {
    try self.insert("Buyer").set("number", to: number)
  }

  /// Saves a buyer of the number 1, and reads it.
  func savedBuyer() throws -> ManagedObject {
    try self.addBuyer(1)
    try self.save()
    let buyer = try self.fetch(FetchRequest("Buyer"))[0]
    _ = try buyer.value("number")
    return buyer
  }

  func addOrder(_ place: Int, of buyer: Int) throws {
    let order = try self.insert("Order")
    try order.set("buyer", to: buyer)
    try order.set("place", to: place)
    try order.set("total", to: Decimal(place))
  }
}
