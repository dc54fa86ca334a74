import FederatedModel
import Foundation

/// Random rows of the shop and random predicates over them, the same for the same seed.
struct PredicateGenerator {
  var random: SeededGenerator

  init(seed: UInt64) { self.random = SeededGenerator(seed: seed) }

  mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: 0..<choices.count, using: &self.random)]
  }
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self.random) < percent }

  // MARK: Values, few enough that comparisons meet

  static let texts = [
    "", "a", "A", "ab", "a.b", "a*b", "100%", "1000", "\u{e9}", "e\u{301}", "\u{c9}mile", "emile", "straße",
    "STRASSE",
    "\u{1F600}", "\u{FFFD}", "x' OR 1", "a\nb", "İ", "творог", "Творог",
  ]
  static let integers: [Int64] = [0, 1, 2, -1, 7, 9_007_199_254_740_992, 9_007_199_254_740_993, .max, .min]
  static let doubles: [Double] = [
    0, 1, 2.5, -1, 0.1, 12.1, 9_007_199_254_740_992, 1e300, -0.0, .infinity, 1e19,
  ]
  static let decimals = [
    "0", "1", "2.5", "-1", "0.1", "12.1", "9007199254740993", "0.1234567890123456789", "12345678901234567.89",
    "10000000000000000000",
  ]
  static let dates: [Double] = [0, 1000, -63_114_076_800, 737_057_651.669581]
  static let uuids = ["6F0E1B77-6A0B-4C36-8E57-2B1B6B7C9D10", "00000000-0000-0000-0000-000000000001"]

  mutating func row(_ properties: [String]) -> [String: Value] {
    var values: [String: Value] = [:]
    for name in properties where self.chance(75) { values[name] = self.value(for: name) }
    return values
  }

  mutating func value(for property: String) -> Value {
    switch property {
    case "name", "title", "label": .string(self.pick(Self.texts))
    case "page": .uri(self.pick(Self.texts))
    case "since": .date(Date(timeIntervalSinceReferenceDate: self.pick(Self.dates)))
    case "age": .int(self.pick([0, 1, 2, 30]))
    case "count": .int(self.pick(Self.integers))
    case "weight": .double(self.pick(Self.doubles))
    case "total": .decimal(Decimal(string: self.pick(Self.decimals))!)
    case "isOpen": .bool(self.chance(50))
    case "data": .data(Data(self.pick(Self.texts).utf8))
    default: .null
    }
  }

  // MARK: Predicates

  private mutating func literal(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      + "\""
  }

  private mutating func number() -> String {
    switch self.pick([0, 1, 2]) {
    case 0: "\(self.pick(Self.integers.filter { $0 != .min }))"
    case 1: "\(self.pick(Self.doubles.filter { $0.isFinite && $0.magnitude < 1e20 }))"
    default: "CAST(\"\(self.pick(Self.decimals))\", \"NSDecimalNumber\")"
    }
  }

  private mutating func date() -> String { "CAST(\(self.pick(Self.dates)), \"NSDate\")" }
  private var flags: [String] { ["", "", "[c]", "[d]", "[cd]", "[n]"] }
  private static let orders = ["==", "!=", "<", "<=", ">", ">="]

  /// A comparison of a key of that kind with something of its kind.
  private mutating func comparison(_ key: String, _ kind: Character) -> String {
    if self.chance(12) { return "\(key) \(self.pick(["==", "!="])) nil" }
    switch kind {
    case "t":
      let text = self.literal(self.pick(Self.texts))
      switch self.pick([0, 1, 2, 3]) {
      case 0: return "\(key) \(self.pick(Self.orders))\(self.pick(self.flags)) \(text)"
      case 1:
        return "\(key) \(self.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH"]))\(self.pick(self.flags)) \(text)"
      case 2:
        return
          "\(key) LIKE\(self.pick(self.flags)) \(self.literal(self.pick(["a*", "?", "*b", "a?b", "*", "\\*", "É*"])))"
      default:
        return "\(key) IN {\(text), \(self.literal(self.pick(Self.texts)))\(self.chance(30) ? ", nil" : "")}"
      }
    case "d":
      if self.chance(30) { return "\(key) BETWEEN {\(self.date()), \(self.date())}" }
      return "\(key) \(self.pick(Self.orders)) \(self.date())"
    case "b": return "\(key) \(self.pick(["==", "!="])) \(self.pick(["YES", "NO", "1", "0", "2"]))"
    default:
      switch self.pick([0, 0, 1, 2]) {
      case 0: return "\(key) \(self.pick(Self.orders)) \(self.number())"
      case 1: return "\(key) BETWEEN {\(self.number()), \(self.number())}"
      default: return "\(key) IN {\(self.number()), \(self.number())\(self.chance(30) ? ", nil" : "")}"
      }
    }
  }

  private static let orderKeys: [(String, Character)] = [
    ("count", "n"), ("weight", "n"), ("total", "n"), ("isOpen", "b"), ("page", "t"), ("party.name", "t"),
    ("party.since", "d"),
  ]
  private static let partyKeys: [(String, Character)] = [("name", "t"), ("since", "d"), ("code", "t")]

  private mutating func term(_ entity: String) -> String {
    if entity == "Order" {
      if self.chance(10) { return "party \(self.pick(["==", "!="])) nil" }
      if self.chance(10) {
        return "\(self.pick(["count", "weight"])) \(self.pick(Self.orders)) \(self.pick(["count", "weight"]))"
      }
      if self.chance(10) {
        return
          "\(self.pick(["ANY", "ALL", "NONE"])) party.groups.label == \(self.literal(self.pick(Self.texts)))"
      }
      if self.chance(5) { return "party.orders.@count \(self.pick(Self.orders)) \(self.pick([0, 1, 2, 3]))" }
      let (key, kind) = self.pick(Self.orderKeys)
      return self.comparison(key, kind)
    }
    switch self.pick([0, 0, 1, 2, 3, 4]) {
    case 1:
      let (key, kind) = self.pick(Array(Self.orderKeys.prefix(5)))
      return "\(self.pick(["ANY", "ALL", "NONE", "SOME"])) " + self.comparison("orders.\(key)", kind)
    case 2:
      return
        "\(self.pick(["orders", "groups", "knows", "friends"])).@count \(self.pick(Self.orders)) \(self.pick([0, 1, 2, 3]))"
    case 3:
      return
        "\(self.literal(self.pick(Self.texts))) IN \(self.pick(["groups.label", "knows.name", "friends.name"]))"
    case 4: return "ANY knows.orders.count \(self.pick(Self.orders)) \(self.number())"
    default:
      let (key, kind) = self.pick(Self.partyKeys)
      return self.comparison(key, kind)
    }
  }

  mutating func predicate(_ entity: String, depth: Int = 0) -> String {
    if depth < 3, self.chance(40) {
      let terms = (0..<Int.random(in: 2...3, using: &self.random)).map { _ in
        self.predicate(entity, depth: depth + 1)
      }
      return "(" + terms.joined(separator: self.chance(50) ? " AND " : " OR ") + ")"
    }
    if self.chance(15) { return "NOT (\(self.predicate(entity, depth: depth + 1)))" }
    return self.term(entity)
  }

  mutating func sorts(_ entity: String) -> [FetchSortDescriptor] {
    let keys =
      entity == "Order"
      ? ["count", "weight", "total", "isOpen", "page", "party.name", "party.since"] : ["name", "since"]
    return (0..<Int.random(in: 0...2, using: &self.random)).map { _ in
      FetchSortDescriptor(
        self.pick(keys), ascending: self.chance(50),
        comparison: self.pick([.scalar, .scalar, .caseInsensitive]))
    }
  }
}
