import FederatedModel
import Foundation
import Testing

@testable import FederatedStore

/// What a predicate calls equal has one hash, whatever kinds the two are of: else an index loses rows.
@Suite struct ColumnHashTests {
  private static let layout = RowLayout(
    entity: EntityID(0), columns: [.init(name: "d", slot: 0, kind: .decimal)])

  private func hash(inARow decimal: Decimal) -> UInt64 {
    var rows = RowBlockBuilder(layout: Self.layout)
    rows.beginRow(reference: 1, version: 1)
    rows.set(decimal: decimal, at: 0)
    return ColumnHash.of(rows.finish()[0], slot: 0, kind: .decimal)
  }

  @Test("every amount of cents is found as a decimal and as a floating-point number")
  func cents() throws {
    for cents in 0..<10_000 {
      let text = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
      let (decimal, double) = (try #require(Decimal(string: text)), try #require(Double(text)))
      try #require(Value.decimal(decimal).matches(.double(double)))
      #expect(ColumnHash.of(.decimal(decimal)) == ColumnHash.of(.double(double)), "\(text)")
      #expect(self.hash(inARow: decimal) == ColumnHash.of(.double(double)), "\(text)")
    }
  }

  @Test(
    "long, large and tiny decimals have the hash of the number that they equal",
    arguments: [
      ("1e-20", .double(1e-20)), ("123456.789", .double(123456.789)), ("-3.33", .double(-3.33)),
      ("9007199254740993", .int(9_007_199_254_740_993)), ("9007199254740992", .double(0x1p53)),
      ("90071992547409910", .int(90_071_992_547_409_910)), ("9223372036854775807", .int(.max)),
      ("-9223372036854775808", .double(-0x1p63)), ("18446744073709551616", .double(0x1p64)),
      ("0.30000000000000004", .double(0.1 + 0.2)), ("100", .bool(false)),
    ] as [(String, Value)])
  func hard(text: String, other: Value) throws {
    let decimal = try #require(Decimal(string: text))
    let isEqual = Value.decimal(decimal).matches(other)
    #expect(isEqual == (text != "100"))
    #expect((ColumnHash.of(.decimal(decimal)) == ColumnHash.of(other)) == isEqual)
    #expect((self.hash(inARow: decimal) == ColumnHash.of(other)) == isEqual)
  }
}
