package import FederatedModel
package import FederatedStore
internal import Foundation

extension PersistentStoreCoordinator {
  /// Writes change sets to their stores: to all of them, or to none.
  ///
  /// An empty dictionary, or an empty change set, writes what metadata is staged.
  /// - Parameter rewritten: takes the rows to which stores wrote by themselves.
  /// - Throws: ``SaveError``; ``ConflictingRows`` of all stores.
  package func save(
    _ changes: [StoreID: ChangeSet], save: SaveIdentifier, rewritten: inout [ManagedObjectID]
  ) throws {
    let (rows, failure) = try self.changing.withLock { _ in
      let attached = self.attached
      var saving = try CoordinatedSave(changes, attached: attached, identifier: save, self)
      try saving.prepare()
      if !saving.conflicts.isEmpty { throw saving.conflicts }
      let rows = saving.rewrittenRows
      let failure = try saving.commit()
      self.forgetStagedMetadata(of: saving.stores)
      return (rows, failure)
    }
    rewritten += rows
    if let failure { throw failure }
  }

  /// For callers that keep nothing of the rows.
  package func save(_ changes: [StoreID: ChangeSet], save: SaveIdentifier) throws {
    var rewritten: [ManagedObjectID] = []
    try self.save(changes, save: save, rewritten: &rewritten)
  }
}

/// One save over several stores, from first preparation to last commit.
///
/// Stores that outlive the process come first, in the order of their identifiers, then those in memory, whose
/// commit cannot fail. Two or more of the first kind make a ``JointSave``.
struct CoordinatedSave {
  /// A store and its part of the save.
  private struct Part {
    let store: any PersistentStore
    let changes: SealedChanges
    var prepared: (any PreparedSave)?

    var files: SideFiles? {
      guard !self.store.capabilities.contains(.inMemory) else { return nil }
      return self.store.description.url.map { SideFiles(of: $0) }
    }
    var name: String { self.store.description.name }
  }

  private let coordinator: PersistentStoreCoordinator
  private let identifier: SaveIdentifier
  private var parts: [Part]
  /// Stores that the save only relies on.
  private let watched: [(store: any PersistentStore, changes: ChangeSet)]
  private var joint: JointSave?
  /// Rows that stand in the way; nothing is prepared when there are any.
  private(set) var conflicts = ConflictingRows()

  init(
    _ changes: [StoreID: ChangeSet], attached: AttachedStores, identifier: SaveIdentifier,
    _ coordinator: PersistentStoreCoordinator
  ) throws(SaveError) {
    let stores = try Self.participants(in: changes, attached)
    var identifier = identifier
    identifier.isJoint = stores.count { !$0.capabilities.contains(.inMemory) } > 1
    self.coordinator = coordinator
    self.identifier = identifier
    self.watched = attached.stores.compactMap { store in
      guard let changes = changes[store.id], changes.isEmpty, !changes.expected.isEmpty,
        attached.stagedMetadata[store.id] == nil
      else { return nil }
      return (store, changes)
    }
    self.parts = stores.map { store in
      Part(
        store: store,
        changes: SealedChanges(
          save: identifier, changes: changes[store.id] ?? ChangeSet(),
          metadata: attached.stagedMetadata[store.id]))
    }
  }

  /// The stores that take part.
  var stores: [StoreID] { self.parts.map(\.store.id) }

  /// Rows to which the stores wrote by themselves while they prepared their parts.
  var rewrittenRows: [ManagedObjectID] {
    self.parts.flatMap { part in
      (part.prepared?.rewrittenRows ?? []).map {
        ManagedObjectID(store: part.store.id, entity: $0.entity, reference: $0.reference)
      }
    }
  }

