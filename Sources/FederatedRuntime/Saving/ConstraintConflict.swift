public import FederatedModel

/// Objects that would have the same values under a uniqueness constraint.
///
/// Either several objects of the context, with no ``databaseObject``, or objects of the context and a stored row.
public struct ConstraintConflict: Sendable {
  /// The entity that declares the constraint.
  public let entity: String
  /// The store, by name.
  public let store: String
  /// The attributes that are unique together.
  public let attributes: [String]
  /// The values that would be there more than once.
  public let values: [Value]
  /// The objects of the context, saved ones first; new ones have temporary identifiers.
  public let objects: [ManagedObjectID]
  /// The row that has the values already.
  public let databaseObject: ManagedObjectID?
  /// Its attributes and to-one links, these as identifiers.
  public let databaseSnapshot: [String: Value]?
  /// Why the context's policy does not resolve the conflict.
  public let reason: Reason

  /// Why a conflict is refused.
  public enum Reason: String, Sendable, Hashable {
    /// The policy is ``MergePolicy/error``.
    case policy
    /// More than one of the rows is saved already, and a save deletes no row to make room for another.
    case savedRows
    /// The new object is of another concrete entity than the row that has the values.
    case otherEntity
  }
}

extension ConstraintConflict: CustomStringConvertible {
  public var description: String {
    let pairs = zip(self.attributes, self.values).map { "\($0) \($1)" }.joined(separator: ", ")
    let others = self.objects.count - (self.databaseObject == nil ? 1 : 0)
    let holder =
      self.databaseObject.map { "row \($0.reference) has them" } ?? "another object of the context has them"
    let reason =
      switch self.reason {
      case .policy: ""
      case .savedRows: "; more than one of them is saved, and a policy deletes no row: change or delete one"
      case .otherEntity: "; the new object is of another entity than the row: change or delete one"
      }
    return "\(self.entity) in store \(self.store): \(others) more with \(pairs), \(holder)\(reason)"
  }
}
