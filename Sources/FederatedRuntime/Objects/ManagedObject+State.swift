public import FederatedModel

extension ManagedObject {
  /// The object's concrete entity, never an ancestor.
  public final var entity: Entity { self.home.entity }

  /// Nil once the context is gone, was reset, or has saved the object's deletion.
  public final var context: ManagedObjectContext? { self.home.context }

  /// Whether no value was read since the object was fetched or last refreshed.
  public final var isFault: Bool { self.standing == ManagedObject.fault }
  /// Whether the object was never saved.
  public final var isInserted: Bool { self.flags.contains(.inserted) }
  /// Whether the object is saved and has edits that are not.
  public final var isUpdated: Bool {
    self.flags.contains(.updated) && !self.flags.contains(.inserted) && !self.flags.contains(.deleted)
  }
  /// Whether the object is to be deleted by the next save, or its row was found to be gone.
  public final var isDeleted: Bool { self.flags.contains(.deleted) }
  /// Whether anything was set since the last save, even to an equal value.
  public final var hasChanges: Bool { self.changedPlace >= 0 }

  /// Whether the next save would write something else than what is stored.
  public final var hasPersistentChangedValues: Bool {
    if !self.flags.isDisjoint(with: [.inserted, .deleted]) { return true }
    return !self.changedPersistentNames().isEmpty
  }

  /// New values since the last fetch or save, by property; links as identifiers. Never fires a fault.
  public final func changedValues() -> [String: Value] {
    guard self.hasChanges else { return [:] }
    var values: [String: Value] = [:]
    if self.standing >= 0 {
      for column in self.entity.layout.columns where self.home.edits.isWritten(self.standing, column.slot) {
        if self.isInserted, self.home.edits.isNull(self.standing, column.slot) { continue }
        values[column.name] = self.home.edits.value(self.standing, column.slot, column.kind)
      }
    }
    for list in self.extras?.toMany ?? [] where list.hasPending {
      values[list.relationship.name] = .list(list.visibleIfKnown.map { .object($0.objectID) })
    }
    return values
  }

  /// Values as last fetched or saved, unaffected by edits.
  /// - Parameter keys: nil for every attribute and to-one; to-many relationships only when they are named.
  ///   Fetched properties are left out.
  public final func committedValues(forKeys keys: [String]? = nil) throws -> [String: Value] {
    if !self.isInserted, self.snapshot == nil { try self.fire() }
    var values: [String: Value] = [:]
    let wanted = keys.map(Set.init)
    for column in self.entity.layout.columns where wanted?.contains(column.name) ?? true {
      values[column.name] =
        self.snapshot?.value(column.slot, column.kind, store: self.objectID.store) ?? .null
    }
    for key in keys ?? [] {
      guard let relationship = self.entity.relationship(named: key), relationship.isToMany else { continue }
      let list = try self.toManyList(relationship)
      values[key] = .list(try list.firedBase(of: self).map { .object($0.objectID) })
    }
    return values
  }

  /// The properties whose stored form the next save would change.
  final func changedPersistentNames() -> [String] {
    var names: [String] = []
    if self.standing >= 0 {
      for column in self.entity.layout.columns where self.differs(column) { names.append(column.name) }
    }
    for list in self.extras?.toMany ?? [] where list.hasPending && !list.relationship.isTransient {
      names.append(list.relationship.name)
    }
    return names
  }

  /// Whether a written slot holds something else than the row.
  final func differs(_ column: RowLayout.Column) -> Bool {
    let edits = self.home.edits
    guard self.standing >= 0, edits.isWritten(self.standing, column.slot) else { return false }
    guard let snapshot = self.snapshot else { return true }
    let wasNull = snapshot.isNull(column.slot)
    if edits.isNull(self.standing, column.slot) != wasNull { return true }
    if wasNull { return false }
    switch column.kind {
    case .int, .bool, .double, .float, .date:
      return edits.word(self.standing, column.slot) != snapshot.word(column.slot)
    case .string, .uri, .data, .uuid:
      return edits.withBytes(edits.word(self.standing, column.slot)) { new in
        snapshot.withBytes(column.slot) { old in !new.elementsEqual(old) }
      }
    case .decimal, .reference:
      return edits.value(self.standing, column.slot, column.kind)
        != snapshot.value(column.slot, column.kind, store: self.objectID.store)
    }
  }

  // MARK: Edits

  /// A row to write into. Marks the object as changed.
  ///
  /// Fires a fault that has nothing at hand yet: what is not written must be readable beside what is.
  final func beginEdit() throws {
    if self.standing >= 0 {
      self.markChanged()
      return
    }
    if self.standing == ManagedObject.fault { try self.fire() }
    self.standing = self.home.edits.newRow(complete: false)
    self.markChanged()
  }

  final func markChanged() {
    if self.flags.contains(.awaking) { return }
    if !self.flags.isDisjoint(with: [.inserted, .updated]) { return }
    self.flags.insert(.updated)
    self.home.addChanged(self)
  }

  /// Gives back the row of edits, if there is one.
  final func dropEdits(standing: Int32) {
    if self.standing >= 0 { self.home.edits.release(self.standing) }
    self.standing = standing
  }

  /// Becomes a fault: values, lists, fetched arrays and transient values go.
  final func turnIntoFault(keepingRow: Bool = false) {
    if self.standing == ManagedObject.fault, self.extras == nil {
      if !keepingRow { self.snapshot = nil }
      return
    }
    self.willTurnIntoFault()
    self.flags.remove(.waiting)
    self.dropEdits(standing: ManagedObject.fault)
    if !keepingRow { self.snapshot = nil }
    self.extras = nil
    self.didTurnIntoFault()
  }

  // MARK: Firing

  /// Makes the row's values readable.
  /// - Throws: ``ManagedObjectError`` when there is no context, or the row is gone; else what the store threw.
  final func fire() throws {
    guard self.standing == ManagedObject.fault else { return }
    guard let context = self.home.context else { throw ManagedObjectError.noContext(self) }
    if self.flags.contains(.inaccessible) { throw ManagedObjectError.inaccessible(self) }
    if self.snapshot == nil { try context.loadRow(of: self) }
    self.standing = ManagedObject.plain
    if self.home.type != ManagedObject.self { context.awaken(self) }
  }
}
