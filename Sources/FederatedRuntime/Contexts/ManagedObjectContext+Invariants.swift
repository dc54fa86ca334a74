import FederatedModel

/// What holds between any two calls, whatever the objects are: looked at by tests after every change.
///
/// Nothing here reads a fault or a list, so looking changes nothing.
extension ManagedObjectContext {
  /// What does not hold, in words; empty for a sound graph.
  package func brokenInvariants() -> [String] {
    var broken: [String] = []
    for home in self.allHomes {
      let objects = home.table.objects
      home.checkRegistration(of: objects, in: self, &broken)
      home.checkChanges(of: objects, &broken)
      for object in objects { object.checkLinks(&broken) }
    }
    return broken
  }
}

extension ObjectHome {
  /// One object for each identifier, found under it.
  fileprivate func checkRegistration(
    of objects: [ManagedObject], in context: ManagedObjectContext, _ broken: inout [String]
  ) {
    for object in objects {
      let id = object.objectID
      if object.home !== self { broken.append("\(object.label) is registered where it does not belong") }
      if self.table.object(id.reference, in: id.store) !== object {
        broken.append("\(object.label) is not found under its identifier")
      }
      if context.registeredObject(for: id) !== object { broken.append("\(object.label) has a double") }
    }
    if self.table.count != objects.count { broken.append("\(self.entity.name): the count is off") }
  }

  /// An object is pending exactly when its flags say so, and unsaved values belong to one object each.
  fileprivate func checkChanges(of objects: [ManagedObject], _ broken: inout [String]) {
    let pending = self.changedObjects
    if pending.count != self.changedCount {
      broken.append("\(self.entity.name): pending objects are miscounted")
    }
    for (place, object) in self.changed.enumerated() {
      guard let object else { continue }
      if Int(object.changedPlace) != place { broken.append("\(object.label) has lost its place") }
      if object.flags.isDisjoint(with: [.inserted, .updated, .deleted]) {
        broken.append("\(object.label) is pending without a change")
      }
    }
    for object in objects {
      let isMarked = !object.flags.isDisjoint(with: [.inserted, .updated])
      if isMarked, object.changedPlace < 0 { broken.append("\(object.label) is changed and not pending") }
      if object.isInserted, object.standing < 0 { broken.append("\(object.label) is new and has no values") }
      if object.changedPlace < 0, object.extras?.toMany.contains(where: \.hasPending) == true {
        broken.append("\(object.label) has unsaved members and is not pending")
      }
    }
    let rows = objects.map(\.standing).filter { $0 >= 0 }
    if Set(rows).count != rows.count {
      broken.append("\(self.entity.name): two objects share unsaved values")
    }
    if rows.count != self.edits.usedCount { broken.append("\(self.entity.name): unsaved values of nobody") }
  }
}

extension ManagedObject {
  fileprivate final var label: String { "\(self.entity.name) \(self.objectID.reference)" }

  /// Each unsaved link has its other end.
  fileprivate final func checkLinks(_ broken: inout [String]) {
    if self.isDeleted || self.changedPlace < 0 { return }
    for relationship in self.entity.relationships where !relationship.isTransient {
      guard let inverse = self.inverse(of: relationship) else { continue }
      if relationship.isToMany {
        self.checkList(relationship, inverse, &broken)
      } else {
        self.checkToOne(relationship, inverse, &broken)
      }
    }
  }

  private func checkList(_ relationship: Relationship, _ inverse: Relationship, _ broken: inout [String]) {
    guard let list = self.extras?.toMany.first(where: { $0.relationship === relationship }) else { return }
    let members = list.visibleIfKnown
    if Set(members).count != members.count { broken.append("\(self.label).\(relationship.name) has doubles") }
    for member in list.order ?? list.added where member.holds(self, in: inverse) == false {
      broken.append("\(self.label).\(relationship.name) leads to \(member.label), and not back")
    }
    let left = Set(members)
    for member in list.removed where !left.contains(member) && member.addsUnsaved(self, in: inverse) {
      broken.append("\(self.label).\(relationship.name) let go of \(member.label), which leads back")
    }
  }

  private func checkToOne(_ relationship: Relationship, _ inverse: Relationship, _ broken: inout [String]) {
    guard let slot = relationship.slot, self.standing >= 0, self.home.edits.isWritten(self.standing, slot),
      let id = self.home.edits.destination(self.standing, slot),
      let other = self.context?.registeredObject(for: id), other.holds(self, in: inverse) == false
    else { return }
    broken.append("\(self.label).\(relationship.name) leads to \(other.label), and not back")
  }

  /// Whether a link leads to an object, as far as is known; nil when it is not.
  private func holds(_ object: ManagedObject, in relationship: Relationship) -> Bool? {
    if self.isDeleted { return nil }
    guard relationship.isToMany else {
      if self.standing == ManagedObject.fault, self.snapshot == nil { return nil }
      return self.leads(self.destinationID(relationship), to: object)
    }
    guard let list = self.extras?.toMany.first(where: { $0.relationship === relationship }) else {
      return nil
    }
    if list.visibleIfKnown.contains(where: { $0 === object }) { return true }
    return list.isFired || list.removed.contains { $0 === object } ? false : nil
  }

  /// Whether an unsaved edit of this object leads to another.
  private func addsUnsaved(_ object: ManagedObject, in relationship: Relationship) -> Bool {
    if self.isDeleted { return false }
    guard relationship.isToMany else {
      guard let slot = relationship.slot, self.standing >= 0, self.home.edits.isWritten(self.standing, slot)
      else { return false }
      return self.leads(self.home.edits.destination(self.standing, slot), to: object)
    }
    guard let list = self.extras?.toMany.first(where: { $0.relationship === relationship }) else {
      return false
    }
    return list.added.contains { $0 === object }
  }

  /// An unsaved link may hold the temporary identifier of an object that has a permanent one by now.
  private func leads(_ id: ManagedObjectID?, to object: ManagedObject) -> Bool {
    id.flatMap { self.context?.registeredObject(for: $0) } === object
  }
}
