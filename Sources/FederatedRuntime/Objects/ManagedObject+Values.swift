public import FederatedModel

extension ManagedObject {
  /// The value of a property by name, unsaved edits included.
  ///
  /// A to-one answers an identifier, a to-many or fetched property a list of identifiers; ``object(_:)``,
  /// ``objects(_:)`` and ``fetched(_:)-(String)`` answer objects.
  /// - Throws: ``ManagedObjectError`` for an unknown name or an object whose row is gone; else what a store threw.
  public final func value(_ key: String) throws -> Value {
    if let custom = try self.customValue(forKey: key) { return custom }
    return try self.storedValue(key)
  }

  /// The value of a property by name, without asking ``customValue(forKey:)``: for use inside it.
  public final func storedValue(_ key: String) throws -> Value {
    switch self.entity.property(named: key) {
    case .attribute(let attribute)?: return try self.attributeValue(attribute)
    case .relationship(let relationship)? where relationship.isToMany:
      return .list(try self.toMany(relationship).map { .object($0.objectID) })
    case .relationship(let relationship)?:
      return try self.toOne(relationship).map { .object($0.objectID) } ?? .null
    case .fetched(let property)?:
      return .list(try self.fetched(property).map { .object($0.objectID) })
    case nil where key == "objectID": return .object(self.objectID)
    case nil: throw ManagedObjectError.unknownProperty(key, of: self.entity)
    }
  }

  final func attributeValue(_ attribute: Attribute) throws -> Value {
    if self.standing == ManagedObject.fault { try self.fire() }
    guard let slot = attribute.slot, let kind = attribute.type.slotKind else {
      return self.extras?.transients[attribute.name] ?? attribute.description.defaultValue
    }
    if self.standing >= 0, self.home.edits.isWritten(self.standing, slot) {
      return self.home.edits.value(self.standing, slot, kind)
    }
    return self.snapshot?.value(slot, kind, store: self.objectID.store) ?? .null
  }

  /// Sets a property by name. A number becomes the attribute's kind when nothing is lost by it.
  /// - Throws: ``ManagedObjectError``: `unknownProperty`, `wrongType`, `readOnlyProperty` for a fetched property,
  ///   `wrongKind` for a to-many, which takes objects.
  public final func set(_ key: String, to value: Value) throws {
    switch self.entity.property(named: key) {
    case .attribute(let attribute)?: try self.setAttribute(attribute, to: value)
    case .relationship(let relationship)? where !relationship.isToMany:
      try self.setToOne(relationship, to: try self.destination(for: value, of: relationship))
    case .relationship(let relationship)?:
      guard case .list(let values) = value else {
        throw ManagedObjectError.wrongKind(
          key, of: self.entity, isNo: "to-one relationship; set it to a list")
      }
      try self.setToMany(
        relationship, to: try values.compactMap { try self.destination(for: $0, of: relationship) })
    case .fetched?: throw ManagedObjectError.readOnly(key, of: self.entity)
    case nil: throw ManagedObjectError.unknownProperty(key, of: self.entity)
    }
  }

  /// Sets an attribute or to-one by name to a Swift value, such as `3`, `"text"` or `Date()`.
  public final func set(_ key: String, to value: some ValueConvertible) throws {
    try self.set(key, to: value.value)
  }

  /// Sets a stored attribute without marking the object as changed.
  ///
  /// The value is seen by readers; it is saved only with other changes of the object.
  public final func setPrimitive(_ key: String, to value: Value) throws {
    guard let attribute = self.entity.attribute(named: key) else {
      throw ManagedObjectError.wrongKind(key, of: self.entity, isNo: "attribute")
    }
    let wasAwaking = self.flags.contains(.awaking)
    self.flags.insert(.awaking)
    defer { if !wasAwaking { self.flags.remove(.awaking) } }
    try self.setAttribute(attribute, to: value)
  }

  /// The stored value of a property as it is at hand; never fires anything.
  ///
  /// A fetched property answers its kept array; nil when there is none, and for a fault.
  public final func primitiveValue(_ key: String) throws -> Value? {
    switch self.entity.property(named: key) {
    case .fetched(let property)?:
      return self.keptArray(of: property).map { .list($0.map { .object($0.objectID) }) }
    case .attribute(let attribute)?:
      return self.isFault && self.snapshot == nil ? nil : try self.attributeValueAtHand(attribute)
    case .relationship(let relationship)? where relationship.isToMany:
      guard let list = self.extras?.toMany.first(where: { $0.relationship === relationship }), list.isFired
      else { return nil }
      return .list(list.visibleIfKnown.map { .object($0.objectID) })
    case .relationship(let relationship)?:
      return self.destinationID(relationship).map(Value.object)
    case nil: throw ManagedObjectError.unknownProperty(key, of: self.entity)
    }
  }

  private func attributeValueAtHand(_ attribute: Attribute) throws -> Value {
    if self.standing == ManagedObject.fault, let slot = attribute.slot, let kind = attribute.type.slotKind {
      return self.snapshot?.value(slot, kind, store: self.objectID.store) ?? .null
    }
    return try self.attributeValue(attribute)
  }

  private func destination(for value: Value, of relationship: Relationship) throws -> ManagedObject? {
    switch value {
    case .null: return nil
    case .object(let id):
      guard let context = self.home.context else {
        throw ManagedObjectError.noContext(self, relationship.name)
      }
      return context.object(with: id)
    default:
      throw ManagedObjectError(
        .wrongType, entity: self.entity.name, property: relationship.name, object: self.objectID,
        "a relationship takes an object or its identifier, not \(value)")
    }
  }

  final func setAttribute(_ attribute: Attribute, to value: Value) throws {
    guard let normal = attribute.type.normalized(value) else {
      throw ManagedObjectError.wrongType(value, attribute, of: self)
    }
    guard let slot = attribute.slot, let kind = attribute.type.slotKind else {
      try self.beginTransientEdit()
      self.ensureExtras().transients[attribute.name] = normal
      return
    }
    try self.beginEdit()
    guard self.home.edits.set(normal, self.standing, slot, kind) else {
      preconditionFailure("a normalized value fits its column")
    }
  }
}
