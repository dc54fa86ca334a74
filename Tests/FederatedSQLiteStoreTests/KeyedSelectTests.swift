import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// One question asked for one key after another.
@Suite("A link that is read owner by owner")
struct KeyedSelectTests {
  let folder: TemporaryFolder
  let shop: SQLiteFileUnderTest

  init() throws {
    self.folder = try TemporaryFolder()
    self.shop = try SQLiteFileUnderTest(self.folder.file("shop.sqlite"), ShopModel.model)
    var edit = SQLiteEditor(self.shop)
    for count in [1, 1, 2, 3] as [Int64] {
      try edit.insert(
        "Order",
        ["count": .int(count), "weight": .double(Double(count)), "total": .decimal(Decimal(count) / 2)])
    }
    try edit.insert("Order")
    try edit.insert("Person", ["name": .string("Ann"), "age": .int(30)])
    try edit.insert("Company", ["name": .string("Ann"), "title": .int(7)])
    try edit.save()
  }

  private func attribute(_ entity: String, _ name: String) throws -> BoundAttribute {
    let entity = try self.shop.entity(entity)
    let attribute = try #require(entity.attribute(named: name))
    return BoundAttribute(
      name: name, entity: entity.id, slot: try #require(attribute.slot), type: attribute.type)
  }

  private func references(_ scope: any ReadScope, _ query: StoreQuery, _ key: [Value]) throws -> [Int64] {
    var query = query
    query.keys?.keys = [key]
    guard case .rows(let rows) = try scope.run(query) else { throw SQLiteFileUnderTest.Mismatch() }
    return rows.map(\.reference)
  }

  @Test("any number of keys takes one prepared statement, whatever lies between them")
  func oneStatement() throws {
    let scope = try self.shop.store.beginRead()
    defer { scope.end() }
    let connection = try #require(scope as? SQLiteReadScope).reading()
    var query = try self.shop.query("Order", sort: .descending("weight"))
    query.keys = LinkKeys(attributes: [try self.attribute("Order", "count")], keys: [])
    let before = connection.preparedCount
    let answers: [(Value, [Int64])] = [
      (.int(1), [1, 2]), (.int(9), []), (.int(3), [4]), (.decimal(2), [3]), (.double(1), [1, 2]),
      (.bool(true), [1, 2]),
      (.string("1"), []), (.double(.nan), []), (.int(2), [3]),
    ]
    for (key, expected) in answers { #expect(try self.references(scope, query, [key]) == expected, "\(key)") }
    #expect(connection.preparedCount == before + 1)
    // nil equals nil, by a statement of another form; the first one is used again afterwards.
    #expect(try self.references(scope, query, [.null]) == [5])
    #expect(try self.references(scope, query, [.int(1)]) == [1, 2])
    #expect(connection.preparedCount == before + 2)
  }

  @Test("questions that differ in condition, order, window or entity do not share an answer")
  func sharedByNone() throws {
    let scope = try self.shop.store.beginRead()
    defer { scope.end() }
    let keys = LinkKeys(attributes: [try self.attribute("Order", "count")], keys: [])
    var plain = try self.shop.query("Order")
    plain.keys = keys
    var conditioned = try self.shop.query("Order", where: "total > 1")
    conditioned.keys = keys
    var other = try self.shop.query("Order", where: "total > 0.5")
    other.keys = keys
    var window = plain
    window.limit = 1
    window.offset = 1
    var backwards = try self.shop.query("Order", sort: .descending("weight"))
    backwards.keys = keys
    for _ in 0..<2 {
      #expect(try self.references(scope, plain, [.int(1)]) == [1, 2])
      #expect(try self.references(scope, conditioned, [.int(1)]) == [])
      #expect(try self.references(scope, other, [.int(2)]) == [3])
      #expect(try self.references(scope, conditioned, [.int(2)]) == [])
      #expect(try self.references(scope, conditioned, [.int(3)]) == [4])
      #expect(try self.references(scope, window, [.int(1)]) == [2])
      #expect(try self.references(scope, backwards, [.int(1)]) == [1, 2])
    }
  }

  @Test("a condition that memory judges, rows of several entities, and a key of two columns")
  func otherShapes() throws {
    let scope = try self.shop.store.beginRead()
    defer { scope.end() }
    let isEven = FetchPredicate.block("isEven", reading: "count") { row in
      if case .int(let count) = row[0] { count % 2 == 0 } else { false }
    }
    var judged = StoreQuery(entity: try self.shop.entity("Order").id)
    judged.predicate = try isEven.bound(to: try self.shop.entity("Order"), in: self.shop.model)
    judged.keys = LinkKeys(attributes: [try self.attribute("Order", "count")], keys: [])
    var parties = try self.shop.query("Party")
    parties.keys = LinkKeys(attributes: [try self.attribute("Party", "name")], keys: [])
    var pairs = try self.shop.query("Order")
    pairs.keys = LinkKeys(
      attributes: [try self.attribute("Order", "count"), try self.attribute("Order", "total")], keys: [])
    #expect(try self.references(scope, pairs, [.null, .null]) == [5])
    for _ in 0..<2 {
      #expect(try self.references(scope, judged, [.int(2)]) == [3])
      #expect(try self.references(scope, judged, [.int(1)]) == [])
      #expect(try self.references(scope, parties, [.string("Ann")]) == [1, 2])
      #expect(try self.references(scope, parties, [.string("Bob")]) == [])
      #expect(try self.references(scope, pairs, [.int(1), .decimal(Decimal(1) / 2)]) == [1, 2])
      #expect(try self.references(scope, pairs, [.int(1), .decimal(1)]) == [])
      #expect(try self.references(scope, pairs, [.int(1), .null]) == [])
    }
    pairs.keys?.keys = [[.int(1), .int(2)]]
    #expect(try self.shop.explanation(pairs).tabledValues == 0)
  }

  @Test("a cell that cannot be read throws each time, and leaves nothing behind for the next key")
  func unreadable() throws {
    let damaged = try Connection(
      path: self.folder.file("shop.sqlite").path(percentEncoded: false), flags: 2,
      file: self.folder.file("shop.sqlite"), busyMilliseconds: 200)
    try damaged.execute("UPDATE ZORDER SET ZWEIGHT = 'heavy' WHERE Z_PK = 2")
    let scope = try self.shop.store.beginRead()
    defer { scope.end() }
    var query = try self.shop.query("Order")
    query.keys = LinkKeys(attributes: [try self.attribute("Order", "count")], keys: [])
    for _ in 0..<2 {
      let error = try #require(throws: StoreError.self) { try self.references(scope, query, [.int(1)]) }
      #expect(error.code == .unreadableValue)
      #expect(try self.references(scope, query, [.int(2)]) == [3])
    }
  }
}
