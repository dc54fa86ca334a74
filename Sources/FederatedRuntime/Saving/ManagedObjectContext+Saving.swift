import FederatedModel
import FederatedStore
import Foundation

extension ManagedObjectContext {
  /// Writes every change of this context to the stores: all of them, or none.
  ///
  /// Every store first prepares its part; only when all have, they commit. A refusal before that leaves all files
  /// untouched and all changes pending. Fetched arrays stay as they are.
  /// - Throws: ``SaveError``; with ``SaveError/recoveryPending(stores:underlying:)`` the save has happened, and
  ///   the context is clean; what a class's own validation threw, when nothing else is wrong;
  ///   ``ManagedObjectError`` when `willSave` never comes to rest; also what an earlier read that cannot throw ran
  ///   into.
  public func save() throws {
    guard !self.isSaving else {
      throw ManagedObjectError(
        .recursiveHook, "a save is running: set values in willSave and validate, and save after the save")
    }
    self.isSaving = true
    let outcome: (saved: [ManagedObject], notice: SaveError?)
    do {
      defer { self.isSaving = false }
      outcome = try self.saveChanges()
    }
    for object in outcome.saved { object.didSave() }
    if let notice = outcome.notice { throw notice }
  }

  /// - Returns: the saved objects that have a class of their own, and what is left to do of the save.
  private func saveChanges() throws -> ([ManagedObject], SaveError?) {
    try self.throwKeptError()
    try self.settle()
    try self.validate()
    try self.loadDeletedRows()
    guard self.hasChanges || !self.watched.isEmpty else {
      self.scope.end()
      // Metadata alone, which changes no row.
      var rewritten: [ManagedObjectID] = []
      try self.parent.save([:], save: SaveIdentifier(), rewritten: &rewritten)
      return ([], nil)
    }
    var before: ContextMemento?
    do {
      return try self.saveUntilTaken(&before)
    } catch {
      before?.restore(self)
      throw error
    }
  }

  /// Merges and tries again until the stores take the changes, or one of them or the policy refuses.
  /// - Parameter before: set to what the context held before the first merge.
  private func saveUntilTaken(_ before: inout ContextMemento?) throws -> ([ManagedObject], SaveError?) {
    var taken = 0
    var round = 0
    while true {
      let assembly = try ChangeSetAssembly(self, try self.identifiersForSave())
      self.scope.end()
      var rewritten: [ManagedObjectID] = []
      do {
        try self.parent.save(assembly.changes, save: SaveIdentifier(), rewritten: &rewritten)
        return (self.adopt(assembly, rewritten), nil)
      } catch SaveError.recoveryPending(let stores, let underlying) {
        return (self.adopt(assembly, rewritten), .recoveryPending(stores: stores, underlying: underlying))
      } catch let conflicts as ConflictingRows {
        let policy = round < ManagedObjectContext.mergeRounds ? self.mergePolicy : .error
        if before == nil { before = ContextMemento(self) }
        try self.resolve(conflicts, by: policy, assembly)
        round += 1
      } catch SaveError.refused(_, let error as StoreError)
        where error.code == .changedUnderneath && !error.rows.isEmpty && taken < Self.attempts
      {
        // Another process took the numbers of new rows between their reservation and the save: others are free.
        usleep(.random(in: 500..<10_000))
        taken += 1
      }
    }
  }

  /// How often a save is tried whose numbers for new rows others take.
  private static let attempts = 8

  /// A deleted object that was refreshed afterwards needs its row again, to be deleted in its store.
  func loadDeletedRows() throws {
    let bare = self.changedObjects.filter { $0.isDeleted && !$0.isInserted && $0.snapshot == nil }
    if bare.isEmpty { return }
    try self.loadRows(of: bare)
    for object in bare where object.snapshot == nil { object.home.removeChanged(object) }
  }

  /// Calls `willSave` and follows delete rules until nothing changes any more.
  private func settle() throws {
    try self.processPendingChanges()
    for _ in 0..<1000 {
      let before = self.changeMark
      for home in self.allHomes where home.changedCount > 0 && home.type != ManagedObject.self {
        for object in home.changedObjects { object.willSave() }
      }
      try self.processPendingChanges()
      if self.changeMark == before { return }
    }
    throw ManagedObjectError(
      .unstableWillSave,
      "willSave changed objects a thousand times over; set a value there only when it differs from what is set"
    )
  }

