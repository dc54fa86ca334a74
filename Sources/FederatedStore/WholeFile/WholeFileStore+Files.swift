internal import FederatedModel
public import Foundation

/// What is done with a file while no store has it open.
extension WholeFileStore {
  /// Replaces the metadata in a file; every row stays as it stands there.
  static func write(
    _ metadata: StoreMetadata, at url: URL, _ format: some WholeFileFormat
  ) throws(StoreError) {
    guard FileStamp(url) != nil else { throw StoreError(.missingFile, store: url, "there is no such file") }
    let lock = try FileLock(url)
    defer { lock.release() }
    var metadata = metadata
    metadata.type = format.typeName
    let file = try AtomicFileWrite(replacing: url) { (sink) throws(StoreError) in
      try format.writeMetadata(metadata, over: ByteSource(file: url), to: &sink)
    }
    try file.commit()
  }

  /// Makes a file what another one is, byte for byte.
  static func replace(_ url: URL, by source: URL, _ format: some WholeFileFormat) throws(StoreError) {
    _ = try format.readMetadata(ByteSource(file: source))
    let isThere = (FileStamp(url)?.size ?? 0) > 0
    // What is no store of this type is nobody's to overwrite.
    if isThere { _ = try format.readMetadata(ByteSource(file: url)) }
    let lock = isThere ? try FileLock(url) : nil
    defer { lock?.release() }
    let file = try AtomicFileWrite(replacing: url) { (sink) throws(StoreError) in
      try ByteSource(file: source).read { (chunk) throws(StoreError) in
        sink.write(bytes: chunk)
        return true
      }
    }
    try file.commit()
  }
}

extension WholeFileStore {
  /// The same store over another file.
  ///
  /// Where none is, the store's rows are written there at once, and the old file stays as it is. A file that is there
  /// must be this store's own, moved or copied.
  public func relocated(to url: URL) throws(StoreError) -> any PersistentStore {
    guard let format = self.format, let old = self.description.url else {
      throw StoreError(.unsupported, store: nil, "a store in memory has no file; migrate it to another type")
    }
    do throws(StoreError) {
      return (FileStamp(url)?.size ?? 0) > 0
        ? try self.reopened(at: url, format) : try self.copied(from: old, to: url, format)
    } catch {
      throw error.located(in: url)
    }
  }

  private func reopened(at url: URL, _ format: some WholeFileFormat) throws(StoreError) -> WholeFileStore {
    let known = try self.state.withLock { (state) throws(StoreError) in
      try self.checkOpen(state)
      return state
    }
    var description = self.description
    description.url = url
    var file = try OpenedFile(rereading: url, format, description, self.model, store: self.id)
    guard file.metadata.uuid == known.metadata.uuid else {
      throw StoreError(
        .alreadyExists, store: url,
        "another store (\(file.metadata.uuid.uuidString)) stands there; choose another place, or attach that one"
      )
    }
    file.table = file.table.continuing(known.table)
    return self.successor(format, description, file, after: known)
  }

  private func copied(
    from old: URL, to url: URL, _ format: some WholeFileFormat
  ) throws(StoreError) -> WholeFileStore {
    let base = try self.holdForRecovery()
    defer { self.release() }
    let lock = try FileLock(old)
    defer { lock.release() }
    let current = try self.current(base)
    let file = try AtomicFileWrite(replacing: url) { (sink) throws(StoreError) in
      try format.write(
        current.table, metadata: current.metadata, changes: ChangeSet(), over: ByteSource(file: old),
        to: &sink)
    }
    try file.commit()
    var description = self.description
    description.url = url
    let opened = OpenedFile(
      table: current.table, metadata: current.metadata, stamp: FileStamp(url), digest: file.content.digest)
    return self.successor(format, description, opened, after: self.state.withLock { $0 })
  }

  private func successor(
    _ format: some WholeFileFormat, _ description: PersistentStoreDescription, _ file: OpenedFile,
    after known: State
  ) -> WholeFileStore {
    let store = WholeFileStore(self.id, format, description, self.model, file)
    store.state.withLock { state in
      state.staged = known.staged
      state.version = known.version + 1
      state.nextReference = max(state.nextReference, known.nextReference)
    }
    return store
  }
}
