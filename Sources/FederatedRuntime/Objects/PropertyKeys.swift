public import FederatedModel

/// A property of a typed object: a name with a Swift type.
public protocol PropertyKey: Sendable {
  /// The property's name. Not `name`, which many entities have a property of.
  var propertyName: String { get }
  /// What keeps the key from being the entity's property of this name; nil when it fits.
  func misfit(with entity: Entity, in model: ManagedObjectModel) -> String?
}

/// A stored or transient attribute, typed.
///
/// ```swift
/// struct Keys {
///   let number = AttributeKey<Int>("number")
///   let name = AttributeKey<String?>("name")
/// }
/// ```
///
/// A type that is no optional promises a value. Where there is none, a read gives the type's zero, and the context
/// throws at its next fetch or save.
public struct AttributeKey<Content: AttributeValue>: PropertyKey {
  public let propertyName: String
  @usableFromInline let cache = KeyCache()

  public init(_ name: String) { self.propertyName = name }

  public func misfit(with entity: Entity, in model: ManagedObjectModel) -> String? {
    guard let attribute = entity.attribute(named: self.propertyName) else {
      return "the entity has no such attribute"
    }
    guard let kind = attribute.type.slotKind else { return nil }
    return Content.accepts(kind)
      ? nil : "an attribute of type \(attribute.type) cannot be read as \(Content.self)"
  }
}

/// A to-one relationship, typed.
public struct ToOneKey<Destination: TypedObject>: PropertyKey {
  public let propertyName: String
  public init(_ name: String) { self.propertyName = name }

  public func misfit(with entity: Entity, in model: ManagedObjectModel) -> String? {
    guard let relationship = entity.relationship(named: self.propertyName), !relationship.isToMany else {
      return "the entity has no such to-one relationship"
    }
    return misfitOfDestination(Destination.self, relationship.destination, in: model)
  }
}

/// A to-many relationship, typed.
public struct ToManyKey<Destination: TypedObject>: PropertyKey {
  public let propertyName: String
  public init(_ name: String) { self.propertyName = name }

  public func misfit(with entity: Entity, in model: ManagedObjectModel) -> String? {
    guard let relationship = entity.relationship(named: self.propertyName), relationship.isToMany else {
      return "the entity has no such to-many relationship"
    }
    return misfitOfDestination(Destination.self, relationship.destination, in: model)
  }
}

/// A fetched property, typed.
public struct FetchedKey<Destination: TypedObject>: PropertyKey {
  public let propertyName: String
  public init(_ name: String) { self.propertyName = name }

  public func misfit(with entity: Entity, in model: ManagedObjectModel) -> String? {
    guard let property = entity.fetchedProperty(named: self.propertyName) else {
      return "the entity has no such fetched property"
    }
    return property.destination.flatMap { misfitOfDestination(Destination.self, $0, in: model) }
  }
}

/// An attribute of the object that reads a fetched property: the other side of its condition.
///
/// `Customer.source(\.number)` is `$FETCH_SOURCE.number`, with a type.
public struct SourceKey<Content: AttributeValue>: Sendable {
  public let path: [String]
  public init(_ path: [String]) { self.path = path }
}

private func misfitOfDestination(
  _ type: any TypedObject.Type, _ destination: EntityID, in model: ManagedObjectModel
) -> String? {
  guard let entity = model.entity(named: type.entityName) else {
    return "the model has no entity \(type.entityName) for class \(type)"
  }
  let found = model[destination]
  return found.isKind(of: entity) ? nil : "it leads to \(found.name), not to \(entity.name)"
}
