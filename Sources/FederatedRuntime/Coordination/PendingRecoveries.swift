import FederatedModel
import FederatedStore
import Synchronization

/// Stores that lack their part of a save that has happened. They do no work until they have it.
final class PendingRecoveries: Sendable {
  private let waiting = Lock<[StoreID: SealedChanges]>([:])
  /// How many are waiting, so that others need no lock to pass.
  private let count = Atomic<Int>(0)

  func add(_ store: StoreID, _ changes: SealedChanges) {
    self.waiting.withLock { waiting in
      waiting[store] = changes
      self.count.store(waiting.count, ordering: .releasing)
    }
  }

  func remove(_ store: StoreID) {
    self.waiting.withLock { waiting in
      waiting[store] = nil
      self.count.store(waiting.count, ordering: .releasing)
    }
  }

  /// Lets work on a store begin: one that lacks a save is given it first.
  /// - Throws: `recoveryPending` while that does not succeed.
  func require(_ store: any PersistentStore, _ model: ManagedObjectModel) throws(StoreError) {
    if self.count.load(ordering: .acquiring) == 0 { return }
    try self.waiting.withLock { (waiting) throws(StoreError) in
      guard let changes = waiting[store.id] else { return }
      do throws(StoreError) {
        try store.recover(changes)
        if changes.save.isJoint, let url = store.description.url {
          try JournalRecovery(store, at: url, model).settle()
        }
      } catch {
        throw error.code == .recoveryPending ? error : self.refusal(of: store, error)
      }
      waiting[store.id] = nil
      self.count.store(waiting.count, ordering: .releasing)
    }
  }

  private func refusal(of store: any PersistentStore, _ error: StoreError) -> StoreError {
    StoreError(
      .recoveryPending, store: store.description.url, rows: error.rows, underlying: error,
      "the store lacks its part of a save that has happened, and cannot be given it now (\(error.detail)); every "
        + "use of the store tries again")
  }
}
