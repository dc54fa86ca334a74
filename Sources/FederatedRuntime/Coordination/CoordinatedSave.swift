package import FederatedModel
package import FederatedStore
internal import Foundation

extension PersistentStoreCoordinator {
  /// Prepares every store, in the order of their identifiers, then commits every store.
  ///
  /// An empty dictionary, or an empty change set, writes what metadata is staged.
  /// - Throws: ``SaveError``.
  package func save(_ changes: [StoreID: ChangeSet], save: SaveIdentifier) throws {
    try self.changing.withLock { _ in
      let attached = self.attached
      var saving = CoordinatedSave(attached: attached, identifier: save)
      try saving.prepare(changes)
      let written = try saving.commit()
      self.forgetStagedMetadata(of: written)
    }
  }
}

/// One save over several stores, from first preparation to last commit.
struct CoordinatedSave {
  let attached: AttachedStores
  let identifier: SaveIdentifier
  private var prepared: [(store: any PersistentStore, save: any PreparedSave)] = []

  init(attached: AttachedStores, identifier: SaveIdentifier) {
    self.attached = attached
    self.identifier = identifier
  }

  /// Any refusal abandons what the other stores hold: nothing has changed anywhere.
  mutating func prepare(_ changes: [StoreID: ChangeSet]) throws(SaveError) {
    for store in try self.participants(in: changes) {
      do {
        self.prepared.append(
          (store, try store.prepare(changes[store.id] ?? ChangeSet(), save: self.identifier)))
      } catch {
        for other in self.prepared { other.save.abandon() }
        self.prepared = []
        if error.code == .conflict {
          throw .conflicts(
            error.rows.map { ManagedObjectID(store: store.id, entity: $0.entity, reference: $0.reference) })
        }
        throw .refused(store: store.description.name, underlying: error)
      }
    }
  }

  /// The stores that have something to write, in the order in which every process prepares them.
  private func participants(in changes: [StoreID: ChangeSet]) throws(SaveError) -> [any PersistentStore] {
    for (id, change) in changes where !change.isEmpty {
      let store: any PersistentStore
      do { store = try self.attached.require(id) } catch {
        throw .refused(store: error.store, underlying: error)
      }
      if store.capabilities.contains(.readOnly) {
        let name = store.description.name
        throw .refused(
          store: name,
          underlying: CoordinatorError(
            .readOnlyStore, store: name,
            "the store is attached read-only; roll its changes back, or attach it for writing"))
      }
    }
    let writing = self.attached.stores.filter {
      self.attached.stagedMetadata[$0.id] != nil || changes[$0.id]?.isEmpty == false
    }
    return writing.sorted { $0.metadata.uuid.uuidString < $1.metadata.uuid.uuidString }
  }

  /// - Returns: the stores that were written.
  func commit() throws(SaveError) -> [StoreID] {
    for (number, one) in self.prepared.enumerated() {
      do { try one.save.commit() } catch {
        for other in self.prepared[(number + 1)...] { other.save.abandon() }
        let names = self.prepared.map(\.store.description.name)
        if number == 0 { throw .refused(store: names[0], underlying: error) }
        throw .partlySaved(saved: Array(names[..<number]), failed: Array(names[number...]), underlying: error)
      }
    }
    return self.prepared.map(\.store.id)
  }
}
