import FederatedModel
import FederatedStore
import Testing

@testable import FederatedSQLiteStore

/// Questions of a length that SQLite refuses when it is written out.
extension StatementTests {
  private func query(_ entity: String, _ predicate: FetchPredicate) throws -> StoreQuery {
    let entity = try self.shop.entity(entity)
    var query = StoreQuery(entity: entity.id)
    query.predicate = try predicate.bound(to: entity, in: self.shop.model)
    return query
  }

  @Test("250,001 values of IN go into a table, nil among them as well (BR-59, BR-61)")
  func manyValues() throws {
    let values = [Value.int(2), .null] + (0..<249_999).map { .int(Int64($0) + 1000) }
    let isIn = FetchPredicate.comparison(.init(.keyPath(["count"]), .in, .constant(.list(values))))
    let query = try self.query("Order", isIn)
    let explanation = try self.shop.explanation(query)
    #expect(explanation.inMemory == [])
    #expect(explanation.bindings.isEmpty)
    #expect(try self.shop.rows(query).map(\.reference) == [2, 5])
    #expect(try self.shop.rows(self.query("Order", .not(isIn))).map(\.reference) == [1, 3, 4])
  }

  @Test("a long list under flags, or of calculated numbers, goes into a table as well (BR-61)")
  func manyComputedValues() throws {
    let texts = (0..<500).map { Value.string("TEXT \($0)") } + [.string("ANN")]
    let folded = try self.query(
      "Party",
      .comparison(
        .init(
          .keyPath(["name"]), .in, .constant(.list(texts)), modifier: .direct, options: .caseInsensitive)))
    #expect(try self.shop.explanation(folded).statement.contains("IN (SELECT v0"))
    #expect(try self.shop.rows(folded).map(\.reference) == [1])
    let numbers = (10..<600).map { Value.int($0) } + [.double(2), .string("3"), .int(4)]
    let doubled = FetchExpression.function("multiply:by:", [.keyPath(["count"]), .constant(.int(2))])
    let query = try self.query("Order", .comparison(.init(doubled, .in, .constant(.list(numbers)))))
    #expect(try self.shop.explanation(query).statement.contains("IN (SELECT v0"))
    #expect(try self.shop.rows(query).map(\.reference) == [1, 2])
  }

  @Test("300 nested parentheses are one comparison, and a sum of 100 terms is answered (PR-84)")
  func nestedParentheses() throws {
    let nested = String(repeating: "(", count: 300) + "count == 2" + String(repeating: ")", count: 300)
    #expect(try self.ask("Order", nested).condition == "t0.ZCOUNT = ?")
    #expect(try self.ask("Order", nested).rows == [2])
    let sum = "count" + String(repeating: " + 1", count: 100) + " == 102"
    #expect(try self.shop.rows("Order", where: sum).map(\.reference) == [2])
  }
}
