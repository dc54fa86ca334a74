import FederatedModel

extension ManagedObjectContext {
  /// Brings an object to what was decided about its row.
  /// - Parameter row: as stored now; nil when it is gone.
  func apply(_ resolution: MergeResolution, to object: ManagedObject, over row: Snapshot?) throws {
    switch (resolution.isDeleted, row) {
    case (true, nil): try self.acceptDeletion(of: object)
    case (true, let row?): try self.delete(object, asStored: row)
    case (false, nil): try self.putBack(object, resolution.values)
    case (false, let row?):
      let comesBack = object.isDeleted
      if comesBack { try self.revive(object) }
      if !resolution.keepsLinks { try self.takeBackLinks(of: object) }
      try self.merge(resolution.values, into: object, over: row)
      if comesBack { try self.clearLinksToDeleted(of: object) }
    }
  }

  /// Makes the row the object's base. What the object is to hold beside it stands as edits.
  private func merge(_ values: [String: Value], into object: ManagedObject, over row: Snapshot) throws {
    var moves: [LinkMove] = []
    for column in object.entity.layout.columns {
      let stored = row.value(column.slot, column.kind, store: object.objectID.store)
      let wanted = object.entity.normalized(values[column.name], column) ?? stored
      if column.kind == .reference { moves += object.move(column, from: stored, to: wanted) }
      if wanted == stored {
        object.takeBack(column)
      } else if wanted != object.valueAtHand(column) || object.standing < 0
        || !object.home.edits.isWritten(object.standing, column.slot)
      {
        object.put(wanted, column)
      }
    }
    if object.standing == ManagedObject.fault { object.standing = ManagedObject.plain }
    self.refresh(object, from: row)
    for move in moves { try self.follow(move, of: object) }
    object.forgetEmptyChanges()
  }

  // MARK: The other ends of to-one links

  /// Objects that are at hand follow a to-one that a policy moved; others read their rows later.
  private func follow(_ move: LinkMove, of object: ManagedObject) throws {
    guard let inverse = object.inverse(of: move.relationship) else { return }
    for id in move.left {
      guard let other = self.registeredObject(for: id) else { continue }
      if inverse.isToMany {
        other.edit(inverse) { $0.recordRemove(object) }
      } else if !other.hasChanges {
        other.turnIntoFault()
      } else if try other.toOne(inverse) === object {
        try other.putToOne(inverse, nil)
      }
    }
    if let id = move.held, !inverse.isToMany {
      // Others wrote the link at this end too.
      let other = self.object(with: id)
      if !other.hasChanges { other.turnIntoFault() }
      try self.unlink(other, inverse, from: object)
    }
    guard let id = move.arrived else { return }
    if inverse.isToMany {
      self.registeredObject(for: id)?.edit(inverse) { $0.recordAdd(object) }
    } else if let other = move.isWritten ? self.object(with: id) : self.registeredObject(for: id) {
      try self.link(other, inverse, to: object, move)
    }
  }

  /// The other end of a one-to-one takes hold of an object, and whoever else held that end lets go of it.
  private func link(
    _ other: ManagedObject, _ inverse: Relationship, to object: ManagedObject, _ move: LinkMove
  ) throws {
    if !other.hasChanges {
      other.turnIntoFault()
      // Its row has the link already.
      if !move.isWritten { return }
    }
    do {
      let partner = try other.toOne(inverse)
      if partner === object { return }
      if let partner, !partner.hasChanges { partner.turnIntoFault() }
      try other.linkInverse(inverse, to: object, from: move.relationship)
    } catch let error as ManagedObjectError where error.code == .inaccessibleFault {
      // A row that others deleted: the store tells of the link to it.
      return
    }
  }

  /// Forgets what was added to and removed from an object's lists, at both ends.
  ///
  /// Where the other end is a to-one, the link is a value of the member, about which its own row decides.
  private func takeBackLinks(of object: ManagedObject) throws {
    for list in object.extras?.toMany ?? [] where list.hasPending {
      guard let inverse = object.inverse(of: list.relationship) else {
        list.dropPending()
        continue
      }
      let (added, removed) = list.differences(base: try list.firedBase(of: object))
      guard inverse.isToMany else {
        list.forgetOrder(added: added, removed: removed)
        continue
      }
      for member in added { member.edit(inverse) { $0.recordRemove(object) } }
      for member in removed { member.edit(inverse) { $0.recordAdd(object) } }
      list.dropPending()
    }
  }
}

/// A to-one that leads elsewhere than it was read or set to.
struct LinkMove {
  let relationship: Relationship
  /// Where it led.
  let left: Set<ManagedObjectID>
  /// Where others led it, if that does not hold.
  let held: ManagedObjectID?
  let arrived: ManagedObjectID?
  /// Whether the save writes it: the row leads elsewhere.
  let isWritten: Bool
}

extension ManagedObject {
  fileprivate final func move(_ column: RowLayout.Column, from stored: Value, to wanted: Value) -> [LinkMove]
  {
    guard let relationship = self.entity.relationship(named: column.name), relationship.inverse != nil else {
      return []
    }
    let read = self.snapshot?.value(column.slot, column.kind, store: self.objectID.store) ?? .null
    var left: Set<ManagedObjectID> = []
    for value in [read, self.valueAtHand(column)] where value != wanted {
      if case .object(let id) = value { left.insert(id) }
    }
    if left.isEmpty && read == wanted && stored == wanted && self.valueAtHand(column) == wanted { return [] }
    var arrived: ManagedObjectID?
    if case .object(let id) = wanted { arrived = id }
    var held: ManagedObjectID?
    if case .object(let id) = stored, stored != wanted { held = id }
    return [
      LinkMove(
        relationship: relationship, left: left, held: held, arrived: arrived, isWritten: stored != wanted)
    ]
  }

  /// Edits a list if the object has one; one that was never asked for is read from the store as it is.
  final func edit(_ relationship: Relationship, _ body: (ToManyList) -> Bool) {
    guard let list = self.extras?.toMany.first(where: { $0.relationship === relationship }) else { return }
    if body(list) { self.markChanged() }
  }

  /// Writes a value of the column's kind, without upkeep.
  final func put(_ value: Value, _ column: RowLayout.Column) {
    if self.standing < 0 { self.standing = self.home.edits.newRow(complete: false) }
    self.markChanged()
    guard self.home.edits.set(value, self.standing, column.slot, column.kind) else {
      preconditionFailure("a checked value fits its column")
    }
  }

  /// The column holds what the row holds.
  final func takeBack(_ column: RowLayout.Column) {
    guard self.standing >= 0 else { return }
    self.home.edits.unset(self.standing, column.slot)
    if column.kind == .reference { self.home.edits.unset(self.standing, column.slot + 1) }
  }

  /// An object with nothing left to save counts as unchanged.
  final func forgetEmptyChanges() {
    if self.standing >= 0, !self.home.edits.hasWritten(self.standing) {
      self.dropEdits(standing: ManagedObject.plain)
    }
    guard self.standing < 0, self.flags.isDisjoint(with: [.inserted, .deleted]),
      self.extras?.transients.isEmpty ?? true, !(self.extras?.toMany.contains(where: \.hasPending) ?? false)
    else { return }
    self.flags.remove(.updated)
    self.home.removeChanged(self)
  }
}

extension Entity {
  /// A value in the form that the column holds; nil for nil.
  func normalized(_ value: Value?, _ column: RowLayout.Column) -> Value? {
    guard let value, let attribute = self.attribute(named: column.name) else { return value }
    return attribute.type.normalized(value)
  }
}
