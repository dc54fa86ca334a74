package import FederatedModel
package import Foundation

/// Brings one store what it lacks of saves over several stores that have happened.
package struct JournalRecovery {
  private let files: SideFiles
  private let isReadOnly: Bool
  /// Whether the file is one of others, whose identifier is its place.
  private let isForeign: Bool
  private let metadata: () throws(StoreError) -> StoreMetadata
  private let recover: (SaveJournal, SaveJournal.Participant, URL) throws(StoreError) -> Void

  /// For a store that is not open yet.
  /// - Parameter open: opens the store without looking for journals.
  init(
    _ description: PersistentStoreDescription, at url: URL, _ model: ManagedObjectModel,
    _ readMetadata: (@Sendable (URL) throws(StoreError) -> StoreMetadata)?,
    _ open:
      @escaping @Sendable (PersistentStoreDescription, ManagedObjectModel) throws(StoreError) ->
      any PersistentStore
  ) {
    self.files = SideFiles(of: url)
    self.isReadOnly = description.isReadOnly
    self.isForeign = description.mapping != nil
    self.metadata = { () throws(StoreError) in
      // A file of others says nothing of itself.
      if let readMetadata, description.mapping == nil { return try readMetadata(url) }
      let store = try open(description, model)
      defer { store.close() }
      return store.metadata
    }
    self.recover = { (journal, participant, place) throws(StoreError) in
      let model = try journal.frozenModel(at: place)
      var description = description
      description.configuration = participant.configuration
      // The save was made under the journal's model, whatever the file says so far.
      description.ignoresModelVersion = true
      let store = try open(description, model)
      defer { store.close() }
      try store.recover(try journal.changes(of: participant, model, at: place))
    }
  }

  /// For an open store.
  package init(_ store: any PersistentStore, at url: URL, _ model: ManagedObjectModel) {
    self.files = SideFiles(of: url)
    self.isReadOnly = store.capabilities.contains(.readOnly)
    self.isForeign = store.description.mapping != nil
    self.metadata = { () throws(StoreError) in store.metadata }
    self.recover = { (journal, participant, place) throws(StoreError) in
      guard JournalModel.haveSameRows(try journal.frozenModel(at: place), model) else {
        throw StoreError(
          .incompatibleModel, store: url,
          "the save was made under another model than the store is open with; close the store and open it again"
        )
      }
      try store.recover(try journal.changes(of: participant, model, at: place))
    }
  }

  /// Whether a pointer tells of a save that the store may lack. Cheap when there is no pointer.
  package static func isPending(beside files: SideFiles, store: UUID) throws(StoreError) -> Bool {
    guard files.hasPointer else { return false }
    return try JournalPointer(beside: files).entries.contains { !$0.isDone && $0.store == store }
  }

  /// Rolls the store forward, and takes away what no participant needs any more.
  ///
  /// A read-only store is not touched: it is refused when it lacks a save.
  /// - Parameter isLocked: whether the caller has the store's ``StoreLock``.
  /// - Throws: `recoveryPending` when the store lacks a save and cannot be given it now.
  package func settle(isLocked: Bool = false) throws(StoreError) {
    guard self.files.hasPointer else { return }
    let lock = isLocked || self.isReadOnly ? nil : try StoreLock(self.files)
    defer { lock?.release() }
    let own = try self.metadata()
    // The lock may have been waited for; what stands there now counts.
    for entry in try JournalPointer(beside: self.files).entries
    where entry.store == own.uuid || self.isForeign && entry.isOfForeignFile {
      try self.settle(entry, own)
    }
  }

  private func settle(_ entry: JournalPointer.Entry, _ own: StoreMetadata) throws(StoreError) {
    let hasSave = entry.isDone || own.lastJointSave?.uuid == entry.save
    guard let journal = entry.foundJournal(from: self.files), let contents = try SaveJournal(at: journal)
    else {
      if !hasSave, entry.path != self.files.store.path(percentEncoded: false) {
        throw self.pending(
          entry, nil,
          "the store was moved while a save over several stores was under way, and its journal is not here; put the "
            + "journal beside the store, or remove \(self.files.pointer.path(percentEncoded: false)) to give the "
            + "save up")
      }
      if !hasSave, !entry.knowsThatJournalIsGone(from: self.files) {
        throw self.pending(
          entry, nil,
          "a save over several stores was under way, and the store beside which its journal stands was moved or removed; "
            + "put that back with its hidden files, or remove \(self.files.pointer.path(percentEncoded: false)) to give "
            + "the save up")
      }
      // Never sealed, or finished everywhere.
      if !self.isReadOnly { try self.forget(entry) }
      return
    }
    if self.isReadOnly {
      if hasSave { return }
      throw self.pending(
        entry, nil,
        "the store lacks its part of a save that has happened, and it is opened read-only; open it for writing once, "
          + "or run: federate recover --apply \(self.files.store.path(percentEncoded: false))")
    }
    if !entry.isDone {
      try self.rollForward(entry, contents, journal)
      // The pointer says so for as long as the journal is kept for others.
      try JournalPointer.markDone(contents.save, store: entry.store, beside: self.files)
    }
    do { try self.finishIfDone(contents, journal, entry) } catch {
      // This store has the save. A participant that cannot be asked is not known to have it, so the journal stays;
      // so does one that cannot be removed. Both are told of by ``PendingSave/all(ofStoreAt:types:alsoAt:)``.
      return
    }
  }

  private func rollForward(
    _ entry: JournalPointer.Entry, _ journal: SaveJournal, _ place: URL
  ) throws(StoreError) {
    guard let participant = journal.participants.first(where: { $0.store == entry.store }) else {
      throw self.pending(
        entry, nil, "the journal names other stores than its pointer does; restore it from a copy")
    }
    do { try self.recover(journal, participant, place) } catch {
      throw self.pending(
        entry, error,
        "the store lacks its part of a save that has happened, and cannot be given it now (\(error.detail)); put "
          + "that right and open the store again")
    }
  }

  private func forget(_ entry: JournalPointer.Entry) throws(StoreError) {
    var pointer = try JournalPointer(beside: self.files)
    pointer.entries.removeAll { $0.save == entry.save && $0.store == entry.store }
    try pointer.write(beside: self.files)
  }

  private func finishIfDone(
    _ contents: SaveJournal, _ journal: URL, _ entry: JournalPointer.Entry
  ) throws(StoreError) {
    let survey = ParticipantSurvey.ofPointers(places: [self.files.store])
    let state = try PendingSave(contents, at: journal, survey: survey)
    guard state.participants.allSatisfy({ $0.state == .done }) else { return }
    try JournalCleaning.remove(journal)
    try self.forget(entry)
    for other in state.participants where other.store != entry.store {
      JournalCleaning.forget(contents.save, beside: SideFiles(of: other.url))
    }
  }

  private func pending(_ entry: JournalPointer.Entry, _ cause: StoreError?, _ detail: String) -> StoreError {
    StoreError(
      .recoveryPending, store: self.files.store, place: .path(entry.journal), rows: cause?.rows ?? [],
      underlying: cause, detail)
  }
}

