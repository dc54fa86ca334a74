public import Foundation

/// An entity of a frozen model: every name resolved, inherited properties included.
///
/// A description drafts, an entity stands: it is immutable, Sendable, and numbered by ``id``.
public final class Entity: Sendable {
  /// The entity's place in ``ManagedObjectModel/entities``.
  public let id: EntityID
  /// The name, as the model declares it.
  public let name: String
  /// What the entity was frozen from.
  public let description: EntityDescription
  /// The entity that this one inherits from; nil for a root.
  public let parent: EntityID?
  /// The topmost ancestor; the entity itself when it has no parent.
  public let root: EntityID
  /// Direct children, in model order.
  public let subentities: [EntityID]
  /// The entity and all its descendants, depth first. A leaf has itself only.
  public let family: [EntityID]
  /// An abstract entity has no objects of its own.
  public let isAbstract: Bool

  /// All attributes, inherited ones first.
  public let attributes: [Attribute]
  /// All relationships, inherited ones first; ``Relationship/index`` is the place here.
  public let relationships: [Relationship]
  /// All fetched properties, inherited ones first.
  public let fetchedProperties: [FetchedProperty]
  /// Columns and slots of a stored row.
  public let layout: RowLayout
  /// 32 bytes that change with what a store must know of the entity (``VersionHash``).
  public let versionHash: Data

  private let indexByName: [String: Property]

  init(
    id: EntityID, description: EntityDescription, parent: EntityID?, root: EntityID,
    subentities: [EntityID], family: [EntityID], attributes: [Attribute], relationships: [Relationship],
    fetchedProperties: [FetchedProperty], layout: RowLayout, versionHash: Data
  ) {
    self.id = id
    self.name = description.name
    self.description = description
    self.parent = parent
    self.root = root
    self.subentities = subentities
    self.family = family
    self.isAbstract = description.isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.fetchedProperties = fetchedProperties
    self.layout = layout
    self.versionHash = versionHash
    var index: [String: Property] = [:]
    for attribute in attributes { index[attribute.name] = .attribute(attribute) }
    for relationship in relationships { index[relationship.name] = .relationship(relationship) }
    for fetched in fetchedProperties { index[fetched.name] = .fetched(fetched) }
    self.indexByName = index
  }

  /// The nearest name of a property to one that there is none of.
  package func propertyName(near name: String) -> String? {
    NearestName.nearest(to: name, among: self.indexByName.keys.sorted())
  }

  /// The property of that name, inherited or own.
  public func property(named name: String) -> Property? { self.indexByName[name] }

  /// The attribute of that name; nil when there is none, or the property is of another kind.
  public func attribute(named name: String) -> Attribute? {
    if case .attribute(let found)? = self.indexByName[name] { found } else { nil }
  }

  /// The relationship of that name; nil when there is none, or the property is of another kind.
  public func relationship(named name: String) -> Relationship? {
    if case .relationship(let found)? = self.indexByName[name] { found } else { nil }
  }

  /// The fetched property of that name; nil when there is none, or the property is of another kind.
  public func fetchedProperty(named name: String) -> FetchedProperty? {
    if case .fetched(let found)? = self.indexByName[name] { found } else { nil }
  }

  /// Whether the entity is `other` or one of its descendants.
  public func isKind(of other: Entity) -> Bool {
    // Entities are numbered depth first, so a family is one run of numbers.
    self.id >= other.id && self.id.index < other.id.index + other.family.count
  }
}

/// A property of a frozen entity.
public enum Property: Sendable {
  case attribute(Attribute)
  case relationship(Relationship)
  case fetched(FetchedProperty)

  public var name: String {
    switch self {
    case .attribute(let property): property.name
    case .relationship(let property): property.name
    case .fetched(let property): property.name
    }
  }

  /// The entity that declares the property.
  public var declaringEntity: EntityID {
    switch self {
    case .attribute(let property): property.declaringEntity
    case .relationship(let property): property.declaringEntity
    case .fetched(let property): property.declaringEntity
    }
  }
}

/// A resolved attribute. One object serves the declaring entity and all its descendants.
public final class Attribute: Sendable {
  public let name: String
  public let description: AttributeDescription
  public let declaringEntity: EntityID
  /// The slot in a row; nil for a transient attribute and for one that no store can hold.
  public let slot: Int?
  public var type: AttributeType { self.description.type }

  init(description: AttributeDescription, declaringEntity: EntityID, slot: Int?) {
    self.name = description.name
    self.description = description
    self.declaringEntity = declaringEntity
    self.slot = slot
  }
}

/// A resolved relationship.
public final class Relationship: Sendable {
  public let name: String
  public let description: RelationshipDescription
  public let declaringEntity: EntityID
  public let destination: EntityID
  /// Place among ``Entity/relationships`` of the declaring entity and all its descendants.
  public let index: Int
  /// The first of the two slots of a stored to-one; nil for a to-many or transient relationship.
  public let slot: Int?
  /// The relationship that leads back: the entity that declares it, and its index there.
  public let inverse: RelationshipID?
  public var isToMany: Bool { self.description.isToMany }
  public var isOrdered: Bool { self.description.isToMany && self.description.isOrdered }
  public var isTransient: Bool { self.description.isTransient }
  public var id: RelationshipID { RelationshipID(entity: self.declaringEntity, index: self.index) }

  init(
    description: RelationshipDescription, declaringEntity: EntityID, destination: EntityID, index: Int,
    slot: Int?, inverse: RelationshipID?
  ) {
    self.name = description.name
    self.description = description
    self.declaringEntity = declaringEntity
    self.destination = destination
    self.index = index
    self.slot = slot
    self.inverse = inverse
  }
}

/// Which relationship: the entity that declares it, and its index among that entity's relationships.
public struct RelationshipID: Hashable, Sendable, Codable {
  public let entity: EntityID
  public let index: Int

  public init(entity: EntityID, index: Int) {
    self.entity = entity
    self.index = index
  }
}

/// A resolved fetched property.
public final class FetchedProperty: Sendable {
  public let name: String
  public let description: FetchedPropertyDescription
  public let declaringEntity: EntityID
  /// Place among ``Entity/fetchedProperties``.
  public let index: Int
  /// The stored question with its condition parsed; nil when ``problems`` says why not.
  public let request: FetchRequest?
  public let destination: EntityID?
  /// What of the question is a key to look up, and what is left over; nil when there is no such key.
  public let plan: FetchedPropertyPlan?
  /// Why there is no ``plan``, in words; nil when there is one.
  public let unplannedReason: String?
  /// Why the question cannot be asked; reading the property throws them. Only a model that was read from a
  /// file has such properties.
  public let problems: [ModelError.Breach]

  init(
    description: FetchedPropertyDescription, declaringEntity: EntityID, index: Int, request: FetchRequest?,
    destination: EntityID?, plan: FetchedPropertyPlan?, unplannedReason: String?,
    problems: [ModelError.Breach]
  ) {
    self.name = description.name
    self.description = description
    self.declaringEntity = declaringEntity
    self.index = index
    self.request = request
    self.destination = destination
    self.plan = plan
    self.unplannedReason = unplannedReason
    self.problems = problems
  }
}
