import FederatedModel
public import FederatedStore

extension ManagedObjectContext {
  /// Makes a new object of an entity, with the model's defaults.
  /// - Throws: ``ManagedObjectError`` for an unknown or abstract entity.
  @discardableResult public func insert(_ entityName: String) throws -> ManagedObject {
    guard let entity = self.model.entity(named: entityName) else {
      throw ManagedObjectError.unknownEntity(entityName, in: self.model)
    }
    guard !entity.isAbstract else {
      throw ManagedObjectError(
        .abstractEntity, entity: entityName,
        "an abstract entity has no objects of its own; insert a subentity")
    }
    return self.insert(into: self.home(entity.id))
  }

  func insert(into home: ObjectHome) -> ManagedObject {
    let object = home.type.init(
      ObjectSeed(home: home, objectID: .temporary(home.entity.id), snapshot: nil))
    self.register(object, in: home)
    object.flags = .inserted
    object.standing = home.edits.newRow(complete: true)
    home.addChanged(object)
    for attribute in home.defaults {
      guard let slot = attribute.slot, let kind = attribute.type.slotKind else { continue }
      // The model refuses defaults of another type.
      _ = home.edits.set(
        attribute.type.normalized(attribute.description.defaultValue) ?? .null, object.standing, slot, kind)
    }
    object.awakeFromInsert()
    return object
  }

  /// Deletes an object at the next save; its relationships' delete rules are followed by
  /// ``processPendingChanges()``. An object that was never saved is forgotten then.
  public func delete(_ object: ManagedObject) {
    precondition(object.home.context === self, "the object belongs to another context, or to none")
    self.markDeleted(object)
    if object.isDeleted { object.flags.insert(.chosen) }
  }

  /// Deletes an object, for its own sake or because a rule says so.
  func markDeleted(_ object: ManagedObject) {
    if object.flags.contains(.preparing) { return }
    object.flags.insert(.preparing)
    object.prepareForDeletion()
    object.flags.remove(.preparing)
    if object.isDeleted || object.home.context !== self { return }
    object.flags.insert(.deleted)
    object.home.addChanged(object)
    self.undone.append(object)
  }

  /// Chooses the store that a new object is saved to. Without a choice it goes to the store of what it is linked
  /// to, else to the first writable store that holds its entity.
  /// - Throws: ``CoordinatorError`` when the object is saved already, or the store's configuration lacks its entity.
  public func assign(_ object: ManagedObject, to store: any PersistentStore) throws {
    try self.assign(object, to: store.id)
  }

  /// Chooses the store by its name.
  public func assign(_ object: ManagedObject, toStoreNamed name: String) throws {
    guard let store = self.coordinator.store(named: name) else {
      throw CoordinatorError(
        .unknownStore, store: name, entity: object.entity.name, "no attached store has this name")
    }
    try self.assign(object, to: store.id)
  }

  private func assign(_ object: ManagedObject, to store: StoreID) throws {
    guard object.home.context === self else { throw ManagedObjectError.noContext(object) }
    try self.coordinator.router.checkAssignment(of: object.objectID, to: store)
    self.assignments[ObjectIdentifier(object)] = store
  }

  /// Forgets every object, saved or not. All of them are without a context from here on.
  public func reset() {
    self.recent.removeAll()
    self.undone = []
    self.cascades = [:]
    self.watched = []
    self.assignments = [:]
    self.replacedIDs = [:]
    self.scope.end()
    let held = self.registeredObjects
    self.leaveAll()
    for object in held {
      object.snapshot = nil
      object.dropEdits(standing: ManagedObject.fault)
      object.extras = nil
      object.flags = []
      object.changedPlace = -1
    }
  }
}