/// Takes away what a finished save leaves.
package enum JournalCleaning {
  /// Removes a journal so that it stays removed. Afterwards its stores may take part in other saves.
  package static func remove(_ journal: URL) throws(StoreError) {
    guard unlink(journal.path(percentEncoded: false)) == 0 || errno == ENOENT else {
      throw StoreError.system(errno, "removed", journal)
    }
    try FolderSync.sync(folderOf: journal)
  }

  /// Makes sure that a journal which stands under its name, though nobody can say how durably, never counts.
  package static func takeBack(_ journal: URL) throws(StoreError) {
    let file = open(journal.path(percentEncoded: false), O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw StoreError.system(errno, "taken back", journal) }
    defer { close(file) }
    // Without content it is none, whether or not its name outlives a loss of power.
    let isEmpty = ftruncate(file, 0) == 0 && fsync(file) == 0
    do { try self.remove(journal) } catch { if !isEmpty { throw error } }
  }

  /// Takes a save out of a store's pointer, unless somebody is at work there. An entry whose journal is gone does
  /// no harm: the next opening takes it away, so nothing is reported.
  package static func forget(_ save: SaveIdentifier, beside files: SideFiles) {
    guard files.hasPointer else { return }
    do {
      let lock = try StoreLock(files, waiting: 0)
      defer { lock.release() }
      try self.forgetLocked(save, beside: files)
    } catch { return }
  }

  /// The same, by a caller that has the store's lock.
  package static func forgetLocked(_ save: SaveIdentifier, beside files: SideFiles) throws(StoreError) {
    var pointer = try JournalPointer(beside: files)
    pointer.remove(save)
    try pointer.write(beside: files)
  }
}
