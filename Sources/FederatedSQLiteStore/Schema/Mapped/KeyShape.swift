internal import FederatedModel
internal import FederatedStore

/// What the parts of a text or composite key are, and how they become a reference.
///
/// Parts of a key and of the columns that point to it may differ in storage class, as SQLite compares them: a number
/// that points to a column of texts is that number's text.
final class KeyShape: Sendable, Hashable {
  /// The place among the shapes of the store, by which statements name it.
  let number: Int
  let affinities: [ColumnAffinity]
  let registry: KeyRegistry

  init(_ number: Int, _ affinities: [ColumnAffinity], _ registry: KeyRegistry) {
    self.number = number
    self.affinities = affinities
    self.registry = registry
  }

  static func == (left: KeyShape, right: KeyShape) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(self.number) }

  /// The call that makes a reference of the parts.
  func call(_ parts: [String]) -> String {
    "\(MappedFunctions.key)(\(self.number), \(parts.joined(separator: ", ")))"
  }

  /// The reference of a key, met before or not; nil when a part is null.
  func reference(of parts: [SQLValue]) -> Int64? {
    var key: [SQLValue] = []
    key.reserveCapacity(parts.count)
    for (part, affinity) in zip(parts, self.affinities) {
      if part == .null { return nil }
      key.append(affinity.applied(to: part))
    }
    return self.registry.reference(of: key)
  }

  /// The key that a reference stands for; nil for a number that no key has been given.
  func parts(of reference: Int64) -> [SQLValue]? {
    guard let parts = self.registry.key(of: reference), parts.count == self.affinities.count else {
      return nil
    }
    return parts
  }
}
