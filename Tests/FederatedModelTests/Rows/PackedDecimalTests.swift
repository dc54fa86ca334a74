import FederatedModel
import Foundation
import Testing

@Suite("Packed decimals")
struct PackedDecimalTests {
  private func fromText(_ text: String) -> PackedDecimal? {
    var text = text
    return text.withUTF8 { PackedDecimal(text: UnsafeRawBufferPointer($0)) }
  }

  @Test(
    "a decimal packs as its text does, and comes back",
    arguments: [
      "0", "1", "-1", "12.5", "-0.01", "100", "1000000", "1234567890123456", "-1234567890123456",
      "0.000000001",
      "99999.99", "65535", "65536", "4294967296.5", "70000000000", "0.1",
    ])
  func fits(text: String) throws {
    let decimal = try #require(Decimal(string: text, locale: nil))
    let packed = try #require(PackedDecimal(decimal))
    #expect(packed == self.fromText(text))
    #expect(packed.decimal == decimal)
  }

  @Test("trailing zeros of a sum are no digits")
  func notCompact() throws {
    let half = try #require(Decimal(string: "0.50", locale: nil))
    let one = half + half
    #expect(PackedDecimal(one) == self.fromText("1"))
    #expect(PackedDecimal(Decimal(25) * half) == self.fromText("12.5"))
  }

  @Test(
    "more than 16 digits, and what is no number, do not fit",
    arguments: [
      "12345678901234567", "0.12345678901234567", "123456789012345678901234567890", "1e20", "1e-128",
    ])
  func doesNotFit(text: String) throws {
    let decimal = try #require(Decimal(string: text, locale: nil))
    #expect(PackedDecimal(decimal) == nil)
    #expect(PackedDecimal(.nan) == nil)
  }

  @Test("random decimals pack as their texts do, and rows give them back")
  func random() throws {
    let layout = RowLayout(entity: EntityID(0), columns: [.init(name: "amount", slot: 0, kind: .decimal)])
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let digits = Int.random(in: 1...38, using: &numbers)
      var significand = Decimal(0)
      for _ in 0..<digits { significand = significand * 10 + Decimal(Int.random(in: 0...9, using: &numbers)) }
      let decimal = Decimal(
        sign: Bool.random(using: &numbers) ? .minus : .plus,
        exponent: Int.random(in: -30...5, using: &numbers),
        significand: significand)
      #expect(PackedDecimal(decimal) == self.fromText(decimal.description), "\(decimal)")
      var builder = RowBlockBuilder(layout: layout)
      builder.beginRow(reference: 1, version: 1)
      builder.set(decimal: decimal, at: 0)
      #expect(builder.finish()[0].decimal(0) == decimal, "\(decimal)")
    }
  }
}
