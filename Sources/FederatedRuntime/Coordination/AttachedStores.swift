import FederatedModel
import FederatedStore
import Foundation

/// The stores of a coordinator at one moment. Immutable: a change makes another one.
final class AttachedStores: Sendable {
  let stores: [any PersistentStore]
  let router: StoreRouter
  /// One more with each change of the stores.
  let version: Int
  /// Metadata that is staged and not written yet.
  let stagedMetadata: [StoreID: StoreMetadata]
  /// Every store that was ever attached, so that identifiers of removed ones still have a URI.
  private let known: [StoreID: KnownStore]
  /// Which stores were read anew from their files.
  let reloads: StoreReloads
  /// The same for all versions of a coordinator's stores.
  private let recoveries: PendingRecoveries

  struct KnownStore: Sendable {
    let store: any PersistentStore
    let uuid: UUID
    /// `x-coredata://UUID/`
    let uriPrefix: String
  }

  convenience init(model: ManagedObjectModel, _ recoveries: PendingRecoveries) {
    self.init(
      [], StoreRouter(model: model), version: 0, stagedMetadata: [:], known: [:], StoreReloads(), recoveries)
  }

  private init(
    _ stores: [any PersistentStore], _ router: StoreRouter, version: Int,
    stagedMetadata: [StoreID: StoreMetadata],
    known: [StoreID: KnownStore], _ reloads: StoreReloads, _ recoveries: PendingRecoveries
  ) {
    self.stores = stores
    self.router = router
    self.version = version
    self.stagedMetadata = stagedMetadata
    self.known = known
    self.reloads = reloads
    self.recoveries = recoveries
  }

  var model: ManagedObjectModel { self.router.model }

  func store(_ id: StoreID) -> (any PersistentStore)? {
    // Few stores are attached at a time; a scan beats a hash. Routes and stores run side by side.
    self.router.routes.firstIndex { $0.store == id }.map { self.stores[$0] }
  }

  func store(named name: String) -> (any PersistentStore)? {
    self.stores.first { $0.description.name == name }
  }

  /// Attached or removed.
  func known(_ id: StoreID) -> KnownStore? { self.known[id] }

  func store(uuid: UUID) -> (any PersistentStore)? {
    self.stores.first { self.known[$0.id]?.uuid == uuid }
  }

  func require(_ id: StoreID) throws(CoordinatorError) -> any PersistentStore {
    if let store = self.store(id) { return store }
    throw CoordinatorError(
      .unknownStore, store: self.known[id]?.store.description.name,
      "the store is not attached to this coordinator; add it, or use identifiers of attached stores")
  }

  /// The store, once it has all that it was saved.
  func requireReady(_ id: StoreID) throws -> any PersistentStore {
    let store = try self.require(id)
    try self.recoveries.require(store, self.model)
    return store
  }

  func adding(_ store: any PersistentStore) throws(CoordinatorError) -> AttachedStores {
    let router = try self.router.adding(
      store.id, name: store.description.name, configuration: store.description.configuration,
      isWritable: !store.capabilities.contains(.readOnly))
    let uuid = store.metadata.uuid
    var known = self.known
    known[store.id] = KnownStore(store: store, uuid: uuid, uriPrefix: "x-coredata://\(uuid.uuidString)/")
    return AttachedStores(
      self.stores + [store], router, version: self.version + 1, stagedMetadata: self.stagedMetadata,
      known: known, self.reloads, self.recoveries)
  }

  func removing(_ id: StoreID) -> AttachedStores {
    AttachedStores(
      self.stores.filter { $0.id != id }, self.router.removing(id), version: self.version + 1,
      stagedMetadata: self.stagedMetadata.filter { $0.key != id }, known: self.known,
      self.reloads, self.recoveries)
  }

  /// Another store in the place of one, in the order of attachment too.
  func exchanging(_ id: StoreID, for store: any PersistentStore) throws(CoordinatorError) -> AttachedStores {
    var router = StoreRouter(model: self.model)
    let stores = self.stores.map { $0.id == id ? store : $0 }
    for store in stores {
      router = try router.adding(
        store.id, name: store.description.name, configuration: store.description.configuration,
        isWritable: !store.capabilities.contains(.readOnly))
    }
    let uuid = store.metadata.uuid
    var known = self.known
    known[store.id] = KnownStore(store: store, uuid: uuid, uriPrefix: "x-coredata://\(uuid.uuidString)/")
    return AttachedStores(
      stores, router, version: self.version + 1,
      stagedMetadata: self.stagedMetadata.filter { $0.key != id || id == store.id }, known: known,
      self.reloads, self.recoveries)
  }

  func reloading(_ id: StoreID) -> AttachedStores {
    var reloads = self.reloads
    reloads.add(id)
    return AttachedStores(
      self.stores, self.router, version: self.version, stagedMetadata: self.stagedMetadata, known: self.known,
      reloads, self.recoveries)
  }

  func staging(_ metadata: [StoreID: StoreMetadata?]) -> AttachedStores {
    var staged = self.stagedMetadata
    for (store, one) in metadata { staged[store] = one }
    return AttachedStores(
      self.stores, self.router, version: self.version, stagedMetadata: staged, known: self.known,
      self.reloads, self.recoveries)
  }
}
