internal import FederatedModel

/// Which rows equal one of a set of keys: a hash table of keys, asked row by row.
struct KeyFilter {
  private let attributes: [BoundAttribute]
  private let kinds: [SlotKind]
  private let keys: [[Value]]
  private let keysByHash: [UInt64: [Int]]

  init(_ link: LinkKeys) {
    self.attributes = link.attributes
    self.kinds = link.attributes.map { $0.type.slotKind ?? .data }
    self.keys = link.keys
    var keysByHash: [UInt64: [Int]] = [:]
    for (number, key) in link.keys.enumerated() {
      guard let hash = KeyFilter.hash(key) else { continue }
      keysByHash[hash, default: []].append(number)
    }
    self.keysByHash = keysByHash
  }

  func matches(_ row: Snapshot, store: StoreID) -> Bool {
    var hash: UInt64 = 0
    for (attribute, kind) in zip(self.attributes, self.kinds) {
      hash = KeyFilter.combine(hash, ColumnHash.of(row, slot: attribute.slot, kind: kind))
    }
    guard let numbers = self.keysByHash[hash] else { return false }
    return numbers.contains { KeyFilter.equals(row, self.attributes, self.keys[$0], store: store) }
  }

  /// Whether every column of the row equals the key's value for it.
  static func equals(
    _ row: Snapshot, _ attributes: [BoundAttribute], _ key: [Value], store: StoreID
  ) -> Bool {
    for (index, attribute) in attributes.enumerated() {
      guard let kind = attribute.type.slotKind,
        ColumnEquality.holds(row, slot: attribute.slot, kind: kind, key[index], store: store)
      else { return false }
    }
    return true
  }

  private static func combine(_ hash: UInt64, _ next: UInt64) -> UInt64 {
    (hash &* 0x9e37_79b9_7f4a_7c15) ^ next
  }

  private static func hash(_ key: [Value]) -> UInt64? {
    var hash: UInt64 = 0
    for value in key {
      guard let next = ColumnHash.of(value) else { return nil }
      hash = self.combine(hash, next)
    }
    return hash
  }
}
