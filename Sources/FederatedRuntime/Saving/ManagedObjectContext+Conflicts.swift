import FederatedModel
import FederatedStore

/// An object whose row others changed, with the row as it is now; nil when it is gone.
struct ConflictedObject {
  let object: ManagedObject
  let row: Snapshot?
  let conflict: MergeConflict
}

extension ManagedObjectContext {
  /// How often a save merges and tries again: others may go on changing the same rows.
  static let mergeRounds = 32

  /// Has the next save look at an object that this context does not change: when others changed or deleted its row
  /// since it was read, that is a conflict, as if it had been changed here.
  ///
  /// For a decision that was made from what the object holds. A fault is read first.
  /// - Throws: ``ManagedObjectError`` when the object is of another context, or its row is gone; else what its store
  ///   threw.
  public func detectConflicts(for object: ManagedObject) throws {
    guard object.home.context === self else { throw ManagedObjectError.noContext(object) }
    if object.isInserted { return }
    try object.fire()
    if !self.watched.contains(where: { $0 === object }) { self.watched.append(object) }
  }

  /// Lets a policy decide about everything that stands in the way of a save, so that it can be tried again.
  ///
  /// Rows that others changed come first: what they hold now decides whether unique values are still shared.
  /// - Throws: ``SaveError`` when the policy refuses, or what it decided breaks a rule of the model; what a custom
  ///   policy throws. Nothing was written then.
  func resolve(_ conflicts: ConflictingRows, by policy: MergePolicy, _ assembly: ChangeSetAssembly) throws {
    if conflicts.changed.isEmpty {
      try self.resolve(conflicts.duplicates, by: policy.forConstraints, assembly)
    } else {
      try self.resolve(self.conflicted(conflicts.changed), by: policy)
    }
    try self.processPendingChanges()
    try self.loadDeletedRows()
    try self.validate()
  }

  private func resolve(_ conflicted: [ConflictedObject], by policy: MergePolicy) throws {
    if case .error = policy { throw SaveError.conflicts(conflicted.map(\.conflict)) }
    // Every decision is made and checked before the first object changes.
    let resolutions = try conflicted.map { try $0.conflict.resolution(by: policy) }
    for (one, resolution) in zip(conflicted, resolutions) { try self.check(resolution, for: one.object) }
    for (one, resolution) in zip(conflicted, resolutions) {
      try self.apply(resolution, to: one.object, over: one.row)
    }
  }

  /// The objects of rows, with what is stored now.
  private func conflicted(_ identifiers: [ManagedObjectID]) throws -> [ConflictedObject] {
    var seen: Set<ManagedObjectID> = []
    let identifiers = identifiers.filter { seen.insert($0).inserted }
    let rows = try self.reading { try $0.rows(for: identifiers) }
    return zip(identifiers, rows).map { identifier, row in
      let object = self.object(with: identifier)
      return ConflictedObject(object: object, row: row, conflict: self.conflict(of: object, with: row))
    }
  }

  private func conflict(of object: ManagedObject, with row: Snapshot?) -> MergeConflict {
    let store = object.objectID.store
    var (read, mine, stored): ([String: Value], [String: Value], [String: Value]) = ([:], [:], [:])
    var fields: [MergeConflict.Field] = []
    for column in object.entity.layout.columns {
      let base = object.snapshot?.value(column.slot, column.kind, store: store) ?? .null
      let own = object.valueAtHand(column)
      let other = row?.value(column.slot, column.kind, store: store)
      if object.snapshot != nil { read[column.name] = base }
      if object.snapshot != nil || object.standing >= 0 { mine[column.name] = own }
      stored[column.name] = other
      guard own != base || (other != nil && object.snapshot != nil && other != base) else { continue }
      fields.append(.init(name: column.name, read: base, mine: own, stored: other ?? .null))
    }
    let change: ObjectChange? = object.isDeleted ? .delete : object.hasChanges ? .update : nil
    return MergeConflict(
      object: object.objectID, entity: object.entity.name,
      store: self.coordinator.store(store)?.description.name ?? "",
      change: change, oldVersion: object.snapshot?.version ?? 0, newVersion: row?.version ?? 0,
      objectSnapshot: read, values: mine, storedSnapshot: row.map { _ in stored }, fields: fields)
  }

  /// Refuses what a custom policy answers that an object cannot hold.
  private func check(_ resolution: MergeResolution, for object: ManagedObject) throws {
    for (name, value) in resolution.values {
      guard object.entity.layout.column(named: name) != nil else {
        throw ManagedObjectError.unknownProperty(name, of: object.entity)
      }
      let fits: Bool
      if let attribute = object.entity.attribute(named: name) {
        fits = attribute.type.normalized(value) != nil
      } else if case .object(let id) = value, let relationship = object.entity.relationship(named: name) {
        fits = self.model[relationship.destination].family.contains(id.entity)
      } else {
        fits = value.isNull
      }
      guard fits else {
        throw ManagedObjectError(
          .wrongType, entity: object.entity.name, property: name, object: object.objectID,
          "the merge policy answered \(value), which the property cannot hold")
      }
    }
  }
}

extension ManagedObject {
  /// The value of a column, edits included, without firing.
  final func valueAtHand(_ column: RowLayout.Column) -> Value {
    if self.standing >= 0, self.home.edits.isWritten(self.standing, column.slot) {
      return self.home.edits.value(self.standing, column.slot, column.kind)
    }
    return self.snapshot?.value(column.slot, column.kind, store: self.objectID.store) ?? .null
  }
}
