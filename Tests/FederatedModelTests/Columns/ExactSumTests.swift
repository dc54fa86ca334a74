import Foundation
import Testing

@testable import FederatedModel

@Suite("Sums are exact until they are read") struct ExactSumTests {
  private func sum(_ values: [Value]) throws -> Value {
    var sum = ExactSum()
    for value in values { try sum.add(value) }
    return sum.sum(orNothing: .int(0))
  }

  private func doubles(_ numbers: [Double]) throws -> Double {
    guard case .double(let sum) = try self.sum(numbers.map { .double($0) }) else { return .nan }
    return sum
  }

  @Test(
    "doubles are added without loss and rounded once, to the even one between two",
    arguments: [
      ([1e100, 1, -1e100], 1), ([0.1, 0.2, 0.3, -0.3, -0.2, -0.1], 0), ([1e308, 1e308, -1e308], 1e308),
      ([0x1p53, 1], 0x1p53), ([0x1p53, 1, 0x1p-60], 0x1p53 + 2), ([0x1p53 + 2, 1], 0x1p53 + 4),
      ([-0x1p53, -1, -0x1p-1074], -0x1p53 - 2), ([1e308, 1e308], .infinity), ([-1e308, -1e308], -.infinity),
      ([0x1p-1074, 0x1p-1074, 0x1p-1022], 0x1p-1022 + 0x1p-1073), ([.infinity, 1, -1e308], .infinity),
      ([-.infinity, 7], -.infinity), ([5, .nan, 6], 11), ([-0.0, -0.0], 0),
      (Array(repeating: 0.1, count: 10), 1),
    ] as [([Double], Double)])
  func exactDoubles(_ numbers: [Double], _ expected: Double) throws {
    #expect(try self.doubles(numbers) == expected)
    #expect(try self.doubles(numbers.reversed()) == expected)
  }

  @Test("infinities of both signs have no sum, and NaN is passed over")
  func infinities() throws {
    #expect(try self.doubles([.infinity, -.infinity]).isNaN)
    var sum = ExactSum()
    try sum.add(.double(.nan))
    #expect(sum.count == 0 && sum.sum(orNothing: .int(0)) == .int(0))
    #expect(throws: FetchPredicateError.self) { try self.sum([.string("1")]) }
  }

  @Test("any order, and any way to share the terms among stores, gives the same sum")
  func anyOrder() throws {
    var random = SystemRandomNumberGenerator()
    var numbers = (0..<400).map { _ -> Double in
      let number = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
      return number.isFinite ? number : 1
    }
    numbers += numbers.prefix(350).map { -$0 }
    numbers += [0.1, 1e16, -0x1p-1040]
    let expected = try self.doubles(numbers)
    for _ in 0..<5 {
      numbers.shuffle()
      #expect(try self.doubles(numbers) == expected)
      var whole = ExactSum()
      for part in [numbers[..<100], numbers[100..<101], numbers[101...]] {
        var sum = ExactSum()
        for number in part { sum.add(number) }
        whole.add(ExactSum(words: sum.words))
      }
      #expect(whole.sum(orNothing: .null) == .double(expected))
      #expect(whole.count == numbers.count)
    }
  }

  @Test("terms that are whole in one unit add up as whole numbers do")
  func againstWholeNumbers() throws {
    for _ in 0..<200 {
      let terms = (0..<50).map { _ in Int64.random(in: -(1 << 52)...(1 << 52)) }
      let whole = terms.reduce(Int128(0)) { $0 + Int128($1) }
      #expect(try self.doubles(terms.map { Double($0) * 0x1p-30 }) == Double(whole) * 0x1p-30)
    }
  }

  @Test("whole numbers are added without overflow and become a double beyond 64 bits (Q38)")
  func wholeNumbers() throws {
    #expect(try self.sum([.int(.max), .int(1), .int(-1)]) == .int(.max))
    #expect(try self.sum([.int(.max), .int(1)]) == .double(0x1p63))
    #expect(try self.sum([.bool(true), .bool(false), .int(2)]) == .int(3))
    #expect(try self.sum([.int(.min), .int(.min), .double(0x1p64)]) == .double(0))
  }

  @Test("decimals are added digit for digit, and rounded to 38 digits once")
  func decimals() throws {
    func decimal(_ text: String) -> Value { .decimal(Decimal(string: text, locale: nil) ?? .nan) }
    #expect(try self.sum(Array(repeating: decimal("0.1"), count: 10)) == decimal("1"))
    let large = "12345678901234567890123456789012345678"
    #expect(try self.sum([decimal(large), decimal("0.001"), decimal("-\(large)")]) == decimal("0.001"))
    #expect(try self.sum([decimal("1e100"), decimal("1e-100"), decimal("-1e100")]) == decimal("1e-100"))
    #expect(
      try self.sum([decimal(large), decimal("0.5")]) == decimal("12345678901234567890123456789012345679"))
    #expect(try self.sum([decimal("0.25"), .int(2)]) == decimal("2.25"))
    #expect(try self.sum([decimal("0.25"), .int(2), .double(0.5)]) == .double(2.75))
    #expect(try self.sum([decimal("nan"), decimal("3")]) == decimal("3"))
    var sum = ExactSum()
    for text in ["-1.25", "17", "1e-30"] { try sum.add(decimal(text)) }
    var twice = sum
    twice.add(ExactSum(words: sum.words))
    #expect(twice.sum(orNothing: .null) == decimal("31.500000000000000000000000000002"))
  }

  @Test("an average is of the exact sum, also where the sum has no double")
  func averages() throws {
    func average(_ values: [Value]) throws -> Value {
      var sum = ExactSum()
      for value in values { try sum.add(value) }
      return try sum.average()
    }
    #expect(try average([.double(1e308), .double(1e308)]) == .double(1e308))
    #expect(try average([.int(1), .int(2)]) == .double(1.5))
    #expect(try average([.decimal(1), .decimal(2)]) == .decimal(Decimal(string: "1.5") ?? 0))
    #expect(try average([.double(.infinity), .double(1)]) == .double(.infinity))
    #expect(try average([.null]) == .null)
  }
}
