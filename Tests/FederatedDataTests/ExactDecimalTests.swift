import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("Decimals keep their digits")
struct ExactDecimalTests {
  @Test(
    "a decimal comes back digit for digit in a new stack, and is added so (FR-33)",
    arguments: [StoreType.sqlite, .xml])
  func roundTrip(_ type: StoreType) throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel {
      EntityDescription("Book") { AttributeDescription("price", .decimal, optional: true) }
    }
    let store = PersistentStoreDescription(type, at: folder.file("books"))
    let texts = ["0.1", "0.1234567890123456789"]
    do {
      let context = try PersistentContainer(model: model, stores: [store]).makeContext()
      for text in texts {
        try context.insert("Book").set("price", to: try #require(Decimal(string: text, locale: nil)))
      }
      try context.save()
    }
    let container = try PersistentContainer(model: model, stores: [store])
    let context = container.makeContext()
    var request = FetchRequest("Book", order: [.ascending("price")])
    let expected = texts.compactMap { Decimal(string: $0, locale: nil).map(Value.decimal) }
    #expect(try context.fetch(request).map { try $0.value("price") } == expected)
    request.sortDescriptors = []
    request.propertiesToFetch = [.expression(try ExpressionDescription("sum", "sum(price)"))]
    #expect(
      try context.dictionaries(for: request) == [
        ["sum": .decimal(try #require(Decimal(string: "0.2234567890123456789", locale: nil)))]
      ])
  }
}
