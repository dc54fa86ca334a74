import FederatedModel

/// Links of one object that are not taken back, because what they led to is deleted.
struct SeveredLinks {
  var toOnes: [Relationship] = []
  var members: [(relationship: Relationship, members: [ManagedObject])] = []
}

/// Taking back the unsaved links of one object, with their other ends.
///
/// A link is the edit of two objects. Dropping one half would leave the other pending: a list with a member that
/// does not lead back, and is not saved.
extension ManagedObject {
  /// Makes every link with an inverse what is saved of it. The object's own edits are dropped afterwards.
  /// - Returns: the links whose saved destinations are deleted by now: they have to stay edited.
  final func takeBackLinks() throws -> SeveredLinks {
    var severed = SeveredLinks()
    for relationship in self.entity.relationships where !relationship.isTransient {
      if relationship.slot != nil {
        try self.takeBackToOne(relationship, &severed)
      } else if let inverse = self.inverse(of: relationship) {
        try self.takeBackList(relationship, inverse)
      } else {
        try self.findDeletedMembers(relationship, &severed)
      }
    }
    return severed
  }

  /// Clears what leads to deleted objects, once the edits are dropped.
  final func sever(_ links: SeveredLinks) throws {
    for relationship in links.toOnes { try self.putToOne(relationship, nil) }
    for (relationship, members) in links.members {
      let list = self.ensureToManyList(relationship)
      for member in members where list.recordRemove(member) { self.markChanged() }
    }
  }

  private func takeBackToOne(_ relationship: Relationship, _ severed: inout SeveredLinks) throws {
    guard let slot = relationship.slot, self.standing >= 0, self.home.edits.isWritten(self.standing, slot)
    else { return }
    let (destination, isSevered) = try self.savedDestination(relationship)
    if isSevered { severed.toOnes.append(relationship) }
    // Without an inverse nobody else has a half of the link: it goes with the object's own edits.
    guard self.inverse(of: relationship) != nil, try self.toOne(relationship) !== destination else { return }
    try self.setToOne(relationship, to: destination)
  }

  /// Members of a list without an inverse are taken out by its owner alone. With one, each tells by itself that it
  /// has left when the list is read again.
  private func findDeletedMembers(_ relationship: Relationship, _ severed: inout SeveredLinks) throws {
    guard let list = self.extras?.toMany.first(where: { $0.relationship === relationship }), list.hasPending
    else { return }
    let base = relationship.isOrdered ? try list.firedBase(of: self) : []
    let deleted = list.differences(base: base).removed.filter(\.isDeleted)
    if !deleted.isEmpty { severed.members.append((relationship, deleted)) }
  }

  private func takeBackList(_ relationship: Relationship, _ inverse: Relationship) throws {
    guard let list = self.extras?.toMany.first(where: { $0.relationship === relationship }), list.hasPending
    else { return }
    let base = try list.firedBase(of: self)
    let visible = try list.visible(of: self)
    let (before, after) = (Set(base), Set(visible))
    for member in visible where !before.contains(member) {
      if inverse.isToMany {
        try self.removeFromMany(relationship, member)
      } else {
        try member.setToOne(inverse, to: try member.savedDestination(inverse).destination)
      }
    }
    for member in base
    where !after.contains(member) && !member.isDeleted && member.home.context === self.home.context {
      if inverse.isToMany {
        try self.addToMany(relationship, member)
      } else {
        try member.setToOne(inverse, to: try member.savedDestination(inverse).destination)
      }
    }
  }

  /// Whether an unsaved edit of this object leads elsewhere than a list that its row is in.
  final func hasLeft(_ owner: ManagedObject, _ inverse: Relationship) -> Bool {
    if self.isDeleted { return self.flags.contains(.propagated) }
    guard let slot = inverse.slot, self.standing >= 0, self.home.edits.isWritten(self.standing, slot) else {
      return false
    }
    guard let id = self.home.edits.destination(self.standing, slot) else { return true }
    return self.home.context?.registeredObject(for: id) !== owner
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
