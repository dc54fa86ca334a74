public import FederatedModel
public import FederatedStore

extension PersistentStoreCoordinator {
  /// What a store says of itself, staged changes included; nil when it is not attached.
  public func metadata(of store: StoreID) -> StoreMetadata? {
    let attached = self.attached
    return attached.stagedMetadata[store] ?? attached.store(store)?.metadata
  }

  /// Replaces a store's metadata; the next save writes it, even one without changes.
  ///
  /// Identifier and type stay the store's own.
  /// - Throws: ``CoordinatorError`` when the store is not attached, or the store's own `StoreError`.
  public func setMetadata(_ metadata: StoreMetadata, of store: StoreID) throws {
    try self.changing.withLock { _ in
      let attached = self.attached
      let target = try attached.require(store)
      var staged = metadata
      let own = target.metadata
      staged.uuid = own.uuid
      staged.type = own.type
      try target.stageMetadata(staged)
      self.replaceAttached(attached.staging([store: staged]))
    }
  }

  func forgetStagedMetadata(of stores: [StoreID]) {
    let staged = self.attached.stagedMetadata
    let written = stores.filter { staged[$0] != nil }
    if written.isEmpty { return }
    self.replaceAttached(self.attached.staging(Dictionary(uniqueKeysWithValues: written.map { ($0, nil) })))
  }
}
