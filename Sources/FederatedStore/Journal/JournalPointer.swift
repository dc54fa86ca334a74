package import Foundation

/// The file beside a store that names the journals of its unfinished saves over several stores.
///
/// Written and made durable before the save's commit point, removed when every participant has the save. An entry
/// whose journal does not exist tells of a save that never happened, or that is finished everywhere.
package struct JournalPointer: Codable, Sendable {
  package var entries: [Entry] = []

  /// One save that the store takes part in.
  package struct Entry: Codable, Sendable {
    package var save: UUID
    /// The identifier of the store that the entry is about.
    package var store: UUID
    /// Where that store was when the entry was written.
    package var path: String
    package var journal: String
    /// The journal's path from the pointer's folder.
    package var relativeJournal: String
    /// Whether this store has the save: the journal is kept for others.
    package var isDone = false

    package init(save: SaveIdentifier, store: UUID, files: SideFiles, journal: URL) {
      self.save = save.uuid
      self.store = store
      self.path = files.store.path(percentEncoded: false)
      self.journal = journal.path(percentEncoded: false)
      self.relativeJournal = journal.path(relativeTo: files.folder)
    }

    /// The journal, where pointer and journal moved together or where it was; nil when it is in neither place.
    package func foundJournal(from files: SideFiles) -> URL? {
      let beside = files.folder.appending(path: self.relativeJournal).standardizedFileURL
      return [beside, URL(filePath: self.journal)].first(where: \.isThere)
    }

    /// Whether the store beside which the journal stood is still there: only then does a journal that is not tell
    /// that there is none.
    package func knowsThatJournalIsGone(from files: SideFiles) -> Bool {
      let beside = files.folder.appending(path: self.relativeJournal).standardizedFileURL
      return [beside, URL(filePath: self.journal)].contains { journal in
        let name = journal.lastPathComponent
        guard name.hasPrefix("."), let end = name.range(of: ".joint-", options: .backwards) else {
          return false
        }
        let store = name[name.index(after: name.startIndex)..<end.lowerBound]
        return journal.deletingLastPathComponent().appending(path: String(store)).isThere
      }
    }

    /// Whether the entry is about a file of others, whose identifier is its place.
    var isOfForeignFile: Bool {
      StoreMetadata.foreign("", at: URL(filePath: self.path)).uuid == self.store
    }
  }

  package init() {}

  /// The pointer beside a store; without entries when there is none.
  /// - Throws: `malformed` when the file is no pointer.
  package init(beside files: SideFiles) throws(StoreError) {
    let url = files.pointer
    guard url.isThere else { return }
    let bytes = try ByteSource(file: url).contents()
    do { self = try PropertyListDecoder().decode(JournalPointer.self, from: bytes) } catch {
      throw StoreError(
        .malformed, store: files.store, place: .path(url.path(percentEncoded: false)), underlying: error,
        "the file that points to unfinished saves cannot be read; restore it, or remove it if no save is pending"
      )
    }
  }

  /// Puts the entries beside the store, durably; without any, the file goes.
  package func write(beside files: SideFiles) throws(StoreError) {
    let url = files.pointer
    guard !self.entries.isEmpty else {
      guard unlink(url.path(percentEncoded: false)) == 0 || errno == ENOENT else {
        throw StoreError.system(errno, "removed", url)
      }
      return
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    let bytes: Data
    do { bytes = try encoder.encode(self) } catch {
      throw StoreError(
        .inputOutput, store: files.store, underlying: error, "the pointer to a journal cannot be made")
    }
    let file = try AtomicFileWrite(replacing: url) { (sink) throws(StoreError) in sink.write(bytes) }
    do throws(StoreError) { try file.commit() } catch {
      file.abandon()
      throw error
    }
  }

  /// Whether the store has a save, as far as the pointer knows; nil when it has no entry for it.
  package func isDone(_ save: SaveIdentifier, store: UUID) -> Bool? {
    self.entries.first { $0.save == save.uuid && $0.store == store }?.isDone
  }

  /// Says beside a store that it has a save, durably. The caller has the store's lock.
  /// - Parameter journal: where the journal is, so that a store without an entry gets one; nil leaves it without.
  package static func markDone(
    _ save: SaveIdentifier, store: UUID, journal: URL? = nil, beside files: SideFiles
  ) throws(StoreError) {
    var pointer = try JournalPointer(beside: files)
    if let place = pointer.entries.firstIndex(where: { $0.save == save.uuid && $0.store == store }) {
      pointer.entries[place].isDone = true
    } else if let journal {
      var entry = Entry(save: save, store: store, files: files, journal: journal)
      entry.isDone = true
      pointer.entries.append(entry)
    }
    try pointer.write(beside: files)
  }

  package mutating func remove(_ save: SaveIdentifier) {
    self.entries.removeAll { $0.save == save.uuid }
  }
}
