internal import FederatedModel
internal import Foundation

/// Values that have made stores disagree: extremes, decimals of many digits, text that looks alike.
enum ValuePool {
  static let texts = [
    "", " ", "a", "A", "ab", "AB", "Ada", "ada", "adam", "e", "E", "\u{e9}", "e\u{301}", "\u{c9}", "E\u{301}",
    "caf\u{e9}", "cafe\u{301}", "CAF\u{c9}", "cafe", "stra\u{df}e", "strasse", "STRASSE", "i", "I", "\u{130}",
    "\u{131}", "\u{1f600}", "a\u{1f600}b", "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}", "\u{fffd}", "100%",
    "100", "a_b", "axb", "back\\slash", "it's", "say \"x\"", "<a & b>", "\\u0041", "*", "?", "[x]", "a*b",
    "line\nbreak", "\u{3a9}", "\u{3c9}", "\u{fb01}", "fi", "\u{540d}\u{524d}", "zebra", "Zebra", "NULL", "0",
    "\u{3c2}", "\u{3a3}", "_", "%", "cr\r\nlf", "\u{130}stanbul", "istanbul",
    "\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}", "100.5", "-7",
  ]
  /// Texts that rows cannot have in every store, since XML has no way to write them; only compared with.
  static let unwritable = ["\u{0}", "a\u{0}", "nul\u{0}inside"]
  static let integers: [Int64] = [0, 1, -1, 2, 3, 5, 7, 10, 100, -100, 32_767, -32_768]
  static let large: [Int64] = [
    0, 1, -1, 42, .max, .min, .max - 1, 9_007_199_254_740_992, 9_007_199_254_740_993, -9_007_199_254_740_993,
  ]
  static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.1, 0.5, 1.5, 2.5, -10.25, 1e300, -1e300, 1e-300, 9_007_199_254_740_992, 3, 100,
    9_007_199_254_740_994, 9_007_199_254_740_991,
    .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity, 9.223372036854775807e18,
  ]
  static let decimals = [
    "0", "1", "-1", "0.1", "0.5", "1.5", "-10.25", "10.5", "3", "100", "0.1234567890123456789",
    "99999999999999999999.99", "12345678901234567890", "-0.00000000000000000001", "0.30000000000000004",
    "12345678901234567890123456789012345678", "1.00", "1E-20", "0.10",
  ].map { Decimal(string: $0) ?? 0 }
  static let dates: [Double] = [
    0, 0.1, -0.5, -978_307_200.25, 259_495_720.564_06, 7e8, -63_114_076_800, 1, 63_113_904_000, -0.0,
  ]
  static let bytes = [Data(), Data([0]), Data([0, 255]), Data("text".utf8), Data(repeating: 7, count: 40)]
  static let uuids = (0..<4 as Range<UInt8>).map {
    UUID(uuid: ($0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  }
  static let links = ["https://example.org/", "https://example.org/%C3%A9", "x:y", "HTTPS://EXAMPLE.ORG/"]

  /// A value that a column of that type can hold; never nil.
  static func value(_ type: AttributeType, _ random: inout SeededGenerator) -> Value {
    switch type {
    case .integer16, .integer32: .int(random.pick(self.integers))
    case .integer64: .int(random.pick(self.large))
    case .decimal: .decimal(random.pick(self.decimals))
    case .double: .double(random.pick(self.doubles))
    case .float: .double(Double(Float(random.pick(self.doubles.filter { $0.magnitude < 1e30 }))))
    case .string: .string(random.pick(self.texts))
    case .boolean: .bool(random.once(in: 2))
    case .date: .date(Date(timeIntervalSinceReferenceDate: random.pick(self.dates)))
    case .binary, .transformable: .data(random.pick(self.bytes))
    case .uuid: .uuid(random.pick(self.uuids))
    case .uri: .uri(random.pick(self.links))
    case .undefined, .composite: .null
    }
  }

  /// A number of any kind, to be compared with numbers of other kinds.
  static func number(_ random: inout SeededGenerator) -> Value {
    switch random.below(5) {
    case 0: .int(random.pick(self.large))
    case 1: .double(random.pick(self.doubles))
    case 2: .decimal(random.pick(self.decimals))
    case 3: .bool(random.once(in: 2))
    default: .int(random.pick(self.integers))
    }
  }
}
