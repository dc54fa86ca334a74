public import FederatedModel

/// Why an object or a context cannot do what it is asked.
public struct ManagedObjectError: Error, Sendable, CustomStringConvertible {
  /// The kind of fault; each has a heading in the documentation.
  public let code: Code
  public let entity: String?
  public let property: String?
  public let object: ManagedObjectID?
  /// What is wrong and what to do.
  public let detail: String

  /// A stable name for each kind of fault.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case unknownEntity, unknownProperty
    /// The property is of another kind than the call is for.
    case wrongKind
    /// A value that does not fit the attribute's type, or an object of another entity.
    case wrongType
    /// A fetched or computed property cannot be set.
    case readOnlyProperty
    /// The object's context is gone, was reset, or has saved its deletion.
    case noContext
    /// The row is no longer in its store.
    case inaccessibleFault
    /// Objects of two contexts cannot be linked.
    case differentContext
    /// An abstract entity has no objects of its own.
    case abstractEntity
    /// A fetched property whose stored question cannot be used.
    case invalidFetchedProperty
    case invalidArgument
    /// Not answered yet; it never answers wrongly instead.
    case unsupported
    /// `willSave` goes on changing objects.
    case unstableWillSave
    /// A hook or a computed value leads back to the save or fetch that asked it.
    case recursiveHook

    /// The number that the tradition gives; nil where it has none.
    public var legacyCode: Int? {
      switch self {
      case .inaccessibleFault: 133000
      default: nil
      }
    }
  }

  public init(
    _ code: Code, entity: String? = nil, property: String? = nil, object: ManagedObjectID? = nil,
    _ detail: String
  ) {
    self.code = code
    self.entity = entity
    self.property = property
    self.object = object
    self.detail = detail
  }

  public var description: String {
    let place = [self.entity, self.property].compactMap(\.self).joined(separator: ".")
    return place.isEmpty ? self.detail : "\(place): \(self.detail)"
  }
}

extension ManagedObjectError {
  static func noContext(_ object: ManagedObject, _ property: String? = nil) -> ManagedObjectError {
    ManagedObjectError(
      .noContext, entity: object.entity.name, property: property, object: object.objectID,
      "the object's context is gone, was reset, or has saved its deletion; keep the context as long as its "
        + "objects, and fetch the object again")
  }

  static func inaccessible(_ object: ManagedObject) -> ManagedObjectError {
    ManagedObjectError(
      .inaccessibleFault, entity: object.entity.name, object: object.objectID,
      "row \(object.objectID.reference) is no longer in its store; drop the object")
  }

  static func wrongType(
    _ value: Value, _ attribute: Attribute, of object: ManagedObject
  ) -> ManagedObjectError {
    ManagedObjectError(
      .wrongType, entity: object.entity.name, property: attribute.name, object: object.objectID,
      "\(value) is no value of type \(attribute.type); set one that is")
  }

  static func unknownProperty(_ key: String, of entity: Entity) -> ManagedObjectError {
    ManagedObjectError(
      .unknownProperty, entity: entity.name, property: key,
      "the entity has no property of this name"
        + (entity.propertyName(near: key).map { "; did you mean \($0)?" } ?? ""))
  }

  static func unknownEntity(_ name: String, in model: ManagedObjectModel) -> ManagedObjectError {
    ManagedObjectError(
      .unknownEntity, entity: name,
      "the model has no entity of this name"
        + (NearestName.nearest(to: name, among: model.entities.map(\.name)).map { "; did you mean \($0)?" }
          ?? ""))
  }

  static func readOnly(_ key: String, of entity: Entity) -> ManagedObjectError {
    ManagedObjectError(
      .readOnlyProperty, entity: entity.name, property: key,
      "a fetched property cannot be set; change the rows it finds, or its stored question")
  }

  static func wrongKind(_ key: String, of entity: Entity, isNo kind: String) -> ManagedObjectError {
    ManagedObjectError(.wrongKind, entity: entity.name, property: key, "the property is no \(kind)")
  }
}
