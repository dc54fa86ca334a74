/// What distinguishes two models, or two versions of one: items that came, went or changed.
///
/// Items are matched by their renaming identifiers, then by their names, so that a renamed property is a change of its
/// name and not one that went and one that came. The order of properties, of constraints and of members has no meaning
/// and is no difference; nor is what only a model editor knows.
///
/// ```swift
/// let difference = ModelDifference(from: old, to: new)
/// print(difference.hashesAreEqual ? "the stores of the one open under the other" : "stores need a migration")
/// for change in difference.changes { print(change) }
/// ```
public struct ModelDifference: Hashable, Sendable {
  /// In the order of the new model; what went stands last among its kind and owner. The properties of an entity that
  /// came or went are part of it and not told one by one.
  public let changes: [Change]
  /// The names of the entities that only one model has or whose version hashes differ, in order.
  public let entitiesWithOtherHashes: [String]

  /// Whether a store that was written under the one model opens under the other.
  public var hashesAreEqual: Bool { self.entitiesWithOtherHashes.isEmpty }

  /// One item that came or went, or one fact that changed.
  public struct Change: Hashable, Sendable {
    public let kind: Kind
    /// The item, as the new model has it; as the old one had it when it was removed.
    public let item: ModelItem
    /// Which fact changed; nil for an item that came or went. A renamed item changed its `name`.
    public let fact: String?
    /// The value before in words; nil when there was none.
    public let old: String?
    /// The value now in words; nil when there is none.
    public let new: String?

    public enum Kind: String, Hashable, Sendable, CaseIterable {
      case added, removed, changed
    }
  }

  /// Compares what the models say and the version hashes of their entities.
  public init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    self.changes = ModelComparison(from: ModelOutline(of: old), to: ModelOutline(of: new)).changes
    let (before, after) = (old.versionHashes(), new.versionHashes())
    self.entitiesWithOtherHashes = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      .sorted()
  }
}

extension ModelDifference.Change: CustomStringConvertible {
  /// `changed attribute Customer.code: optional false, now true`.
  public var description: String {
    guard let fact = self.fact else {
      let summary = self.new ?? self.old ?? ""
      return "\(self.kind.rawValue) \(self.item)" + (summary.isEmpty ? "" : ": \(summary)")
    }
    return "\(self.kind.rawValue) \(self.item): \(fact) \(self.old ?? "none"), now \(self.new ?? "none")"
  }
}
