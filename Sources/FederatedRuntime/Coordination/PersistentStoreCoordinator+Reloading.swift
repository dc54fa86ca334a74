import FederatedModel
public import FederatedStore

extension PersistentStoreCoordinator {
  /// Takes a store's file as it is now, after another program replaced it or wrote to it.
  ///
  /// Every context turns the store's objects into faults when it next reads, keeping unsaved edits above what is stored
  /// now, and forgets fetched arrays whose destinations live there. A save needs no reload: it looks at the file
  /// itself.
  /// - Throws: ``CoordinatorError`` when the store is not attached; `changedUnderneath` when another store has taken the
  ///   file's place.
  public func reload(_ store: any PersistentStore) throws {
    try self.changing.withLock { _ in
      let attached = self.attached
      try attached.requireReady(store.id).reload()
      self.replaceAttached(attached.reloading(store.id))
    }
  }
}

/// Which stores were reloaded, by the count of reloads.
struct StoreReloads: Sendable {
  private(set) var count = 0
  private var last: [StoreID: Int] = [:]

  mutating func add(_ store: StoreID) {
    self.count += 1
    self.last[store] = self.count
  }

  func stores(since count: Int) -> Set<StoreID> { Set(self.last.filter { $0.value > count }.keys) }
}

extension ManagedObjectContext {
  /// Forgets what was read of stores that were reloaded since the context last looked.
  func takeReloads() {
    let attached = self.coordinator.attached
    if attached.reloads.count == self.seenReloads { return }
    let stores = attached.reloads.stores(since: self.seenReloads)
    self.seenReloads = attached.reloads.count
    self.recent.removeAll()
    let objects = self.registeredObjects
    for object in objects {
      object.extras?.fetched.removeAll { array in
        guard let destination = array.property.destination else { return true }
        return attached.router.readers(of: destination, includingSubentities: true).contains(
          where: stores.contains)
      }
    }
    self.refreshMerging(objects.filter { stores.contains($0.objectID.store) })
  }
}
