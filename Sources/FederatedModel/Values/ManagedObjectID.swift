/// The number of an entity inside its frozen model, in the order of ``ManagedObjectModel/entities``.
@frozen public struct EntityID: Hashable, Sendable, Codable, Comparable {
  public let rawValue: UInt32
  @inlinable public init(_ rawValue: Int) { self.rawValue = UInt32(rawValue) }
  @inlinable public var index: Int { Int(self.rawValue) }
  @inlinable public static func < (a: EntityID, b: EntityID) -> Bool { a.rawValue < b.rawValue }
}

/// The number of an open store inside its process. Zero is "no store": the row was never saved.
@frozen public struct StoreID: Hashable, Sendable, Codable {
  public let rawValue: UInt32
  @inlinable public init(_ rawValue: UInt32) { self.rawValue = rawValue }
  /// The store of rows that are in no store yet.
  public static let none = StoreID(0)
}

/// Who a row is: store, concrete entity, and a number that the store keeps stable.
///
/// Three integers, so that identity maps and links stay cheap. An identifier is good within one coordinator;
/// between coordinators and processes it travels as a URI, which the coordinator builds and reads.
/// A row that was never saved has a *temporary* identifier: ``store`` is ``StoreID/none``.
@frozen public struct ManagedObjectID: Hashable, Sendable, Codable {
  public let store: StoreID
  /// The concrete entity of the row, never an ancestor.
  public let entity: EntityID
  public let reference: Int64

  @inlinable public init(store: StoreID, entity: EntityID, reference: Int64) {
    self.store = store
    self.entity = entity
    self.reference = reference
  }

  /// Whether the row is in no store yet.
  @inlinable public var isTemporary: Bool { self.store.rawValue == 0 }
}
