internal import FederatedModel
internal import Foundation

extension WholeFileStore {
  public func prepare(_ changes: ChangeSet, save: SaveIdentifier) throws(StoreError) -> any PreparedSave {
    guard let base = try self.hold(for: changes) else { return EmptySave() }
    do throws(StoreError) {
      let lock = try self.lock()
      do throws(StoreError) {
        return try self.prepare(changes, save, over: try self.current(base), lock)
      } catch {
        lock?.release()
        throw error
      }
    } catch {
      self.release()
      throw error.located(in: self.description.url)
    }
  }

  /// Conflicts are with the rows that the file has now, whoever wrote them.
  private func prepare(
    _ changes: ChangeSet, _ save: SaveIdentifier, over base: StartOfSave, _ lock: FileLock?
  ) throws(StoreError) -> WholeFileSave {
    var base = base
    for _ in 0..<3 {
      let table = try base.table.applying(changes, names: self.state.withLock { $0.newNames })
      try table.checkUniqueness(of: changes)
      let metadata = self.metadata(base.metadata, with: save)
      guard let format = self.format, let url = self.description.url else {
        return WholeFileSave(of: table, metadata, staged: base.staged, nil, lock, in: self)
      }
      if let file = try self.write(table, metadata, changes, over: base, url, format) {
        return WholeFileSave(of: table, metadata, staged: base.staged, file, lock, in: self)
      }
      base = try self.reloaded(base, url, format)
    }
    throw StoreError(
      .changedUnderneath, store: self.description.url,
      "another program keeps changing the file without its lock; stop it and save again")
  }

  /// What a save starts from.
  struct StartOfSave {
    var table: RowTable
    var metadata: StoreMetadata
    /// The metadata that was staged, if any.
    var staged: StoreMetadata?
    var stamp: FileStamp?
    var digest: ContentDigest?

    init(_ state: State, metadata: StoreMetadata) {
      self.table = state.table
      self.metadata = metadata
      self.staged = state.staged
      self.stamp = state.stamp
      self.digest = state.digest
    }
  }

  /// Marks the store as held by one save; nil when there is nothing to write.
  private func hold(for changes: ChangeSet) throws(StoreError) -> StartOfSave? {
    let url = self.description.url
    return try self.state.withLock { (state) throws(StoreError) in
      try self.checkOpen(state)
      if changes.isEmpty, state.staged == nil {
        if !changes.expected.isEmpty { try state.table.checkConflicts(changes) }
        return nil
      }
      guard !self.description.isReadOnly else {
        throw StoreError(.readOnly, store: url, "the store was opened read-only; its rows cannot be saved")
      }
      guard !state.isHeld else {
        throw StoreError(.locked, store: url, "another save is prepared; commit or abandon it first")
      }
      state.isHeld = true
      return StartOfSave(state, metadata: state.staged ?? state.refreshed ?? state.metadata)
    }
  }

  /// The metadata that a save writes. A store without a file keeps no identifier: nobody finds it there later.
  func metadata(_ metadata: StoreMetadata, with save: SaveIdentifier) -> StoreMetadata {
    guard save.isJoint, self.format?.keepsMetadata ?? false else { return metadata }
    var metadata = metadata
    metadata.lastJointSave = save
    return metadata
  }

  /// Writes the new file beside the old one, from which it copies what stays.
  /// - Returns: nil when the old one turned out to be another than was read, though its stamp is the same.
  func write(
    _ table: RowTable, _ metadata: StoreMetadata, _ changes: ChangeSet, over base: StartOfSave, _ url: URL,
    _ format: some WholeFileFormat
  ) throws(StoreError) -> AtomicFileWrite? {
    let digest = DigestBox()
    let original = base.stamp == nil ? nil : ByteSource(file: url, self.description, digest: digest)
    let file: AtomicFileWrite
    do throws(StoreError) {
      file = try AtomicFileWrite(replacing: url) { (sink) throws(StoreError) in
        try format.write(table, metadata: metadata, changes: changes, over: original, to: &sink)
      }
    } catch {
      // What does not fit together may be of two files.
      if let old = digest.digest, let known = base.digest, old != known { return nil }
      throw error
    }
    guard let known = base.digest, let old = digest.digest, old != known else { return file }
    file.abandon()
    return nil
  }

  func lock() throws(StoreError) -> FileLock? {
    guard self.format != nil, let url = self.description.url else { return nil }
    return try FileLock(url)
  }

  func release() { self.state.withLock { $0.isHeld = false } }

  /// - Parameter staged: what was staged when the save began, and is written now.
  func adopt(
    _ table: RowTable, _ metadata: StoreMetadata, staged: StoreMetadata?, file: FileContent?
  ) {
    let now = self.description.url.flatMap(FileStamp.init)
    // Between the commit and this look somebody else may have put a file of his own there.
    let stamp = now?.inode == file?.inode ? now : nil
    self.state.withLock { state in
      state.table = table
      if state.staged == staged { state.staged = nil }
      state.metadata = metadata
      state.refreshed = nil
      state.stamp = stamp
      state.digest = file?.digest
      state.version += 1
      state.nextReference = max(state.nextReference, table.highestReference + 1)
      state.isHeld = false
    }
  }
}

/// A version of the rows, and its file beside the store's, that wait for commit.
private final class WholeFileSave: PreparedSave {
  private let store: WholeFileStore
  private let table: RowTable
  private let metadata: StoreMetadata
  private let staged: StoreMetadata?
  private let file: AtomicFileWrite?
  /// Held until the save is over.
  private let lock: FileLock?
  private let isOver = Lock(false)

  init(
    of table: RowTable, _ metadata: StoreMetadata, staged: StoreMetadata?, _ file: AtomicFileWrite?,
    _ lock: FileLock?, in store: WholeFileStore
  ) {
    self.store = store
    self.table = table
    self.metadata = metadata
    self.staged = staged
    self.file = file
    self.lock = lock
  }

  deinit { self.abandon() }

  func commit() throws(StoreError) {
    guard self.end() else { return }
    defer { self.lock?.release() }
    do throws(StoreError) {
      try self.file?.replace()
    } catch {
      self.file?.abandon()
      self.store.release()
      throw error
    }
    self.store.adopt(self.table, self.metadata, staged: self.staged, file: self.file?.content)
    do throws(StoreError) { try self.file?.makeDurable() } catch {
      throw self.store.isUncertain(because: error)
    }
  }

  func abandon() {
    guard self.end() else { return }
    self.file?.abandon()
    self.lock?.release()
    self.store.release()
  }

  /// Whether this is the call that ends the save.
  private func end() -> Bool {
    self.isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }
}

/// A save of nothing.
private struct EmptySave: PreparedSave {
  func commit() throws(StoreError) {}
  func abandon() {}
}
