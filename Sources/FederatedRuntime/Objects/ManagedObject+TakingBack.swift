import FederatedModel

/// Taking back the unsaved links of one object, with their other ends.
///
/// A link is the edit of two objects. Dropping one half would leave the other pending: a list with a member that
/// does not lead back, and is not saved.
extension ManagedObject {
  /// Makes every link with an inverse what is saved of it. The object's own edits are dropped afterwards.
  /// - Returns: the relationships whose saved destinations are deleted by now: they have to stay edited.
  final func takeBackLinks() throws -> [Relationship] {
    var severed: [Relationship] = []
    for relationship in self.entity.relationships where !relationship.isTransient {
      guard let inverse = self.inverse(of: relationship) else { continue }
      if !relationship.isToMany {
        let (destination, isSevered) = try self.savedDestination(relationship)
        if isSevered { severed.append(relationship) }
        if try self.toOne(relationship) !== destination { try self.setToOne(relationship, to: destination) }
      } else if try self.takeBackList(relationship, inverse) {
        severed.append(relationship)
      }
    }
    return severed
  }

  /// Clears what leads to deleted objects, once the edits are dropped.
  final func sever(_ relationships: [Relationship]) throws {
    for relationship in relationships {
      guard relationship.isToMany else {
        try self.putToOne(relationship, nil)
        continue
      }
      let list = self.ensureToManyList(relationship)
      for member in try list.firedBase(of: self) where member.flags.contains(.propagated) {
        list.recordRemove(member)
        self.markChanged()
      }
    }
  }

  private func takeBackList(_ relationship: Relationship, _ inverse: Relationship) throws -> Bool {
    guard let list = self.extras?.toMany.first(where: { $0.relationship === relationship }), list.hasPending
    else { return false }
    let base = relationship.isOrdered ? try list.firedBase(of: self) : list.base ?? []
    let (added, removed) = list.differences(base: base)
    for member in added {
      if inverse.isToMany {
        try self.removeFromMany(relationship, member)
      } else {
        try member.setToOne(inverse, to: try member.savedDestination(inverse).destination)
      }
    }
    var isSevered = false
    for member in removed {
      if member.isDeleted || member.home.context !== self.home.context {
        isSevered = true
      } else if inverse.isToMany {
        try self.addToMany(relationship, member)
      } else {
        try member.setToOne(inverse, to: try member.savedDestination(inverse).destination)
      }
    }
    return isSevered
  }

  /// Where a to-one leads as saved; nil when that is deleted by now.
  private func savedDestination(
    _ relationship: Relationship
  ) throws -> (destination: ManagedObject?, isSevered: Bool) {
    if self.isInserted { return (nil, false) }
    if self.snapshot == nil { try self.fire() }
    guard let context = self.home.context, let slot = relationship.slot,
      let (reference, entity) = self.snapshot?.destination(slot)
    else { return (nil, false) }
    let id = ManagedObjectID(store: self.objectID.store, entity: entity, reference: reference)
    let destination = context.object(with: id)
    return destination.isDeleted ? (nil, true) : (destination, false)
  }
}
