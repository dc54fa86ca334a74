internal import FederatedModel
internal import Foundation

extension WholeFileStore {
  public func prepare(_ changes: ChangeSet, save: SaveIdentifier) throws(StoreError) -> any PreparedSave {
    guard let base = try self.hold(for: changes) else { return EmptySave() }
    do throws(StoreError) {
      let table = changes.isEmpty ? base.table : try base.table.applying(changes)
      try table.checkUniqueness(of: changes)
      let lock = try self.lock()
      let metadata = self.metadata(base.metadata, with: save)
      let file = try self.write(table, metadata, changes, over: base)
      return WholeFileSave(of: table, metadata, staged: base.staged, file, lock, in: self)
    } catch {
      self.release()
      throw error.located(in: self.description.url)
    }
  }

  /// What a save starts from.
  struct StartOfSave {
    var table: RowTable
    var metadata: StoreMetadata
    /// The metadata that was staged, if any.
    var staged: StoreMetadata?
    var stamp: FileStamp?
  }

  /// Marks the store as held by one save; nil when there is nothing to write.
  private func hold(for changes: ChangeSet) throws(StoreError) -> StartOfSave? {
    let url = self.description.url
    return try self.state.withLock { (state) throws(StoreError) in
      try self.checkOpen(state)
      if changes.isEmpty, state.staged == nil { return nil }
      guard !self.description.isReadOnly else {
        throw StoreError(.readOnly, store: url, "the store was opened read-only; its rows cannot be saved")
      }
      guard !state.isHeld else {
        throw StoreError(.locked, store: url, "another save is prepared; commit or abandon it first")
      }
      state.isHeld = true
      let metadata = state.staged ?? state.refreshed ?? state.metadata
      return StartOfSave(
        table: state.table, metadata: metadata, staged: state.staged, stamp: state.stamp)
    }
  }

  /// The metadata that a save writes. A store without a file keeps no identifier: nobody finds it there later.
  func metadata(_ metadata: StoreMetadata, with save: SaveIdentifier) -> StoreMetadata {
    guard save.isJoint, self.format != nil else { return metadata }
    var metadata = metadata
    metadata.lastJointSave = save
    return metadata
  }

  func write(
    _ table: RowTable, _ metadata: StoreMetadata, _ changes: ChangeSet, over base: StartOfSave
  ) throws(StoreError) -> AtomicFileWrite? {
    guard let format = self.format, let url = self.description.url else { return nil }
    guard FileStamp(url) == base.stamp else { throw FileLock.changed(url) }
    let original = base.stamp == nil ? nil : ByteSource(file: url)
    return try AtomicFileWrite(replacing: url) { (sink) throws(StoreError) in
      try format.write(table, metadata: metadata, changes: changes, over: original, to: &sink)
    }
  }

  func lock() throws(StoreError) -> FileLock? {
    guard self.format != nil, let url = self.description.url else { return nil }
    return try FileLock(url)
  }

  func release() { self.state.withLock { $0.isHeld = false } }

  /// - Parameter staged: what was staged when the save began, and is written now.
  func adopt(_ table: RowTable, _ metadata: StoreMetadata, staged: StoreMetadata?) {
    let stamp = self.description.url.flatMap(FileStamp.init)
    self.state.withLock { state in
      state.table = table
      if state.staged == staged { state.staged = nil }
      state.metadata = metadata
      state.refreshed = nil
      state.stamp = self.format == nil ? nil : stamp
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
    do throws(StoreError) {
      try self.file?.commit()
    } catch {
      self.file?.abandon()
      self.lock?.release()
      self.store.release()
      throw error
    }
    self.store.adopt(self.table, self.metadata, staged: self.staged)
    self.lock?.release()
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
