internal import FederatedModel
internal import Foundation

extension WholeFileStore {
  public func reload() throws(StoreError) {
    guard let format = self.format, let url = self.description.url else { return }
    let known = try self.state.withLock { (state) throws(StoreError) in
      try self.checkOpen(state)
      return (table: state.table, version: state.version)
    }
    let file: OpenedFile
    do throws(StoreError) { file = try self.reread(url, format, after: known.table) } catch {
      throw error.located(in: url)
    }
    self.state.withLock { state in
      // A save that has begun meanwhile looks at the file itself.
      if state.version == known.version, !state.isHeld { state.take(file) }
    }
  }

  /// Reads the file again when somebody else wrote it, so that new rows get numbers that are free. What cannot be
  /// read now the save that follows will say.
  func reloadIfChanged() throws(StoreError) {
    guard self.format != nil, let url = self.description.url else { return }
    let (stamp, isIdle) = self.state.withLock { ($0.stamp, !$0.isHeld && !$0.isClosed) }
    guard isIdle, let now = FileStamp(url), now != stamp else { return }
    try self.reload()
  }

  /// What a save starts from, under the file's lock: the store as it stands there now.
  ///
  /// The same stamp may hide a change, which the digest shows when the file is copied; another one may hide that
  /// nothing has changed.
  func current(_ base: StartOfSave) throws(StoreError) -> StartOfSave {
    guard let format = self.format, let url = self.description.url else { return base }
    guard let stamp = FileStamp(url) else { throw FileLock.changed(url) }
    if stamp == base.stamp { return base }
    if let digest = base.digest, try self.digest(of: url) == digest {
      var base = base
      base.stamp = stamp
      return base
    }
    return try self.reloaded(base, url, format)
  }

  /// What a save starts from after the file turned out to be another one.
  func reloaded(
    _ base: StartOfSave, _ url: URL, _ format: some WholeFileFormat
  ) throws(StoreError) -> StartOfSave {
    let file = try self.reread(url, format, after: base.table)
    self.state.withLock { $0.take(file) }
    var next = base
    next.table = file.table
    next.metadata = base.staged ?? file.refreshedMetadata ?? file.metadata
    next.stamp = file.stamp
    next.digest = file.digest
    return next
  }

  /// The file as it is now, with versions that go on from those of the rows known so far.
  /// - Throws: `changedUnderneath` when another store has taken the file's place.
  func reread(
    _ url: URL, _ format: some WholeFileFormat, after known: RowTable
  ) throws(StoreError) -> OpenedFile {
    var file = try OpenedFile(rereading: url, format, self.description, self.model, store: self.id)
    let own = self.state.withLock { $0.metadata.uuid }
    guard file.metadata.uuid == own else {
      throw StoreError(
        .changedUnderneath, store: url,
        "another store (\(file.metadata.uuid.uuidString)) has taken the place of this one (\(own.uuidString)); close the "
          + "store and open the file anew")
    }
    file.table = file.table.continuing(known)
    return file
  }

  private func digest(of url: URL) throws(StoreError) -> ContentDigest? {
    let box = DigestBox()
    try ByteSource(file: url, self.description, digest: box).read { (_) throws(StoreError) in true }
    return box.digest
  }
}

extension WholeFileStore.State {
  /// Goes on from another reading of the file.
  fileprivate mutating func take(_ file: OpenedFile) {
    self.table = file.table
    self.metadata = file.metadata
    self.refreshed = file.refreshedMetadata
    self.stamp = file.stamp
    self.digest = file.digest
    self.diagnostics = file.diagnostics
    self.version += 1
    self.nextReference = max(self.nextReference, file.table.highestReference + 1)
  }
}
