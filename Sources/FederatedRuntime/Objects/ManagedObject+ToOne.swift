import FederatedModel

extension ManagedObject {
  /// The identifier that a to-one holds, edits included. The object must not be a fault.
  final func destinationID(_ relationship: Relationship) -> ManagedObjectID? {
    guard let slot = relationship.slot else {
      if case .object(let id)? = self.extras?.transients[relationship.name] { return id }
      return nil
    }
    if self.standing >= 0, self.home.edits.isWritten(self.standing, slot) {
      return self.home.edits.destination(self.standing, slot)
    }
    guard let snapshot = self.snapshot, let (reference, entity) = snapshot.destination(slot) else {
      return nil
    }
    return ManagedObjectID(store: self.objectID.store, entity: entity, reference: reference)
  }

  /// The destination of a to-one; nil when there is none, or when it was inserted and deleted again.
  final func toOne(_ relationship: Relationship) throws -> ManagedObject? {
    if self.standing == ManagedObject.fault { try self.fire() }
    guard let id = self.destinationID(relationship) else { return nil }
    guard let context = self.home.context else { throw ManagedObjectError.noContext(self, relationship.name) }
    return context.destination(id, of: relationship, from: self)
  }

  /// Sets a to-one and keeps its inverse.
  final func setToOne(_ relationship: Relationship, to destination: ManagedObject?) throws {
    try self.checkLink(relationship, to: destination)
    if self.flags.contains(.awaking) { return try self.putToOne(relationship, destination) }
    let old = relationship.inverse == nil ? nil : try self.toOne(relationship)
    try self.putToOne(relationship, destination)
    guard let inverse = self.inverse(of: relationship), old !== destination else { return }
    if let old { try old.unlinkInverse(inverse, from: self) }
    if let destination { try destination.linkInverse(inverse, to: self, from: relationship) }
  }

  /// Writes the identifier, without upkeep.
  final func putToOne(_ relationship: Relationship, _ destination: ManagedObject?) throws {
    guard let slot = relationship.slot else {
      try self.beginTransientEdit()
      self.ensureExtras().transients[relationship.name] = destination.map { .object($0.objectID) } ?? .null
      return
    }
    try self.beginEdit()
    if let destination {
      self.home.edits.set(destination.objectID, self.standing, slot)
    } else {
      self.home.edits.setNull(self.standing, slot)
    }
  }

  final func beginTransientEdit() throws {
    if self.standing == ManagedObject.fault { try self.fire() }
    if !self.flags.contains(.awaking) { self.markChanged() }
  }

  final func inverse(of relationship: Relationship) -> Relationship? {
    guard let id = relationship.inverse, let context = self.home.context else { return nil }
    return context.model.relationship(id)
  }

  /// Refuses a destination of another context or entity before anything is changed.
  final func checkLink(_ relationship: Relationship, to destination: ManagedObject?) throws {
    guard let context = self.home.context else { throw ManagedObjectError.noContext(self, relationship.name) }
    guard let destination else { return }
    guard destination.home.context === context else {
      throw ManagedObjectError(
        .differentContext, entity: self.entity.name, property: relationship.name, object: self.objectID,
        destination.home.context == nil
          ? "the destination has no context: it was deleted, or its context is gone; fetch it again"
          : "objects of different contexts cannot be linked; use context.object(with:) with its identifier")
    }
    let wanted = context.model[relationship.destination]
    guard wanted.family.contains(destination.objectID.entity) else {
      throw ManagedObjectError(
        .wrongType, entity: self.entity.name, property: relationship.name, object: self.objectID,
        "the relationship leads to \(wanted.name), not to \(destination.entity.name)")
    }
  }

  // MARK: Upkeep

  /// The other end lets go of this object: takes `object` out of the inverse.
  final func unlinkInverse(_ inverse: Relationship, from object: ManagedObject) throws {
    if inverse.isToMany {
      if self.ensureToManyList(inverse).recordRemove(object) { self.markChanged() }
    } else if try self.toOne(inverse) === object {
      try self.putToOne(inverse, nil)
    }
  }

  /// The other end takes hold of this object: puts `object` into the inverse.
  /// - Parameter relationship: the one that was set, whose inverse this is.
  final func linkInverse(_ inverse: Relationship, to object: ManagedObject, from relationship: Relationship)
    throws
  {
    if inverse.isToMany {
      if self.ensureToManyList(inverse).recordAdd(object) { self.markChanged() }
      return
    }
    let partner = try self.toOne(inverse)
    if partner === object { return }
    try self.putToOne(inverse, object)
    // Whoever held this object before lets go of it.
    try partner?.unlinkInverse(relationship, from: self)
  }
}
