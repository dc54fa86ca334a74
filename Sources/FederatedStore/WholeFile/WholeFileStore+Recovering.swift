internal import FederatedModel
internal import Foundation

extension WholeFileStore {
  public func recover(_ changes: SealedChanges) throws(StoreError) {
    let base = try self.holdForRecovery()
    do throws(StoreError) {
      try self.recover(changes, over: base)
    } catch {
      self.release()
      throw error.located(in: self.description.url)
    }
  }

  /// The file of a save stands where everybody sees it, and that it does may not be on disk: no old state to go back
  /// to, and no certainty yet.
  func isUncertain(because error: StoreError) -> StoreError {
    self.state.withLock { $0.awaitsSync = true }
    return StoreError(
      .recoveryPending, store: self.description.url, underlying: error,
      "the file has the save, and it is not certain that it would after a loss of power (\(error.detail)); every use "
        + "of the store tries again")
  }

  func holdForRecovery() throws(StoreError) -> StartOfSave {
    let url = self.description.url
    return try self.state.withLock { (state) throws(StoreError) in
      try self.checkOpen(state)
      guard !self.description.isReadOnly else {
        throw StoreError(.readOnly, store: url, "the store was opened read-only; it cannot be given a save")
      }
      guard !state.isHeld else {
        throw StoreError(.locked, store: url, "another save is prepared; commit or abandon it first")
      }
      state.isHeld = true
      return StartOfSave(state, metadata: state.metadata)
    }
  }

  private func recover(_ sealed: SealedChanges, over base: StartOfSave) throws(StoreError) {
    guard let format = self.format, let url = self.description.url else {
      let rest = try sealed.remaining { (row) throws(StoreError) in base.table.row(row) }
      return self.adopt(
        try base.table.applying(rest), sealed.metadata ?? base.metadata, staged: sealed.metadata, file: nil)
    }
    let lock = try FileLock(url)
    defer { lock.release() }
    if !sealed.save.isJoint, self.state.withLock({ $0.awaitsSync }) {
      // Nothing is lacking but the certainty; others may have saved over it since.
      do throws(StoreError) { try FolderSync.sync(folderOf: url) } catch {
        throw self.isUncertain(because: error)
      }
      self.state.withLock { $0.awaitsSync = false }
      return self.release()
    }
    let current = try self.reread(url, format, after: base.table)
    if sealed.save.isJoint, current.metadata.lastJointSave?.uuid == sealed.save.uuid {
      // The file stands there; that it replaced the old one may not have reached the disk.
      try FolderSync.sync(folderOf: url)
      return self.adopt(
        current.table, current.metadata, staged: sealed.metadata,
        file: current.stamp.map { FileContent(inode: $0.inode, digest: current.digest) })
    }
    let rest = try sealed.remaining { (row) throws(StoreError) in current.table.row(row) }
    let table = try current.table.applying(rest)
    let metadata = self.metadata(
      sealed.metadata ?? current.refreshedMetadata ?? current.metadata, with: sealed.save)
    var original = base
    (original.stamp, original.digest) = (current.stamp, current.digest)
    guard let file = try self.write(table, metadata, rest, over: original, url, format) else {
      throw FileLock.changed(url)
    }
    do throws(StoreError) { try file.commit() } catch {
      file.abandon()
      throw error
    }
    self.adopt(table, metadata, staged: sealed.metadata, file: file.content)
  }
}
