public import FederatedModel

/// Which class the objects of each entity have, checked against a model.
///
/// ```swift
/// let classes = try ObjectClasses([Customer.self, Invoice.self], checkedAgainst: model)
/// ```
public struct ObjectClasses: Sendable {
  private let classByEntity: [String: ManagedObject.Type]

  /// Every object is a plain ``ManagedObject``.
  public static let none = ObjectClasses()

  private init() { self.classByEntity = [:] }

  /// - Throws: ``ObjectClassError`` that lists every key that does not fit its entity, every class without an
  ///   entity, and every class of a subentity that does not inherit from its parent entity's class.
  public init(
    _ classes: [any TypedObject.Type], checkedAgainst model: ManagedObjectModel
  ) throws(ObjectClassError) {
    var breaches: [String] = []
    var found: [String: ManagedObject.Type] = [:]
    for type in classes {
      guard let entity = model.entity(named: type.entityName) else {
        breaches.append("\(type): the model has no entity \(type.entityName); name it in entityName")
        continue
      }
      if let other = found[entity.name] {
        breaches.append("\(type): entity \(entity.name) has class \(other) already")
      }
      found[entity.name] = type
      breaches += ObjectClasses.misfits(of: type, entity, in: model)
    }
    self.classByEntity = found
    for entity in model.entities {
      guard let own = found[entity.name], let parent = entity.parent else { continue }
      let inherited = self.type(of: parent, in: model)
      if !ObjectClasses.inherits(own, from: inherited) {
        breaches.append(
          "\(own): entity \(entity.name) is a kind of \(model[parent].name), so its class must inherit \(inherited)"
        )
      }
    }
    if !breaches.isEmpty { throw ObjectClassError(breaches: breaches) }
  }

  private static func inherits(_ type: ManagedObject.Type, from ancestor: ManagedObject.Type) -> Bool {
    var current: AnyClass? = type
    while let candidate = current {
      if candidate == ancestor { return true }
      current = _getSuperclass(candidate)
    }
    return false
  }

  private static func misfits(
    of type: any TypedObject.Type, _ entity: Entity, in model: ManagedObjectModel
  ) -> [String] {
    Mirror(reflecting: type.keys).children.compactMap { child in
      guard let key = child.value as? any PropertyKey else { return nil }
      if let label = child.label, self.memberNames.contains(label) {
        return "\(type).\(label): every managed object has a member of this name; give the key another"
      }
      return key.misfit(with: entity, in: model).map { "\(type).\(key.propertyName): \($0)" }
    }
  }

  /// Members that win over dynamic ones, so that a key of the same name could never be reached.
  private static let memberNames: Set<String> = [
    "objectID", "entity", "context", "isFault", "isInserted", "isUpdated", "isDeleted", "hasChanges",
    "hasPersistentChangedValues", "predicateArgument", "predicateIdentity", "predicateOperand", "hashValue",
  ]

  /// The class of an entity's own objects: its own, else that of its nearest ancestor.
  func type(of entity: EntityID, in model: ManagedObjectModel) -> ManagedObject.Type {
    var current: EntityID? = entity
    while let id = current {
      if let type = self.classByEntity[model[id].name] { return type }
      current = model[id].parent
    }
    return ManagedObject.self
  }
}

/// Every way in which classes do not fit a model, all at once.
public struct ObjectClassError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence each, with class and property.
  public let breaches: [String]

  public var description: String {
    "Classes do not fit the model:\n" + self.breaches.map { "  - \($0)" }.joined(separator: "\n")
  }
}
