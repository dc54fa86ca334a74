import FederatedData
import Foundation

final class Customer: ManagedObject, TypedObject {
  struct Keys {
    let id = AttributeKey<Int>("id")
    let name = AttributeKey<String>("name")
    let creditLimit = AttributeKey<Decimal>("creditLimit")
    let invoices = FetchedKey<Invoice>("invoices")
  }
  static let keys = Keys()
}

final class Invoice: ManagedObject, TypedObject {
  struct Keys {
    let customerId = AttributeKey<Int>("customerId")
    let date = AttributeKey<Date>("date")
    let total = AttributeKey<Decimal>("total")
    let number = AttributeKey<String>("number")
    let status = AttributeKey<String>("status")
  }
  static let keys = Keys()
}

/// A coordinator over some of the files, and a context with the typed classes.
struct Shop {
  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext

  init(_ descriptions: PersistentStoreDescription...) throws {
    let model = try ShopModel.make()
    self.coordinator = PersistentStoreCoordinator(model: model)
    try self.coordinator.add(descriptions)
    self.context = ManagedObjectContext(
      coordinator: self.coordinator,
      classes: try ObjectClasses([Customer.self, Invoice.self], checkedAgainst: model))
  }
}