  /// Moves with every edit.
  private var changeMark: Int {
    self.allHomes.reduce(0) { $0 &+ $1.edits.writeCount &+ $1.changedCount }
  }

  func validate() throws {
    var validation = ObjectValidation()
    try validation.check(self.allHomes)
    if let error = validation.breaches.combined { throw error }
  }

  private func identifiersForSave() throws -> PermanentIdentifiers {
    do {
      return try PermanentIdentifiers(self)
    } catch let error as CoordinatorError {
      throw SaveError.refused(store: error.store, underlying: error)
    } catch let error as StoreError {
      let store = self.coordinator.stores.first { $0.description.url == error.store }
      throw SaveError.refused(store: store?.description.name, underlying: error)
    }
  }

  /// Gives new objects the identifiers that they will be saved under. Objects that have theirs are left alone.
  /// - Throws: ``CoordinatorError`` when an object has no store to go to; else what the store threw.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    let identifiers = try PermanentIdentifiers(self, for: objects.filter { $0.home.context === self })
    for object in objects where object.home.context === self && object.objectID.isTemporary {
      let id = identifiers.identifier(of: object)
      if id.isTemporary { continue }
      self.replacedIDs[object.objectID] = id
      self.rekey(object, to: id)
    }
  }

  func rekey(_ object: ManagedObject, to id: ManagedObjectID) {
    object.home.table.remove(object, reference: object.objectID.reference)
    object.objectID = id
    object.home.table.insert(object)
  }

  // MARK: After the stores have committed

  /// Makes the saved objects clean.
  /// - Returns: the saved objects that have a class of their own.
  private func adopt(_ assembly: ChangeSetAssembly, _ rewritten: [ManagedObjectID]) -> [ManagedObject] {
    self.recent.removeAll()
    self.watched = []
    self.cascades = [:]
    let changed = self.allHomes.filter { $0.changedCount > 0 }.map { ($0, $0.changedObjects) }
    for written in assembly.written {
      for (row, object) in written.objects.enumerated() {
        if object.objectID.isTemporary { self.rekey(object, to: assembly.identifiers.identifier(of: object)) }
        object.snapshot = written.rows[row]
      }
    }
    var saved: [ManagedObject] = []
    for (home, objects) in changed {
      self.makeClean(objects, of: home)
      if home.type != ManagedObject.self { saved += objects }
    }
    if !self.hasChanges { self.replacedIDs = [:] }
    self.takeRows(rewritten)
    return saved
  }

  /// Takes over the rows of objects at hand to which stores wrote by themselves: derived attributes change in the store.
  /// Fetched arrays and links stay.
  private func takeRows(_ rewritten: [ManagedObjectID]) {
    let objects = rewritten.compactMap { self.registeredObject(for: $0) }.filter {
      $0.snapshot != nil && !$0.hasChanges
    }
    if objects.isEmpty { return }
    do {
      let rows = try self.reading { try $0.rows(for: objects.map(\.objectID)) }
      for (object, row) in zip(objects, rows) {
        if let row { object.snapshot = row } else { object.turnIntoFault() }
      }
    } catch {
      // The save has happened; the next read of such an object asks its store again.
      for object in objects { object.turnIntoFault() }
    }
  }

  private func makeClean(_ objects: [ManagedObject], of home: ObjectHome) {
    // With nothing else in them, the edits are emptied as a whole.
    let isAll = objects.count == home.changedCount
    let emptiesEdits = home.edits.usedCount == objects.count { $0.standing >= 0 }
    for object in objects {
      if object.isDeleted {
        self.expel(object)
        continue
      }
      object.flags.subtract([.inserted, .updated])
      if object.standing >= 0 {
        if emptiesEdits {
          object.standing = ManagedObject.plain
        } else {
          object.dropEdits(standing: ManagedObject.plain)
        }
      }
      if let extras = object.extras { for list in extras.toMany { list.becomeSaved() } }
      if !self.assignments.isEmpty { self.assignments[ObjectIdentifier(object)] = nil }
      if !isAll { home.removeChanged(object) }
    }
    if isAll { home.removeAllChanged() }
    if emptiesEdits { home.edits.removeAll() }
  }
}
