public import FederatedModel
public import FederatedStore
internal import Foundation

/// Owns a model and the open stores, and makes many stores answer as one.
///
/// Sendable: contexts of any thread share one coordinator. What it knows is an immutable value that is swapped
/// as a whole when a store comes or goes; a read that has begun keeps the stores it began with.
public final class PersistentStoreCoordinator: Sendable {
  /// What the stores hold.
  public let model: ManagedObjectModel
  /// What is attached now.
  private let state: Lock<AttachedStores>
  /// Held while a store is being opened, removed or saved to, so that two of these never cross.
  ///
  /// It counts for nothing but its size: a state without any lies at the object's own address, where the thread sanitizer
  /// takes an access for a race with whoever looks at the object.
  let changing = Lock(0)
  let observers = Lock<[Int: @Sendable (StoreChange) -> Void]>([:])
  /// Stores that wait for their part of a save.
  let recoveries: PendingRecoveries
  private let archive = Lock<JournalModelArchive?>(nil)

  public init(model: ManagedObjectModel) {
    self.model = model
    let recoveries = PendingRecoveries()
    self.recoveries = recoveries
    self.state = Lock(AttachedStores(model: model, recoveries))
  }

  var attached: AttachedStores { self.state.withLock { $0 } }

  func replaceAttached(_ stores: AttachedStores) { self.state.withLock { $0 = stores } }

  /// The model as journals keep it, made when the first one is needed.
  func journalModel() throws(SaveError) -> JournalModelArchive {
    do {
      return try self.archive.withLock { archive in
        if let archive { return archive }
        let made = try JournalModelArchive(self.model)
        archive = made
        return made
      }
    } catch { throw .refused(store: nil, underlying: error) }
  }

  /// The attached stores, in order of attachment.
  public var stores: [any PersistentStore] { self.attached.stores }

  /// Moves whenever a store comes or goes. Contexts compare it to drop what they keep of other stores.
  package var storesVersion: Int { self.attached.version }

  /// The attached store of that name; nil when there is none.
  public func store(named name: String) -> (any PersistentStore)? { self.attached.store(named: name) }

  /// The attached store of that identifier; nil when there is none.
  public func store(_ id: StoreID) -> (any PersistentStore)? { self.attached.store(id) }

  /// The store of a saved row; nil for a temporary identifier, or when the store is not attached.
  public func store(of object: ManagedObjectID) -> (any PersistentStore)? {
    self.attached.store(object.store)
  }

  package var router: StoreRouter { self.attached.router }

  /// The work of all attached stores, summed. Tests count with it.
  public var statistics: StoreStatistics {
    self.stores.reduce(into: StoreStatistics()) { sum, store in
      let one = store.statistics
      sum.reads += one.reads
      sum.statements += one.statements
      sum.rows += one.rows
      sum.rowsRead += one.rowsRead
    }
  }

  /// The work of each attached store, by name.
  public var statisticsByStore: [String: StoreStatistics] {
    Dictionary(uniqueKeysWithValues: self.stores.map { ($0.description.name, $0.statistics) })
  }
}

extension PersistentStoreCoordinator: ContextParent {
  package var coordinator: PersistentStoreCoordinator { self }

  package func beginRead() -> any ParentRead { CoordinatedRead(self.attached) }

  package func reserveIdentifiers(
    in store: StoreID, for entity: EntityID, count: Int
  ) throws -> Range<Int64> {
    try self.attached.requireReady(store).reserveReferences(for: entity, count: count)
  }

  package func keyAttributes(in store: StoreID, of entity: EntityID) throws -> [Attribute]? {
    try self.attached.requireReady(store).keyAttributes(of: entity)
  }

  package func references(
    in store: StoreID, forKeys keys: [[Value]], of entity: EntityID
  ) throws -> [Int64] {
    try self.attached.requireReady(store).references(forKeys: keys, of: entity)
  }
}
