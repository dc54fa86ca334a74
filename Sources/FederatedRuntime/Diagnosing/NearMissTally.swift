import FederatedModel

/// Near misses, counted by the way in which they differ, with the first few of each.
struct NearMissTally {
  private var places: [[KeyDifference]: Int] = [:]
  private var misses: [KeyNearMiss] = []
  private let examples: Int

  init(examples: Int) { self.examples = examples }

  /// The commonest first.
  var sorted: [KeyNearMiss] {
    self.misses.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map(\.element)
  }

  /// - Parameters:
  ///   - key: the key that is looked for.
  ///   - found: the key that a row has.
  ///   - row: the URI of the row; made for examples only.
  mutating func add(
    _ differences: [[KeyDifference]], key: [Value], found: [Value], row: @autoclosure () -> String
  ) {
    var kinds: [KeyDifference] = []
    for difference in differences.joined() where !kinds.contains(difference) { kinds.append(difference) }
    let place = self.places[kinds] ?? self.misses.count
    if place == self.misses.count {
      self.places[kinds] = place
      self.misses.append(KeyNearMiss(differences: kinds))
    }
    self.misses[place].count += 1
    guard self.misses[place].examples.count < self.examples else { return }
    let reveals = kinds.contains { $0.isInvisible }
    self.misses[place].examples.append(
      KeyNearMiss.Example(
        key: KeyText.shown(key, revealing: reveals), found: KeyText.shown(found, revealing: reveals),
        row: row()))
  }
}

extension KeyDifference {
  /// Whether the two values may look the same when they are printed.
  fileprivate var isInvisible: Bool {
    switch self {
    case .normalization, .whitespace, .compatibility: true
    default: false
    }
  }
}

extension KeyNearMiss {
  init(differences: [KeyDifference]) {
    self.differences = differences
  }

  /// The differences as a phrase.
  public var phrase: String { self.differences.map(\.phrase).joined(separator: " and ") }
}
