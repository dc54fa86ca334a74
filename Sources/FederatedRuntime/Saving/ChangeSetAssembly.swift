import FederatedModel
import FederatedStore

/// Turns the changed objects of a context into one change set for each store.
struct ChangeSetAssembly {
  let context: ManagedObjectContext
  let identifiers: PermanentIdentifiers
  private(set) var changes: [StoreID: ChangeSet] = [:]
  /// Objects and the rows that they have once the save has happened, in the same order.
  private(set) var written: [Written] = []
  /// Saved rows that links of this save lead to.
  private var linked: Set<ManagedObjectID> = []

  struct Written {
    let store: StoreID
    let objects: [ManagedObject]
    let rows: RowBlock
  }

  init(_ context: ManagedObjectContext, _ identifiers: PermanentIdentifiers) throws {
    self.context = context
    self.identifiers = identifiers
    for home in context.allHomes where home.changedCount > 0 {
      try self.assembleInserted(home)
      try self.assembleUpdated(home)
      self.assembleDeleted(home)
    }
    try self.assembleLinks()
    self.assembleExpectations()
  }

  /// Objects of one entity, by the store that they go to; stores in the order in which they were met.
  private func grouped(
    _ home: ObjectHome, where isWanted: (ManagedObject) -> Bool
  ) -> [(store: StoreID, objects: [ManagedObject])] {
    var groups: [(store: StoreID, objects: [ManagedObject])] = []
    for object in home.changed {
      guard let object, isWanted(object) else { continue }
      let store = self.identifiers.identifier(of: object).store
      if let last = groups.indices.last, groups[last].store == store {
        groups[last].objects.append(object)
      } else if let place = groups.firstIndex(where: { $0.store == store }) {
        groups[place].objects.append(object)
      } else {
        groups.append((store, [object]))
      }
    }
    return groups
  }

  private mutating func assembleInserted(_ home: ObjectHome) throws {
    for (store, objects) in self.grouped(home, where: { $0.isInserted && !$0.isDeleted }) {
      var rows = RowBlockBuilder(layout: home.entity.layout, capacity: objects.count)
      for object in objects {
        // A row that comes back under its identifier must not look like the one that was read before.
        let version = (object.snapshot?.version ?? 0) &+ 1
        rows.beginRow(reference: self.identifiers.identifier(of: object).reference, version: version)
        for column in home.entity.layout.columns { try self.write(column, of: object, into: &rows) }
      }
      let block = rows.finish()
      self.changes[store, default: ChangeSet()].inserted.append(block)
      self.written.append(Written(store: store, objects: objects, rows: block))
    }
  }

  private mutating func assembleUpdated(_ home: ObjectHome) throws {
    let columns = home.entity.layout.columns
    let groups = self.grouped(home) { object in
      object.isUpdated && object.standing >= 0 && columns.contains { object.differs($0) }
    }
    for (store, objects) in groups {
      var before = RowBlockBuilder(layout: home.entity.layout, capacity: objects.count)
      var after = RowBlockBuilder(layout: home.entity.layout, capacity: objects.count)
      for object in objects {
        guard let snapshot = object.snapshot else {
          preconditionFailure("a saved object that is edited has a row")
        }
        before.copyRow(snapshot, reference: snapshot.reference, version: snapshot.version)
        // A version counts as another one, whatever it is: files of others hold any number.
        after.copyRow(snapshot, reference: snapshot.reference, version: snapshot.version &+ 1)
        for column in columns where home.edits.isWritten(object.standing, column.slot) {
          try self.write(column, of: object, into: &after)
        }
      }
      let block = after.finish()
      self.changes[store, default: ChangeSet()].updated.append(
        UpdatedRows(before: before.finish(), after: block))
      self.written.append(Written(store: store, objects: objects, rows: block))
    }
  }

  /// Writes one written slot of an object's edits.
  private mutating func write(
    _ column: RowLayout.Column, of object: ManagedObject, into rows: inout RowBlockBuilder
  ) throws {
    let edits = object.home.edits
    guard column.kind == .reference else { return edits.copy(object.standing, column, into: &rows) }
    guard let destination = edits.destination(object.standing, column.slot),
      let saved = self.saved(destination)
    else { return rows.setNull(at: column.slot) }
    let own = self.identifiers.identifier(of: object)
    if saved.store != own.store {
      try self.refuse(object.entity.relationship(named: column.name), own, saved)
    }
    if !destination.isTemporary, object.isInserted || object.differs(column) { self.linked.insert(saved) }
    rows.set(reference: saved.reference, entity: saved.entity, at: column.slot)
  }

