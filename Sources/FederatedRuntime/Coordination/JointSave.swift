import FederatedModel
import FederatedStore
import Foundation

/// What makes one save over several files all or none: their locks, the pointers beside them, and the journal.
///
/// The save has happened when the journal stands under its name; ``seal(_:)`` is that moment.
struct JointSave {
  /// A file store of the save, with its part.
  struct Member {
    let store: any PersistentStore
    let files: SideFiles
    let changes: SealedChanges
  }

  let save: SaveIdentifier
  /// In the order of their identifiers.
  let members: [Member]
  private let locks: [StoreLock]
  let journal: URL

  /// Takes the locks, in order.
  init(_ save: SaveIdentifier, _ members: [Member]) throws(SaveError) {
    self.save = save
    self.members = members
    self.journal = members[0].files.journal(of: save)
    var locks: [StoreLock] = []
    for member in members {
      do { locks.append(try StoreLock(member.files)) } catch {
        for lock in locks { lock.release() }
        throw .refused(store: member.store.description.name, underlying: error)
      }
    }
    self.locks = locks
  }

  func unlock() { for lock in self.locks { lock.release() } }

  /// The commit point: pointers first, so that no participant can miss the journal, then the journal.
  /// - Throws: `refused`; neither pointers nor a journal are left then.
  func seal(_ model: JournalModelArchive) throws(SaveError) {
    do throws(StoreError) {
      let contents = SaveJournal(save: self.save, try self.participants(), model: model)
      let file = try contents.written(to: self.journal, mode: self.mode)
      do throws(StoreError) {
        try self.point()
        try self.putInPlace(file)
      } catch {
        file.abandon()
        throw error
      }
    } catch {
      for member in self.members { self.forget(member) }
      throw .refused(store: self.name(of: error), underlying: error)
    }
  }

  private func participants() throws(StoreError) -> [SaveJournal.Participant] {
    var participants: [SaveJournal.Participant] = []
    for member in self.members {
      participants.append(
        try SaveJournal.participant(member.store, member.changes, journal: self.journal))
    }
    return participants
  }

  /// The journal holds rows of every participant: nobody may read it who may not read them all.
  private var mode: mode_t {
    self.members.reduce(0o666) { mode, member in
      var status = stat()
      guard stat(member.files.store.path(percentEncoded: false), &status) == 0 else { return mode }
      return mode & status.st_mode
    } | 0o600
  }

  private func point() throws(StoreError) {
    for member in self.members {
      var pointer = try JournalPointer(beside: member.files)
      pointer.entries.append(
        JournalPointer.Entry(
          save: self.save, store: member.store.metadata.uuid, files: member.files, journal: self.journal))
      try pointer.write(beside: member.files)
    }
  }

  private func putInPlace(_ file: AtomicFileWrite) throws(StoreError) {
    do throws(StoreError) { try file.commit() } catch {
      // Not renamed, or renamed and not durable: in the second case it must not come to count by and by.
      guard self.journal.isThere else { throw error }
      try JournalCleaning.takeBack(self.journal)
      throw error
    }
  }

  private func name(of error: StoreError) -> String? {
    let member = self.members.first { $0.files.store == error.store || $0.files.pointer == error.store }
    return member?.store.description.name ?? self.members[0].store.description.name
  }

  /// Every member has the save: the journal goes, durably, then the pointers.
  /// - Throws: when the journal cannot be removed; it is harmless as long as no other joint save is made.
  func finish() throws(StoreError) {
    try JournalCleaning.remove(self.journal)
    for member in self.members { self.forget(member) }
  }

  /// Some members lack the save: the others say beside their files that they have it, so that the journal can go
  /// when the last one has.
  func mark(except late: Set<StoreID>) {
    for member in self.members where !late.contains(member.store.id) {
      do {
        try JournalPointer.markDone(self.save, store: member.store.metadata.uuid, beside: member.files)
      } catch {
        // The store itself has the identifier of the save, and is asked when it is opened.
        continue
      }
    }
  }

  private func forget(_ member: Member) {
    do { try JournalCleaning.forgetLocked(self.save, beside: member.files) } catch {
      // An entry without a journal means nothing; the next opening takes it away.
      return
    }
  }
}
