public import FederatedModel
public import Foundation

/// Everything that one save changes in one store, with before- and after-images.
///
/// Images are row blocks: a store binds them straight from their slots, and a journal can replay or undo them.
/// References in it are permanent, and to-one columns name rows of the same store.
public struct ChangeSet: Sendable {
  /// After-images of new rows; their version is 1, unless a row comes back that was deleted.
  public var inserted: [RowBlock] = []
  public var updated: [UpdatedRows] = []
  /// Before-images of rows that go.
  public var deleted: [RowBlock] = []
  /// Changes of to-many relationships that no to-one column tells: many-to-many, ordered, or without inverse.
  public var links: [LinkChange] = []

  /// Rows that the save leaves as they are and relies on. A store refuses the save with a `conflict` when one of
  /// them is gone, or of another version.
  public var expected: [RowExpectation] = []

  public init() {}

  /// Whether there is nothing to write.
  public var isEmpty: Bool {
    self.inserted.isEmpty && self.updated.isEmpty && self.deleted.isEmpty && self.links.isEmpty
  }
}

/// A row that a save relies on without changing it: one that it links to, or that it was told to watch.
public struct RowExpectation: Sendable, Hashable {
  public var row: RowIdentity
  /// Nil when any version will do.
  public var version: Int64?

  public init(_ row: RowIdentity, version: Int64? = nil) {
    self.row = row
    self.version = version
  }
}

/// Changed rows of one entity: row `i` of ``before`` became row `i` of ``after``, one version later.
public struct UpdatedRows: Sendable {
  public var before: RowBlock
  public var after: RowBlock

  public init(before: RowBlock, after: RowBlock) {
    precondition(before.count == after.count && before.layout === after.layout, "images that do not pair")
    self.before = before
    self.after = after
  }
}

/// What a save changes in one to-many of one owner.
///
/// Both sides of a many-to-many may tell of one pair; adding a pair that is there, or removing one that is
/// not, is no error.
public struct LinkChange: Sendable, Hashable, Codable {
  public var relationship: RelationshipID
  public var owner: RowIdentity
  public var added: [RowIdentity]
  public var removed: [RowIdentity]
  /// The whole list afterwards, for an ordered relationship; nil otherwise. Members that are stored and neither in
  /// it nor removed were added by others: they follow, in the order that they have. Members in it that are neither
  /// stored nor added were removed by others, and stay away.
  public var order: [RowIdentity]?

  public init(
    relationship: RelationshipID, owner: RowIdentity, added: [RowIdentity], removed: [RowIdentity],
    order: [RowIdentity]? = nil
  ) {
    self.relationship = relationship
    self.owner = owner
    self.added = added
    self.removed = removed
    self.order = order
  }
}

/// Names one save, in every store that it touches.
public struct SaveIdentifier: Sendable, Hashable, Codable {
  public let uuid: UUID
  /// Whether several stores take part that outlive the process. A store then keeps the identifier with the
  /// changes, as ``StoreMetadata/lastJointSave``, and its commit is durable when it returns.
  public var isJoint: Bool

  public init(_ uuid: UUID = UUID(), isJoint: Bool = false) {
    self.uuid = uuid
    self.isJoint = isJoint
  }
}
