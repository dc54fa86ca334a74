public import FederatedModel

/// Two ends of a relationship that a file tells differently, and what was made of it.
public struct InverseRepair: Sendable, Hashable, CustomStringConvertible {
  /// The to-many or many-to-many whose list was wrong or short.
  public let relationship: RelationshipID
  public let owner: RowIdentity
  public let destination: RowIdentity
  public let repair: Repair
  public let description: String

  public enum Repair: Sendable, Hashable {
    /// The list did not have the destination, whose side names the owner: it has it now.
    case added
    /// The list had the destination, whose to-one names another owner or none: it is out.
    case removed
  }

  init(
    _ relationship: Relationship, of owner: RowIdentity, _ destination: RowIdentity, _ repair: Repair,
    in model: ManagedObjectModel
  ) {
    self.relationship = relationship.id
    self.owner = owner
    self.destination = destination
    self.repair = repair
    let place = "\(model[owner.entity].name) \(owner.reference), \(relationship.name)"
    let other = "\(model[destination.entity].name) \(destination.reference)"
    self.description =
      switch repair {
      case .added: "\(place): \(other) names the owner and was not listed; it is listed now"
      case .removed: "\(place): \(other) was listed and does not name the owner; it is listed no more"
      }
  }
}
