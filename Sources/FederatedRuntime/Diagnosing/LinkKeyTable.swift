import FederatedModel
import FederatedStore

/// The distinct keys of one side of a link, found by equal keys of the other side and by near ones.
struct LinkKeyTable {
  private(set) var groups: LinkGroups
  private var numbersByForms: [[KeyForm]: [Int]] = [:]
  /// Forms of keys of several parts multiply; no more than these are kept.
  private static let mostForms = 48
  /// Keys of one form that are compared: one instant of a day may have thousands of neighbours.
  private static let mostNeighbours = 64

  init(kinds: [SlotKind]) { self.groups = LinkGroups(kinds: kinds) }

  var keys: [[Value]] { self.groups.keys }

  /// The number of a key, a new one when it was not met before; nil for one that equals nothing.
  mutating func add(_ key: [Value]) -> Int? {
    let known = self.groups.keys.count
    guard let number = self.groups.number(of: key) else { return nil }
    guard number == known else { return number }
    for forms in Self.combined(key.map(KeyForm.forms)) {
      self.numbersByForms[forms, default: []].append(number)
    }
    return number
  }

  /// The number of the key that equals this one.
  func number(of key: [Value]) -> Int? { self.groups.existingNumber(of: key) }

  /// The keys that nearly equal this one, with the differences of each part.
  func near(_ key: [Value]) -> [(number: Int, differences: [[KeyDifference]])] {
    var found: [(number: Int, differences: [[KeyDifference]])] = []
    var seen: Set<Int> = []
    for forms in Self.combined(key.map(KeyForm.probes)) {
      for number in (self.numbersByForms[forms] ?? []).prefix(Self.mostNeighbours)
      where seen.insert(number).inserted {
        let differences = zip(self.groups.keys[number], key).compactMap(KeyComparison.differences)
        guard differences.count == key.count, differences.contains(where: { !$0.isEmpty }) else { continue }
        found.append((number, differences))
      }
    }
    return found
  }

  /// Every choice of one form for each part.
  private static func combined(_ parts: [[KeyForm]]) -> [[KeyForm]] {
    var combined: [[KeyForm]] = [[]]
    for forms in parts {
      combined = combined.flatMap { head in forms.map { head + [$0] } }
      if combined.count > self.mostForms { combined = Array(combined.prefix(self.mostForms)) }
    }
    return combined
  }
}
