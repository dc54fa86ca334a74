import FederatedModel
import FederatedStore
import Foundation

/// The stores of a coordinator at one moment: an immutable value.
struct AttachedStores: Sendable {
  private(set) var stores: [any PersistentStore] = []
  private(set) var router: StoreRouter
  /// One more with each change.
  private(set) var version = 0
  /// Metadata that is staged and not written yet.
  var stagedMetadata: [StoreID: StoreMetadata] = [:]
  private var numberByID: [StoreID: Int] = [:]
  /// Every store that was ever attached, so that identifiers of removed ones still have a URI.
  private var known: [StoreID: KnownStore] = [:]

  struct KnownStore: Sendable {
    let store: any PersistentStore
    let uuid: UUID
    /// `x-coredata://UUID/`
    let uriPrefix: String
  }

  init(model: ManagedObjectModel) {
    self.router = StoreRouter(model: model)
  }

  var model: ManagedObjectModel { self.router.model }

  func store(_ id: StoreID) -> (any PersistentStore)? { self.numberByID[id].map { self.stores[$0] } }

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

  func adding(_ store: any PersistentStore) throws(CoordinatorError) -> AttachedStores {
    var next = self
    next.router = try self.router.adding(
      store.id, name: store.description.name, configuration: store.description.configuration,
      isWritable: !store.capabilities.contains(.readOnly))
    let uuid = store.metadata.uuid
    next.numberByID[store.id] = self.stores.count
    next.stores.append(store)
    next.known[store.id] = KnownStore(
      store: store, uuid: uuid, uriPrefix: "x-coredata://\(uuid.uuidString)/")
    next.version += 1
    return next
  }

  func removing(_ id: StoreID) -> AttachedStores {
    var next = self
    next.stores.removeAll { $0.id == id }
    next.numberByID = Dictionary(uniqueKeysWithValues: next.stores.enumerated().map { ($1.id, $0) })
    next.router = self.router.removing(id)
    next.stagedMetadata[id] = nil
    next.version += 1
    return next
  }
}
