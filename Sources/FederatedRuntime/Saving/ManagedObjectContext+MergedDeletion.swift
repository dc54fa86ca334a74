import FederatedModel

/// What a policy decides where one side deleted a row and the other changed it.
extension ManagedObjectContext {
  /// The row is gone, and stays so: the object counts as deleted, and what was linked to it lets go.
  func acceptDeletion(of object: ManagedObject) throws {
    if !object.isDeleted { self.delete(object) }
    try self.processPendingChanges()
    guard object.home.context === self else { return }
    self.clearUnsavedLinks(to: object)
    object.home.removeChanged(object)
    object.dropEdits(standing: ManagedObject.fault)
    object.snapshot = nil
    object.extras = nil
    object.flags = [.deleted, .inaccessible]
  }

  /// Takes unsaved links to a row away that is gone.
  private func clearUnsavedLinks(to object: ManagedObject) {
    for home in self.allHomes where home.changedCount > 0 {
      let slots = home.entity.relationships.compactMap(\.slot)
      for other in home.changedObjects {
        for slot in slots
        where other.standing >= 0 && home.edits.isWritten(other.standing, slot)
          && home.edits.destination(other.standing, slot) == object.objectID
        {
          home.edits.setNull(other.standing, slot)
        }
        for list in other.extras?.toMany ?? [] { list.withdraw(object) }
      }
    }
  }

  /// Deletes a row that others changed, with the links that it has now.
  func delete(_ object: ManagedObject, asStored row: Snapshot) throws {
    if object.standing >= 0 { object.dropEdits(standing: ManagedObject.plain) }
    for list in object.extras?.toMany ?? [] { list.dropPending() }
    self.refresh(object, from: row)
    if object.isDeleted {
      self.followAgain(object)
    } else {
      self.delete(object)
    }
    try self.processPendingChanges()
  }

  /// Takes a delete back, and what followed from it: objects deleted with this one, and links to it that were cleared.
  ///
  /// What a rule deletes together comes back together, so also the objects whose deletion brought this one's. An object
  /// that was deleted for its own sake, or with one that stays deleted, stays deleted.
  func revive(_ object: ManagedObject) throws {
    object.flags.subtract([.deleted, .propagated, .chosen, .followedAgain])
    self.undone.removeAll { $0 === object }
    for owner in self.cascades.removeValue(forKey: ObjectIdentifier(object)) ?? [] where owner.canRevive {
      try self.revive(owner)
      owner.forgetEmptyChanges()
    }
    for relationship in object.entity.relationships where !relationship.isTransient {
      let destinations: [ManagedObject]
      switch relationship.description.deleteRule {
      case .noAction, .deny: continue
      case .cascade:
        destinations = try self.destinations(of: object, relationship)
        for other in destinations where other.canRevive && self.isFree(other, of: object) {
          try self.revive(other)
          other.forgetEmptyChanges()
        }
      case .nullify:
        destinations = try self.destinations(of: object, relationship)
      }
      guard let inverse = object.inverse(of: relationship) else { continue }
      for other in destinations where !other.isDeleted { other.restore(inverse, to: object) }
    }
  }

  /// Whether an object was deleted with another one and nothing else.
  private func isFree(_ object: ManagedObject, of owner: ManagedObject) -> Bool {
    let key = ObjectIdentifier(object)
    self.cascades[key]?.removeAll { $0 === owner }
    return !object.flags.contains(.chosen) && self.cascades[key]?.isEmpty ?? true
  }

  /// Clears the to-ones of an object that came back and that lead to objects that did not.
  func clearLinksToDeleted(of object: ManagedObject) throws {
    for relationship in object.entity.relationships
    where relationship.slot != nil && relationship.inverse != nil {
      if let other = try object.toOne(relationship), other.isDeleted, !other.isInserted {
        try object.putToOne(relationship, nil)
      }
    }
  }

  /// Inserts a row again that others deleted, under its old identifier.
  ///
  /// Links to it that the deletion took away stay away; those that it has itself lead to rows that are there.
  func putBack(_ object: ManagedObject, _ values: [String: Value]) throws {
    if object.isDeleted { try self.revive(object) }
    for column in object.entity.layout.columns {
      object.put(object.entity.normalized(values[column.name], column) ?? .null, column)
    }
    object.flags.insert(.inserted)
    object.flags.remove(.updated)
    object.home.addChanged(object)
    for list in object.extras?.toMany ?? [] { list.adopt(base: []) }
    let links = object.entity.relationships.compactMap { relationship in
      object.destinationID(relationship).flatMap { $0.isTemporary ? nil : (relationship, $0) }
    }
    let rows = try self.reading { try $0.rows(for: links.map(\.1)) }
    for ((relationship, id), row) in zip(links, rows) {
      guard let row else {
        try object.putToOne(relationship, nil)
        continue
      }
      guard let inverse = object.inverse(of: relationship), !inverse.isToMany else { continue }
      let other = self.object(with: id)
      if !other.hasChanges { self.refresh(other, from: row) }
      if try other.toOne(inverse) !== object { try other.putToOne(inverse, object) }
    }
  }
}

extension ManagedObject {
  /// Whether there is a delete to take back.
  fileprivate final var canRevive: Bool { self.isDeleted && !self.isInserted && self.snapshot != nil }

  /// Leads back to an object whose delete was taken back, unless the link was set elsewhere since.
  fileprivate final func restore(_ inverse: Relationship, to object: ManagedObject) {
    if inverse.isToMany {
      self.edit(inverse) { $0.recordAdd(object) }
      return
    }
    guard let slot = inverse.slot, self.standing >= 0, self.home.edits.isWritten(self.standing, slot),
      self.home.edits.isNull(self.standing, slot),
      let (reference, _) = self.snapshot?.destination(slot), reference == object.objectID.reference
    else { return }
    self.home.edits.unset(self.standing, slot)
    self.home.edits.unset(self.standing, slot + 1)
    self.forgetEmptyChanges()
  }
}
