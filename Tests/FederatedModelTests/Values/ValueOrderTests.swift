import FederatedModel
import Foundation
import Testing

@Suite("Values compare by one set of rules") struct ValueOrderTests {
  static func decimal(_ text: String) -> Value { .decimal(Decimal(string: text)!) }
  static func date(_ seconds: Double) -> Value { .date(Date(timeIntervalSinceReferenceDate: seconds)) }

  static let equal: [(Value, Value)] = [
    (.null, .null), (.int(1), .bool(true)), (.int(0), .bool(false)), (.int(1), .double(1)),
    (.double(0), .double(-0.0)),
    (.int(1 << 53), .double(0x1p53)), (.int(.min), .double(-0x1p63)), (decimal("1.50"), decimal("1.5")),
    (decimal("12.5"), .double(12.5)), (decimal("3.1"), .double(3.1)), (decimal("100"), .int(100)),
    (decimal("1"), .bool(true)),
    (decimal("18446744073709551616"), .double(0x1p64)), (.string("a"), .uri("a")), (date(0), date(-0.0)),
    (.list([.int(1), .null]), .list([.double(1), .null])), (.double(.infinity), .double(.infinity)),
    (decimal("1e30"), .double(1e30)),
  ]

  @Test("equal, and alike as keys", arguments: equal)
  func equals(a: Value, b: Value) throws {
    // 1e30 is not whole as a double: 1000000000000000019884624838656.
    let isEqual = a != Self.decimal("1e30")
    #expect(a.matches(b) == isEqual)
    #expect(b.matches(a) == isEqual)
    #expect((MatchKey(a) == MatchKey(b)) == isEqual)
    if isEqual { #expect(MatchKey(a).hashValue == MatchKey(b).hashValue) }
  }

  static let unequal: [(Value, Value)] = [
    (.null, .int(0)), (.null, .string("")), (.int(1), .string("1")), (.int((1 << 53) + 1), .double(0x1p53)),
    (.int(.max), .double(0x1p63)), (.double(.nan), .double(.nan)), (.decimal(.nan), .decimal(.nan)),
    (date(.nan), date(.nan)),
    (.string("e\u{301}"), .string("\u{e9}")), (.string("A"), .string("a")), (date(1), .int(1)),
    (.data(Data([1])), .data(Data([1, 0]))),
    (decimal("9007199254740993"), .double(0x1p53)), (decimal("3.1000000000000001"), .double(3.1)),
    (.uuid(UUID()), .uuid(UUID())),
    (
      .object(.init(store: StoreID(1), entity: EntityID(1), reference: 1)),
      .object(.init(store: StoreID(2), entity: EntityID(1), reference: 1))
    ),
    (.list([.int(1)]), .list([.int(1), .int(1)])),
    (decimal("12345678901234567890123456789012345678"), decimal("12345678901234567890123456789012345677")),
  ]

  @Test("not equal (PR-50, §3.10)", arguments: unequal)
  func differs(a: Value, b: Value) {
    #expect(!a.matches(b))
    #expect(!b.matches(a))
    #expect(MatchKey(a) != MatchKey(b) || !MatchKey(a).isMatchable)
  }

  static let ascending: [Value] = [
    .double(-.infinity), .double(-1e300), decimal("-1e60"), .double(-0x1p63 - 2048), .int(.min),
    decimal("-1.5"), .int(-1), .double(-1e-200),
    .int(0), .double(.leastNonzeroMagnitude), decimal("1e-100"), .double(0.1), decimal("0.10000000000000001"),
    .bool(true), .double(1.0000000000000002),
    .int((1 << 53) - 1), .double(0x1p53), .int((1 << 53) + 1), .int(.max), .double(0x1p63),
    decimal("9223372036854775809"), .double(1e30),
    decimal("1e125"), .double(1e300), .double(.infinity),
  ]

  @Test("numbers of all kinds have one order")
  func order() throws {
    for (i, a) in Self.ascending.enumerated() {
      for (j, b) in Self.ascending.enumerated() {
        #expect(try a.order(b)?.signum() == (i - j).signum(), "\(a) \(b)")
      }
    }
  }

  @Test("nil and NaN have no order, other kinds are refused")
  func noOrder() throws {
    #expect(try Value.null.order(.int(1)) == nil)
    #expect(try Value.null.order(.null) == nil)
    #expect(try Value.double(.nan).order(.int(1)) == nil)
    for (a, b) in [
      (Value.string("2"), Value.int(2)), (Self.date(1), .int(1)), (.uuid(UUID()), .uuid(UUID())),
      (.data(Data()), .data(Data())),
    ] {
      #expect { try a.order(b) } throws: { ($0 as? FetchPredicateError)?.code == .predicateTypeMismatch }
    }
    #expect(try Value.string("\u{FFFD}").order(.string("\u{1F600}")).map { $0 < 0 } == true)
  }

  @Test("random doubles and decimals keep one order with each other")
  func randomNumbers() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(state: seed)
    var numbers: [Value] = []
    for _ in 0..<60 {
      let bits = random.next()
      numbers.append(.double(Double(Int64(bitPattern: bits) >> Int64(bits % 64)) / 1000))
      numbers.append(.decimal(Decimal(Int64(bitPattern: random.next()) >> Int64(bits % 64)) / 1000))
      numbers.append(.int(Int64(bitPattern: random.next()) >> Int64(bits % 64)))
    }
    let sorted = try numbers.sorted { try ($0.order($1) ?? 0) < 0 }
    for (index, a) in sorted.enumerated() {
      for b in sorted[(index + 1)...] {
        let order = try #require(try a.order(b))
        #expect(order <= 0, "seed \(seed): \(a) \(b)")
        #expect((order == 0) == (MatchKey(a) == MatchKey(b)), "seed \(seed): \(a) \(b)")
      }
    }
  }

  @Test("Swift types stand for values and come back")
  func conversions() throws {
    #expect(Int16(value: .int(70_000)) == nil)
    #expect(Int16(value: .int(7)) == 7)
    #expect(Double(value: .int((1 << 53) + 1)) == nil)
    #expect(Double(value: .int(4)) == 4)
    #expect(Bool(value: .int(1)) == true)
    #expect(UInt64.max.value == .decimal(Decimal(UInt64.max)))
    #expect(String?(value: .null) == .some(nil))
    #expect(String?(value: .int(1)) == nil)
    #expect(URL(value: .uri("http://a/b"))?.path() == "/b")
    #expect(Decimal(value: .int(3)) == 3)
    #expect(Int?.none.value == .null)
  }
}
