import Foundation
import Testing

@testable import FederatedModel

@Suite("Aggregates do not depend on the order of rows") struct AggregateStateTests {
  private func result(_ function: FetchFunction, _ values: [Value]) throws -> Value {
    let aggregate = BoundAggregate(function, of: .evaluatedObject)
    var halves = (AggregateState(aggregate), AggregateState(aggregate))
    for (number, value) in values.enumerated() {
      if number % 2 == 0 { try halves.0.add(value) } else { try halves.1.add(value) }
    }
    try halves.0.add(halves.1)
    return try halves.0.result(of: aggregate)
  }

  @Test(
    "each statistic over two halves",
    arguments: [
      (.count, .int(5)), (.sum, .double(8)), (.average, .double(1.6)), (.min, .double(-1)), (.max, .int(3)),
      (.median, .int(2)), (.mode, .list([.int(2)])),
    ] as [(FetchFunction, Value)])
  func statistics(_ function: FetchFunction, _ expected: Value) throws {
    let values: [Value] = [.int(2), .null, .double(2), .int(3), .double(-1), .double(.nan), .decimal(2)]
    #expect(try self.result(function, values) == expected)
    #expect(try self.result(function, values.reversed()) == expected)
  }

  @Test("zeros are one zero, and equal values of two kinds have one that stands for both")
  func representatives() throws {
    #expect(try self.result(.max, [.double(-0.0), .double(0)]) == .double(0))
    #expect(try self.result(.min, [.double(1), .int(1), .decimal(1)]) == .int(1))
    #expect(try self.result(.mode, [.string("b"), .string("a")]) == .list([.string("a"), .string("b")]))
    #expect(try self.result(.stddev, [.double(.infinity), .int(1)]) != .null)
    #expect(throws: FetchPredicateError.self) { try self.result(.max, [.string("b"), .null, .int(1)]) }
  }
}
