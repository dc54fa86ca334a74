public import FederatedModel
public import FederatedStore

/// Stores that came or went.
public struct StoreChange: Sendable {
  public let added: [any PersistentStore]
  public let removed: [any PersistentStore]
  /// Who the rows of a removed store are in the added one that took its place, by who they were; empty unless a store
  /// was migrated.
  public let identifiers: [ManagedObjectID: ManagedObjectID]

  public init(
    added: [any PersistentStore], removed: [any PersistentStore],
    identifiers: [ManagedObjectID: ManagedObjectID] = [:]
  ) {
    self.identifiers = identifiers
    self.added = added
    self.removed = removed
  }
}

/// Keeps an observer registered for as long as it lives.
public final class StoreObservation: Sendable {
  private let coordinator: PersistentStoreCoordinator
  private let number: Int

  init(_ coordinator: PersistentStoreCoordinator, _ number: Int) {
    self.coordinator = coordinator
    self.number = number
  }

  deinit {
    let number = self.number
    self.coordinator.observers.withLock { $0[number] = nil }
  }
}

extension PersistentStoreCoordinator {
  /// Calls `handler` after each change of the attached stores, on the thread that made it, until the
  /// observation goes.
  public func observeStores(_ handler: @escaping @Sendable (StoreChange) -> Void) -> StoreObservation {
    let number = self.observers.withLock { observers in
      let number = (observers.keys.max() ?? 0) + 1
      observers[number] = handler
      return number
    }
    return StoreObservation(self, number)
  }

  func post(_ change: StoreChange) {
    let handlers = self.observers.withLock { observers in observers.sorted { $0.key < $1.key }.map(\.value) }
    for handler in handlers { handler(change) }
  }
}
