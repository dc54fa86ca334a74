public import FederatedStore

extension PersistentStoreCoordinator {
  /// The saves over several files that an attached store took part in and that not every participant is known to
  /// have, each once.
  ///
  /// Attached stores have their part. What is left lies with stores that are not attached: missing, moved, or not
  /// opened since.
  /// - Throws: a `StoreError` when a pointer or a journal is damaged.
  public var pendingSaves: [PendingSave] {
    get throws {
      var saves: [PendingSave] = []
      let types = self.stores.map(\.description.type)
      for store in self.stores where !store.capabilities.contains(.inMemory) {
        guard let url = store.description.url else { continue }
        for save in try PendingSave.all(ofStoreAt: url, types: types)
        where !saves.contains(where: { $0.save == save.save }) {
          saves.append(save)
        }
      }
      return saves
    }
  }
}
