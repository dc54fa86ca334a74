import FederatedModel

/// What is hardly meant, made of what both passes counted.
extension LinkPropertyCheck {
  private func uri(_ row: ManagedObjectID) -> String { self.context.coordinator.uriString(for: row) }

  private var keyNames: String { self.plan.keys.map(\.attribute).joined(separator: ", ") }

  var nilKeys: [LinkCheck.Finding] {
    guard self.nilSources.count > 0 else { return [] }
    let tallies = zip(self.table.keys, self.tallies).filter { $0.0.contains(where: \.isNull) }.map(\.1)
    let rows = ExplanationText.count(tallies.reduce(0) { $0 + $1.rows }, "row")
    let matching = tallies.reduce(0) { $0 + $1.matching }
    let linked =
      if tallies.allSatisfy({ $0.rows == 0 }) {
        "no row of \(self.destination.name) has none"
      } else if matching == 0 {
        "the other terms reject the \(rows) of \(self.destination.name) without one"
      } else {
        "nil equals nil, so they are linked with \(ExplanationText.count(matching, "row")) of "
          + self.destination.name
      }
    let have = self.nilSources.count == 1 ? "has" : "have"
    return [
      LinkCheck.Finding(
        .nilKeys, self.nilSources.count,
        "nil keys: \(ExplanationText.count(self.nilSources.count, "source")) \(have) none; \(linked)",
        examples: self.nilSources.examples)
    ]
  }

  /// The numbers of keys without a row. A nil key without a row is a nil key.
  private var dangling: [Int] {
    self.tallies.indices.filter {
      self.tallies[$0].rows == 0 && !self.table.keys[$0].contains(where: \.isNull)
    }
  }

  var danglingKeys: [LinkCheck.Finding] {
    let dangling = self.dangling
    let count = dangling.count + self.unmatchable.count
    guard count > 0 else { return [] }
    let sources = dangling.reduce(self.unmatchable.count) { $0 + self.tallies[$1].sources }
    let examples = dangling.prefix(self.examples).map { number in
      LinkCheck.Example(
        key: KeyText.shown(self.table.keys[number]), rows: [self.uri(self.tallies[number].firstSource)])
    }
    return [
      LinkCheck.Finding(
        .danglingKeys, count,
        "dangling keys: \(count), of \(ExplanationText.count(sources, "source")), are \(self.keyNames) of no "
          + self.destination.name,
        examples: Array((examples + self.unmatchable.examples).prefix(self.examples)))
    ]
  }

  var nearMisses: [LinkCheck.Finding] {
    var tally = NearMissTally(examples: self.examples)
    for number in self.dangling {
      guard let near = self.tallies[number].near else { continue }
      tally.add(near.differences, key: self.table.keys[number], found: near.found, row: self.uri(near.row))
    }
    return tally.sorted.map { miss in
      var finding = LinkCheck.Finding(
        .nearMisses, miss.count,
        "near misses: \(ExplanationText.count(miss.count, "dangling key")) "
          + "\(miss.count == 1 ? "is" : "are") apart from one of \(self.destination.name) by \(miss.phrase)",
        examples: miss.examples.map { LinkCheck.Example(key: $0.key, rows: [$0.row], found: $0.found) })
      finding.differences = miss.differences
      return finding
    }
  }

  var duplicates: [LinkCheck.Finding] {
    guard let expectation = self.expectation else { return [] }
    let several = self.tallies.indices.filter {
      self.tallies[$0].rows > 1 && !self.table.keys[$0].contains(where: \.isNull)
    }
    if several.isEmpty { return [] }
    let examples = several.prefix(self.examples).map { number in
      LinkCheck.Example(
        key: KeyText.shown(self.table.keys[number]), rows: self.tallies[number].firstRows.map(self.uri))
    }
    return [
      LinkCheck.Finding(
        .duplicates, several.count,
        "duplicates: \(ExplanationText.count(several.count, "key")) of several \(self.destination.name), and "
          + expectation, examples: Array(examples))
    ]
  }

  /// Why one row is expected for each key; nil when several may be meant.
  private var expectation: String? {
    let names = Set(self.plan.keys.map(\.attribute))
    var entity: Entity? = self.destination
    while let current = entity {
      if current.description.uniquenessConstraints.contains(where: { names.isSuperset(of: $0) }) {
        return "the model declares \(self.keyNames) unique"
      }
      entity = current.parent.map { self.context.model[$0] }
    }
    if self.stored.fetchLimit == 1, self.stored.fetchOffset == 0, self.stored.sortDescriptors.isEmpty {
      return "the property has a limit of 1 and no order that says which"
    }
    return nil
  }
}
