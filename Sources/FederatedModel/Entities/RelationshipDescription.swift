/// A stored link inside one store, as drafted.
public struct RelationshipDescription: PropertyDescription, Hashable {
  public var name: String
  /// The name of the destination entity.
  public var destination: String
  /// The name of the relationship that leads back; nil when there is none.
  public var inverse: String?
  /// The entity that the model file names as the owner of ``inverse``; nil means the destination.
  public var inverseEntity: String?
  public var minCount: Int
  /// 1 makes a to-one; 0 is unbounded.
  public var maxCount: Int
  public var isOrdered: Bool
  public var deleteRule: DeleteRule
  public var isOptional: Bool
  public var isTransient = false
  public var userInfo: [String: String] = [:]
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var isIndexed = false
  public var fileAttributes: [String: String] = [:]
  /// Elements of the model file that have no meaning here, kept for a rewrite.
  public var fileElements: [ModelFileElement] = []

  /// What becomes of the destinations when the owner is deleted.
  public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
    case noAction, nullify, cascade, deny
  }

  /// How many destinations, and whether their order is kept.
  public enum Cardinality: Sendable {
    case one, many, orderedMany
  }

  /// A relationship is to-many exactly when `maxCount` is not 1.
  public var isToMany: Bool { self.maxCount != 1 }

  /// - Parameters:
  ///   - destination: the name of the destination entity, which a store must hold together with this one.
  ///   - inverse: the relationship of the destination that leads back; both ends name each other.
  public init(
    _ name: String, to destination: String, _ cardinality: Cardinality = .one, inverse: String? = nil,
    deleteRule: DeleteRule = .nullify, optional: Bool = true
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.minCount = 0
    self.maxCount = if case .one = cardinality { 1 } else { 0 }
    self.isOrdered = if case .orderedMany = cardinality { true } else { false }
    self.deleteRule = deleteRule
    self.isOptional = optional
  }
}
