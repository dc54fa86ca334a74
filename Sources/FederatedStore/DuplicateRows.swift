public import FederatedModel

/// Rows that would share the values of a uniqueness constraint.
public struct DuplicateRows: Sendable, Hashable {
  /// The entity that declares the constraint.
  public let entity: EntityID
  /// The attributes that are unique together.
  public let attributes: [String]
  /// Two rows or more: those that the save inserts or updates, then those that are stored.
  public let rows: [RowIdentity]

  public init(entity: EntityID, attributes: [String], rows: [RowIdentity]) {
    self.entity = entity
    self.attributes = attributes
    self.rows = rows
  }
}
