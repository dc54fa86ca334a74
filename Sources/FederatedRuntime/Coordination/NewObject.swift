package import FederatedModel

/// What routing needs to know of an object that no store holds yet.
package struct NewObject: Sendable {
  /// Temporary.
  package let objectID: ManagedObjectID
  /// The store that the user chose.
  package var assigned: StoreID?
  /// Everything that a relationship ties the object to, new or saved. One direction of a pair is enough.
  package var ties: [Tie]

  package struct Tie: Sendable {
    package let relationship: RelationshipID
    package let other: ManagedObjectID

    package init(_ relationship: RelationshipID, _ other: ManagedObjectID) {
      self.relationship = relationship
      self.other = other
    }
  }

  package init(_ objectID: ManagedObjectID, assigned: StoreID? = nil, ties: [Tie] = []) {
    self.objectID = objectID
    self.assigned = assigned
    self.ties = ties
  }
}