  /// The stores that have something to write, in the order in which every process prepares and commits them.
  private static func participants(
    in changes: [StoreID: ChangeSet], _ attached: AttachedStores
  ) throws(SaveError) -> [any PersistentStore] {
    for (id, change) in changes where !change.isEmpty {
      let store: any PersistentStore
      do { store = try attached.require(id) } catch {
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
    let writing = attached.stores.filter {
      attached.stagedMetadata[$0.id] != nil || changes[$0.id]?.isEmpty == false
    }
    let ordered = writing.sorted { $0.metadata.uuid.uuidString < $1.metadata.uuid.uuidString }
    return ordered.filter { !$0.capabilities.contains(.inMemory) }
      + ordered.filter { $0.capabilities.contains(.inMemory) }
  }

  // MARK: Before the commit point

  /// Has every store prepare its part, and makes a joint save count.
  ///
  /// Any refusal abandons what the other stores hold: nothing has changed anywhere.
  mutating func prepare() throws(SaveError) {
    do throws(SaveError) {
      try self.finishEarlierSaves()
      try self.lock()
      try self.lookAtWatchedStores()
      try self.prepareEveryStore()
      if !self.conflicts.isEmpty {
        self.abandon()
        self.joint?.unlock()
        return
      }
      try self.joint?.seal(try self.coordinator.journalModel())
    } catch {
      self.abandon()
      self.joint?.unlock()
      throw error
    }
  }

  /// A store that lacks a save takes no other one.
  private func finishEarlierSaves() throws(SaveError) {
    for part in self.parts {
      do { try self.coordinator.recoveries.require(part.store, self.coordinator.model) } catch {
        throw .refused(store: part.name, underlying: error)
      }
    }
  }

  private mutating func lock() throws(SaveError) {
    guard self.identifier.isJoint else { return }
    var members: [JointSave.Member] = []
    for part in self.parts where !part.store.capabilities.contains(.inMemory) {
      guard let files = part.files else {
        throw .refused(
          store: part.name,
          underlying: StoreError(
            .unsupported, store: nil,
            "the store has no file that a journal could name; save its changes apart from those of other stores"
          ))
      }
      members.append(JointSave.Member(store: part.store, files: files, changes: part.changes))
    }
    self.joint = try JointSave(self.identifier, members)
  }

  /// They hold nothing afterwards, and take no part in the commit.
  private mutating func lookAtWatchedStores() throws(SaveError) {
    for (store, changes) in self.watched {
      do { _ = try store.prepare(changes, save: self.identifier) } catch {
        if self.conflicts.add(error, of: store.id) { continue }
        throw .refused(store: store.description.name, underlying: error)
      }
    }
  }

  private mutating func prepareEveryStore() throws(SaveError) {
    for _ in 0..<Self.attempts {
      for number in self.parts.indices { try self.prepare(number) }
      if !self.conflicts.isEmpty { return }
      // With its lock taken, a store that another process left behind shows it, and nobody else can mend it.
      let behind = try self.partsBehind()
      if behind.isEmpty { return }
      self.abandon()
      for number in behind { try self.mend(number) }
    }
    throw .refused(
      store: nil,
      underlying: StoreError(
        .locked, store: nil, "other programs keep leaving saves over several stores unfinished; try again"))
  }

  private static let attempts = 3

  private mutating func prepare(_ number: Int) throws(SaveError) {
    let part = self.parts[number]
    do {
      self.parts[number].prepared = try part.store.prepare(part.changes.changes, save: self.identifier)
    } catch {
      // The other stores may have conflicts of their own: all of them are resolved together.
      if self.conflicts.add(error, of: part.store.id) { return }
      throw .refused(store: part.name, underlying: error)
    }
  }

  private func partsBehind() throws(SaveError) -> [Int] {
    var behind: [Int] = []
    for (number, part) in self.parts.enumerated() {
      guard let files = part.files, files.hasPointer else { continue }
      do {
        if try JournalRecovery.isPending(beside: files, store: part.store.metadata.uuid) {
          behind.append(number)
        }
      } catch { throw .refused(store: part.name, underlying: error) }
    }
    return behind
  }

  private func mend(_ number: Int) throws(SaveError) {
    let part = self.parts[number]
    guard let url = part.store.description.url else { return }
    do {
      try JournalRecovery(part.store, at: url, self.coordinator.model).settle(isLocked: self.joint != nil)
    } catch { throw .refused(store: part.name, underlying: error) }
  }

  private mutating func abandon() {
    for number in self.parts.indices {
      self.parts[number].prepared?.abandon()
      self.parts[number].prepared = nil
    }
  }

  // MARK: After it

  /// Has every store commit. One that fails is rolled forward, at once or before its next use.
  /// - Returns: `recoveryPending` when that did not succeed at once: the save has happened all the same.
  /// - Throws: `refused` when the only file, or the first store, failed before any had committed, and is as before.
  mutating func commit() throws(SaveError) -> SaveError? {
    defer { self.joint?.unlock() }
    var late: [(store: any PersistentStore, error: StoreError)] = []
    var isCertain = self.joint != nil
    for (number, part) in self.parts.enumerated() {
      do {
        try part.prepared?.commit()
        self.parts[number].prepared = nil
      } catch {
        self.parts[number].prepared = nil
        guard isCertain || error.code == .recoveryPending else {
          self.abandon()
          throw .refused(store: part.name, underlying: error)
        }
        do { try part.store.recover(part.changes) } catch {
          self.coordinator.recoveries.add(part.store.id, part.changes)
          late.append((part.store, error))
        }
      }
      isCertain = true
    }
    guard let first = late.first else {
      self.finish()
      return nil
    }
    self.joint?.mark(except: Set(late.map(\.store.id)))
    return .recoveryPending(stores: late.map(\.store.description.name), underlying: first.error)
  }

  private func finish() {
    do { try self.joint?.finish() } catch {
      // Every store has the save. The journal that stays is settled before the next joint save of its stores, which
      // is refused if it cannot be, or when they are opened.
      return
    }
  }
}
