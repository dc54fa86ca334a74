import FederatedModel
import FederatedStore

/// What a policy decides about objects that share unique values: as if they were saved one after the other.
extension ManagedObjectContext {
  func resolve(
    _ duplicates: [ConflictingRows.Duplicates], by policy: MergePolicy, _ assembly: ChangeSetAssembly
  ) throws {
    let groups = try self.groups(of: duplicates, assembly)
    let refused = groups.compactMap { $0.refusal(by: policy) }
    if !refused.isEmpty { throw SaveError.constraintConflicts(refused) }
    for group in groups {
      // An object that left for another constraint's sake is looked at again in the next round.
      for object in group.losers where object.home.context === self {
        if !object.isInserted {
          try self.giveUpUniqueValues(of: object, group, policy)
        } else if policy.storeWins {
          try self.absorb(object, into: self.object(with: group.survivor), takingValues: false)
        } else if let holder = self.registeredObject(for: group.survivor) {
          if let row = group.row, !holder.hasChanges { self.refresh(holder, from: row) }
          try self.absorb(object, into: holder, takingValues: true)
        } else if let row = group.row {
          try self.identify(object, with: group.survivor, row)
        }
      }
    }
  }

  private func groups(
    of duplicates: [ConflictingRows.Duplicates], _ assembly: ChangeSetAssembly
  ) throws -> [SharedValues] {
    var objects: [ManagedObjectID: ManagedObject] = [:]
    for written in assembly.written {
      for (number, object) in written.objects.enumerated() {
        let row = written.rows[number]
        objects[ManagedObjectID(store: written.store, entity: row.entity, reference: row.reference)] = object
      }
    }
    let unknown = duplicates.flatMap { duplicate in
      duplicate.rows.rows.map {
        ManagedObjectID(store: duplicate.store, entity: $0.entity, reference: $0.reference)
      }
    }.filter { objects[$0] == nil }
    var stored: [ManagedObjectID: Snapshot] = [:]
    if !unknown.isEmpty {
      for (id, row) in zip(unknown, try self.reading { try $0.rows(for: unknown) }) { stored[id] = row }
    }
    return duplicates.compactMap { duplicate in
      let name = self.coordinator.store(duplicate.store)?.description.name ?? ""
      return SharedValues(duplicate.rows, in: (duplicate.store, name), model: self.model, objects, stored)
    }
  }

  /// A saved object goes back to the values that it had.
  private func giveUpUniqueValues(of object: ManagedObject, _ group: SharedValues, _ policy: MergePolicy)
    throws
  {
    if case .rollback = policy, let row = object.snapshot {
      return try self.apply(MergeResolution(values: [:], keepsLinks: false), to: object, over: row)
    }
    for column in object.entity.layout.columns where group.attributes.contains(column.name) {
      object.takeBack(column)
    }
    object.forgetEmptyChanges()
  }

  // MARK: Upsert

  /// A new object becomes a row that is there: its attributes and links land in it.
  ///
  /// A link that the object does not have stays as the row has it. Members of the row's lists stay in them.
  private func identify(_ object: ManagedObject, with id: ManagedObjectID, _ row: Snapshot) throws {
    self.replacedIDs[object.objectID] = id
    self.assignments[ObjectIdentifier(object)] = nil
    self.rekey(object, to: id)
    object.snapshot = row
    object.flags.remove(.inserted)
    object.flags.insert(.updated)
    for list in object.extras?.toMany ?? [] {
      list.forgetOrder(added: list.visibleIfKnown, removed: [])
      list.forgetBase()
    }
    for relationship in object.entity.relationships {
      guard let slot = relationship.slot, let column = object.entity.layout.column(named: relationship.name)
      else { continue }
      guard let destination = try object.toOne(relationship) else {
        object.takeBack(column)
        continue
      }
      guard let inverse = object.inverse(of: relationship), let (reference, entity) = row.destination(slot)
      else { continue }
      let old = self.object(with: ManagedObjectID(store: id.store, entity: entity, reference: reference))
      if old !== destination { try old.unlinkInverse(inverse, from: object) }
    }
  }

  /// A new object gives way to one that stays: the members of its lists go to the other, its values too where they
  /// win. It leaves the context; its identifier tells from then on who took its place.
  private func absorb(_ object: ManagedObject, into holder: ManagedObject, takingValues: Bool) throws {
    if takingValues {
      try holder.fire()
      for column in object.entity.layout.columns where column.kind != .reference {
        holder.put(object.valueAtHand(column), column)
      }
      for relationship in object.entity.relationships where !relationship.isToMany {
        guard let destination = try object.toOne(relationship) else { continue }
        try object.setToOne(relationship, to: nil)
        try holder.setToOne(relationship, to: destination === object ? holder : destination)
      }
    }
    for relationship in object.entity.relationships {
      guard relationship.isToMany else {
        try object.setToOne(relationship, to: nil)
        continue
      }
      let isShared = holder.entity.relationships.contains { $0 === relationship }
      for member in try object.toMany(relationship) {
        try object.removeFromMany(relationship, member)
        guard isShared, member !== holder else { continue }
        try holder.addToMany(relationship, member === object ? holder : member)
      }
    }
    for other in self.changedObjects {
      for list in other.extras?.toMany ?? [] where list.relationship.inverse == nil {
        list.replace(object, by: holder)
      }
    }
    self.replacedIDs[object.objectID] = holder.objectID
    self.expel(object)
    object.objectID = holder.objectID
  }
}
