import FederatedModel
public import FederatedStore
public import Foundation

/// Stores that go on in another file, or as another type.
extension PersistentStoreCoordinator {
  /// Goes on with an attached store in another file, under the same identifiers.
  ///
  /// A whole-file store writes its rows there at once when no file is there, and leaves the old file as it is. A file
  /// that is there must be the store itself, moved or copied; contexts read it anew. A SQLite store needs such a file.
  /// - Returns: the store as it is attached now; the instance given is closed.
  /// - Throws: ``CoordinatorError`` when the store is not attached, or the file is; `missingFile`, `alreadyExists` or
  ///   `unsupported` of the store. All is as before then.
  @discardableResult
  public func setURL(_ url: URL, of store: any PersistentStore) throws -> any PersistentStore {
    try self.changing.withLock { _ in
      let attached = self.attached
      let old = try attached.requireReady(store.id)
      try attached.checkIsFree(url, for: old)
      let new = try old.relocated(to: url)
      self.replaceAttached(try attached.exchanging(old.id, for: new).reloading(new.id))
      old.close()
      return new
    }
  }

  /// Copies every row of an attached store into a new store, of another type if wanted, and attaches that in its place.
  ///
  /// Rows get new identifiers, which observers are told (``StoreChange/identifiers``); objects of the old store become
  /// inaccessible. Metadata entries of one's own go along. The old file stays.
  ///
  /// ```swift
  /// let ledger = try coordinator.migrate(
  ///   store, to: PersistentStoreDescription(.sqlite, at: file, name: "ledger"))
  /// ```
  /// - Parameter description: the new store; without a configuration it gets the old one's.
  /// - Throws: ``CoordinatorError``; `alreadyExists` when there is a file; what either store throws. The old store stays
  ///   attached then, and no new one is left.
  @discardableResult
  public func migrate(
    _ store: any PersistentStore, to description: PersistentStoreDescription
  ) throws -> any PersistentStore {
    let change = try self.changing.withLock { _ in try self.exchange(store, description) }
    self.post(change)
    return change.added[0]
  }

  private func exchange(
    _ store: any PersistentStore, _ description: PersistentStoreDescription
  ) throws -> StoreChange {
    let attached = self.attached
    let old = try attached.requireReady(store.id)
    var description = description
    description.configuration = description.configuration ?? old.description.configuration
    try attached.removing(old.id).check([description])
    try Self.checkIsNew(description)
    let new = try description.type.open(description, self.model)
    do {
      let copy = try self.copy(old, into: new)
      let next = try attached.removing(old.id).checkedAdding(new)
      try next.router.checkRelationships()
      self.replaceAttached(try attached.exchanging(old.id, for: new))
      self.recoveries.remove(old.id)
      old.close()
      return StoreChange(added: [new], removed: [old], identifiers: copy)
    } catch {
      new.close()
      if let url = description.url { try description.type.destroy?(url) }
      throw error
    }
  }

  private func copy(
    _ old: any PersistentStore, into new: any PersistentStore
  ) throws -> [ManagedObjectID: ManagedObjectID] {
    let scope = try old.beginRead()
    defer { scope.end() }
    let copy = try StoreCopy(
      scope, of: self.model.entities(forConfiguration: old.description.configuration) ?? [], into: new,
      self.model)
    try self.check(copy.entities, areHeldBy: new)
    var metadata = new.metadata
    metadata.entries.merge(self.metadata(of: old.id)?.entries ?? [:]) { own, _ in own }
    metadata.lastJointSave = nil
    try new.stageMetadata(metadata)
    try new.prepare(try copy.changes(), save: SaveIdentifier()).commit()
    return copy.identifiers(from: old.id, to: new.id)
  }

  private func check(_ entities: [Entity], areHeldBy store: any PersistentStore) throws(CoordinatorError) {
    let held = self.model.entities(forConfiguration: store.description.configuration)?.map(\.id) ?? []
    guard let lost = entities.first(where: { !held.contains($0.id) }) else { return }
    throw CoordinatorError(
      .entityNotInStore, store: store.description.name, entity: lost.name,
      "the store has rows of \(lost.name), which the configuration of the new store lacks; migrate it for a "
        + "configuration that holds all of them")
  }

  private static func checkIsNew(_ description: PersistentStoreDescription) throws(StoreError) {
    guard let url = description.url, FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
    else { return }
    throw StoreError(
      .alreadyExists, store: url,
      "a file stands there, and a store is migrated into a new one; move the file away")
  }

  /// Makes the store at one place what the store at another one is, identifier included. A store that is attached
  /// there is detached; attach it again to go on with it.
  /// - Throws: what ``StoreType/replaceStore(at:from:)`` throws. All is as before then.
  public func replaceStore(at url: URL, from source: URL, type: StoreType) throws {
    let removed = try self.changing.withLock { _ in
      let attached = self.attached
      try type.replaceStore(at: url, from: source)
      let store = attached.stores.first { store in
        store.description.url.map { FileIdentity.isSameFile($0, url) } ?? false
      }
      guard let store else { return store }
      self.replaceAttached(attached.removing(store.id))
      self.recoveries.remove(store.id)
      store.close()
      return store
    }
    if let removed { self.post(StoreChange(added: [], removed: [removed])) }
  }
}

extension AttachedStores {
  /// No other store may have the file.
  fileprivate func checkIsFree(_ url: URL, for store: any PersistentStore) throws(CoordinatorError) {
    for other in self.stores where other.id != store.id {
      guard let file = other.description.url, FileIdentity.isSameFile(file, url) else { continue }
      throw CoordinatorError(
        .storeAlreadyAttached, store: other.description.name,
        "\(url.path(percentEncoded: false)) is attached already, as this store; choose another place")
    }
  }
}
