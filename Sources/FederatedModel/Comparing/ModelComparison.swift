/// Goes through two outlines side by side.
struct ModelComparison {
  private let old: ModelOutline
  private let new: ModelOutline
  private(set) var changes: [ModelDifference.Change] = []

  init(from old: ModelOutline, to new: ModelOutline) {
    self.old = old
    self.new = new
    self.compare(.model)
    self.compare(.entity, with: [.attribute, .relationship, .fetchedProperty])
    self.compare(.configuration)
    self.compare(.template)
    self.compare(.composite, with: [.element])
  }

  /// Compares the items of a kind, and those that have them as owners.
  private mutating func compare(_ kind: ModelItem.Kind, with members: [ModelItem.Kind] = []) {
    self.compare(self.old.items(kind), self.new.items(kind)) { comparison, before, after in
      for member in members {
        comparison.compare(
          comparison.old.items(member, of: before.name), comparison.new.items(member, of: after.name)
        ) { _, _, _ in }
      }
    }
  }

  private mutating func compare(
    _ before: [ModelItem], _ after: [ModelItem],
    members: (inout ModelComparison, ModelItem, ModelItem) -> Void
  ) {
    let match = Self.match(before, after)
    for (place, item) in after.enumerated() {
      guard let partner = match[place].map({ before[$0] }) else {
        self.add(.added, item, old: nil, new: item.summary)
        continue
      }
      self.compareFacts(partner, item)
      members(&self, partner, item)
    }
    let kept = Set(match.values)
    for (place, item) in before.enumerated() where !kept.contains(place) {
      self.add(.removed, item, old: item.summary, new: nil)
    }
  }

  /// For each new item that was there before, the place of the old one: first by identifiers, which name an item
  /// through all versions, then by names. A new item that takes over a name does not take what was renamed away from it.
  private static func match(_ before: [ModelItem], _ after: [ModelItem]) -> [Int: Int] {
    var match: [Int: Int] = [:]
    let renamed = after.indices.filter { after[$0].identifier != after[$0].name }
    for (key, places) in [
      (\ModelItem.identifier, renamed), (\.identifier, Array(after.indices)), (\.name, Array(after.indices)),
    ] {
      let taken = Set(match.values)
      let free = before.indices.filter { !taken.contains($0) }
      var known = Dictionary(
        free.map { (before[$0][keyPath: key], $0) }, uniquingKeysWith: { first, _ in first })
      for place in places where match[place] == nil {
        match[place] = known.removeValue(forKey: after[place][keyPath: key])
      }
    }
    return match
  }

  private mutating func compareFacts(_ before: ModelItem, _ after: ModelItem) {
    if before.name != after.name { self.add(.changed, after, "name", old: before.name, new: after.name) }
    let old = Dictionary(before.facts.map { ($0.title, $0) }, uniquingKeysWith: { first, _ in first })
    let now = Dictionary(after.facts.map { ($0.title, $0) }, uniquingKeysWith: { first, _ in first })
    // Facts that every item of the kind has stand in one order; entries of user info may be in one of the two alone.
    let gone = before.facts.map(\.title).filter { now[$0] == nil }
    for title in after.facts.map(\.title) + gone {
      let (one, other) = (old[title], now[title])
      if one?.compared ?? .null == other?.compared ?? .null { continue }
      self.add(.changed, after, title, old: one?.text, new: other?.text)
    }
  }

  private mutating func add(
    _ kind: ModelDifference.Change.Kind, _ item: ModelItem, _ fact: String? = nil, old: String?, new: String?
  ) {
    self.changes.append(.init(kind: kind, item: item, fact: fact, old: old, new: new))
  }
}
