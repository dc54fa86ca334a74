import FederatedModel
public import FederatedStore
internal import Foundation

extension PersistentStoreCoordinator {
  /// Opens a store and attaches it, last in order.
  ///
  /// ```swift
  /// let ledger = try coordinator.add(PersistentStoreDescription(.sqlite, at: url, configuration: "Ledger"))
  /// ```
  /// - Throws: ``CoordinatorError``, or the `StoreError` of the opening. The attached stores are then as before.
  @discardableResult
  public func add(_ description: PersistentStoreDescription) throws -> any PersistentStore {
    try self.add([description])[0]
  }

  /// Opens stores and attaches them together: relationships are checked when all of them stand.
  /// - Throws: the first refusal; then none of them is attached.
  @discardableResult
  public func add(_ descriptions: [PersistentStoreDescription]) throws -> [any PersistentStore] {
    let added = try self.changing.withLock { _ in
      let before = self.attached
      try before.check(descriptions)
      var next = before
      var opened: [any PersistentStore] = []
      do {
        for description in descriptions {
          let store = try description.type.open(description, self.model)
          opened.append(store)
          next = try next.checkedAdding(store)
        }
        try next.router.checkRelationships()
      } catch {
        for store in opened { store.close() }
        throw error
      }
      self.replaceAttached(next)
      return opened
    }
    self.post(StoreChange(added: added, removed: []))
    return added
  }

  /// Attaches a store that is open already, and gives it what it lacks of saves over several stores.
  public func add(_ store: any PersistentStore) throws {
    try self.changing.withLock { _ in
      if let url = store.description.url { try JournalRecovery(store, at: url, self.model).settle() }
      let next = try self.attached.checkedAdding(store)
      try next.router.checkRelationships()
      self.replaceAttached(next)
    }
    self.post(StoreChange(added: [store], removed: []))
  }

  /// Detaches a store and closes it. Its objects become inaccessible.
  public func remove(_ store: any PersistentStore) throws(CoordinatorError) {
    try self.changing.withLock { _ throws(CoordinatorError) in
      let attached = self.attached
      _ = try attached.require(store.id)
      self.replaceAttached(attached.removing(store.id))
    }
    // What it lacks is in the journal; the next opening brings it.
    self.recoveries.remove(store.id)
    store.close()
    self.post(StoreChange(added: [], removed: [store]))
  }
}

extension AttachedStores {
  /// Everything that can be refused before a file is opened, or made.
  func check(_ descriptions: [PersistentStoreDescription]) throws(CoordinatorError) {
    var router = self.router
    var files = self.stores.map(\.description)
    for description in descriptions {
      for other in files {
        try Self.check(description, against: other)
      }
      router = try router.adding(
        .none, name: description.name, configuration: description.configuration,
        isWritable: !description.isReadOnly)
      files.append(description)
    }
    try router.checkRelationships()
  }

  /// A store that is open: its name, file and identifier must be its own.
  func checkedAdding(_ store: any PersistentStore) throws(CoordinatorError) -> AttachedStores {
    if self.store(store.id) != nil {
      throw CoordinatorError(
        .storeAlreadyAttached, store: store.description.name, "the store is attached already; use it as it is"
      )
    }
    for other in self.stores { try Self.check(store.description, against: other.description) }
    if let twin = self.store(uuid: store.metadata.uuid) {
      throw CoordinatorError(
        .duplicateIdentifier, store: store.description.name,
        "store \(twin.description.name) has the same identifier \(store.metadata.uuid.uuidString): "
          + "one file is a copy of the other; attach one of them, or give the copy an identifier of its own")
    }
    try self.checkConstraints(keptBy: store)
    return try self.adding(store)
  }

  /// A store that cannot keep what the model promises must not come in: its saves would break the promise.
  private func checkConstraints(keptBy store: any PersistentStore) throws(CoordinatorError) {
    if !store.capabilities.isDisjoint(with: [.uniquenessConstraints, .readOnly]) { return }
    let entities = self.router.model.entities(forConfiguration: store.description.configuration) ?? []
    for entity in entities {
      guard let constraint = entity.description.uniquenessConstraints.first else { continue }
      throw CoordinatorError(
        .constraintsNotKept, store: store.description.name, entity: entity.name,
        "rows are unique on \(constraint.joined(separator: ", ")), and the store keeps no uniqueness constraints; "
          + "attach it read-only, or give the entity to another store")
    }
  }

  private static func check(
    _ new: PersistentStoreDescription, against old: PersistentStoreDescription
  ) throws(CoordinatorError) {
    if let url = new.url, let other = old.url, FileIdentity.isSameFile(url, other) {
      throw CoordinatorError(
        .storeAlreadyAttached, store: new.name,
        "\(url.path(percentEncoded: false)) is attached already, as store \(old.name); use that one")
    }
    if new.name == old.name {
      throw CoordinatorError(
        .duplicateName, store: new.name,
        "another store is attached under this name; give the description a name of its own")
    }
  }
}

/// Whether two URLs name one file, through links of either kind.
enum FileIdentity {
  static func isSameFile(_ left: URL, _ right: URL) -> Bool {
    let leftPath = left.resolvingSymlinksInPath().standardizedFileURL.path(percentEncoded: false)
    let rightPath = right.resolvingSymlinksInPath().standardizedFileURL.path(percentEncoded: false)
    if leftPath == rightPath { return true }
    var leftStatus = stat()
    var rightStatus = stat()
    guard stat(leftPath, &leftStatus) == 0, stat(rightPath, &rightStatus) == 0 else { return false }
    return leftStatus.st_dev == rightStatus.st_dev && leftStatus.st_ino == rightStatus.st_ino
  }
}
