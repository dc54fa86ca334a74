public import FederatedModel

/// What becomes of a row that a save and others changed.
public struct MergeResolution: Sendable, Hashable {
  /// Whether there is no row once the save has happened.
  public var isDeleted: Bool
  /// What the row holds then: attributes, and to-one links as identifiers. A property that is left out stays as it
  /// is stored.
  public var values: [String: Value]
  /// Whether what the context added to and removed from the object's to-many relationships is saved.
  public var keepsLinks: Bool

  /// A row with these values.
  public init(values: [String: Value], keepsLinks: Bool = true) {
    self.isDeleted = false
    self.values = values
    self.keepsLinks = keepsLinks
  }

  private init() {
    self.isDeleted = true
    self.values = [:]
    self.keepsLinks = false
  }

  /// No row.
  public static var deleted: MergeResolution { MergeResolution() }
}

extension MergeConflict {
  /// What a policy makes of the conflict.
  /// - Throws: ``SaveError/conflicts(_:)`` for ``MergePolicy/error``; what the function of a custom policy throws.
  public func resolution(by policy: MergePolicy) throws -> MergeResolution {
    switch policy {
    case .error: throw SaveError.conflicts([self])
    case .custom(_, let resolve): return try resolve(self)
    case .storeTrump, .objectTrump, .overwrite, .rollback: break
    }
    guard let stored = self.storedSnapshot else {
      guard let change = self.change, change != .delete, !policy.storeWins else { return .deleted }
      return MergeResolution(values: self.values)
    }
    if self.change == .delete {
      return policy.storeWins ? MergeResolution(values: stored, keepsLinks: false) : .deleted
    }
    switch policy {
    case .rollback: return MergeResolution(values: stored, keepsLinks: false)
    case .overwrite: return MergeResolution(values: self.values)
    default:
      var values = stored
      for field in self.fields {
        let takesMine = policy.storeWins ? field.stored == field.read : field.mine != field.read
        values[field.name] = takesMine ? field.mine : field.stored
      }
      return MergeResolution(values: values)
    }
  }
}