  /// What an identifier is once the save has happened; nil when its object was never saved and is gone.
  private func saved(_ id: ManagedObjectID) -> ManagedObjectID? {
    if !id.isTemporary { return id }
    guard let object = self.context.registeredObject(for: id), !object.isDeleted else { return nil }
    return self.identifiers.identifier(of: object)
  }

  private func refuse(_ relationship: Relationship?, _ own: ManagedObjectID, _ other: ManagedObjectID) throws
  {
    guard let relationship else { return }
    do {
      try self.context.coordinator.router.checkTie(relationship.id, from: own, to: other)
    } catch {
      let store = self.context.coordinator.store(own.store)?.description.name ?? ""
      throw SaveError.refused(store: store, underlying: error)
    }
  }

  private mutating func assembleDeleted(_ home: ObjectHome) {
    for (store, objects) in self.grouped(
      home, where: { $0.isDeleted && !$0.isInserted && $0.snapshot != nil })
    {
      var rows = RowBlockBuilder(layout: home.entity.layout, capacity: objects.count)
      for object in objects {
        guard let snapshot = object.snapshot else { continue }
        rows.copyRow(snapshot, reference: snapshot.reference, version: snapshot.version)
      }
      self.changes[store, default: ChangeSet()].deleted.append(rows.finish())
    }
  }

  // MARK: Links that no to-one column tells

  private mutating func assembleLinks() throws {
    guard self.context.hasExtras else { return }
    for object in self.context.changedObjects where !object.isDeleted {
      for list in object.extras?.toMany ?? []
      where list.hasPending && list.relationship.isKeptAsList(in: self.context.model) {
        try self.assemble(list, of: object)
      }
    }
  }

  private mutating func assemble(_ list: ToManyList, of object: ManagedObject) throws {
    let own = self.identifiers.identifier(of: object)
    let base = list.relationship.isOrdered ? try list.firedBase(of: object) : list.base ?? []
    let (added, removed) = list.differences(base: base)
    var change = LinkChange(
      relationship: list.relationship.id, owner: RowIdentity(entity: own.entity, reference: own.reference),
      added: try self.rows(added, list.relationship, of: own, isNew: true),
      removed: removed.filter { !$0.objectID.isTemporary }.map {
        RowIdentity(entity: $0.objectID.entity, reference: $0.objectID.reference)
      })
    if list.relationship.isOrdered {
      change.order = try self.rows(try list.visible(of: object), list.relationship, of: own)
    }
    if change.added.isEmpty && change.removed.isEmpty && change.order == nil { return }
    self.changes[own.store, default: ChangeSet()].links.append(change)
  }

  private mutating func rows(
    _ members: [ManagedObject], _ relationship: Relationship, of owner: ManagedObjectID,
    isNew: Bool = false
  ) throws -> [RowIdentity] {
    var rows: [RowIdentity] = []
    for member in members where member.home.context === self.context && !member.isDeleted {
      let id = self.identifiers.identifier(of: member)
      if id.store != owner.store { try self.refuse(relationship, owner, id) }
      if isNew, !member.objectID.isTemporary { self.linked.insert(id) }
      rows.append(RowIdentity(entity: id.entity, reference: id.reference))
    }
    return rows
  }

  // MARK: Rows that the save relies on

  /// Rows that links lead to must be there, and objects that are watched must be as they were read.
  private mutating func assembleExpectations() {
    let linked = self.linked.sorted { ($0.entity, $0.reference) < ($1.entity, $1.reference) }
    for id in linked {
      // Nobody need have a row that this save makes, or takes away.
      if let object = self.context.registeredObject(for: id), object.isInserted || object.isDeleted {
        continue
      }
      self.changes[id.store, default: ChangeSet()].expected.append(
        RowExpectation(RowIdentity(entity: id.entity, reference: id.reference)))
    }
    for object in self.context.watched where object.home.context === self.context && !object.hasChanges {
      guard let row = object.snapshot else { continue }
      self.changes[object.objectID.store, default: ChangeSet()].expected.append(
        RowExpectation(RowIdentity(entity: row.entity, reference: row.reference), version: row.version))
    }
  }
}
