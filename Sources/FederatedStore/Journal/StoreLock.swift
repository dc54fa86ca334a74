internal import Foundation

/// Keeps other saves over several stores, and the repair of one that broke off, away from a store.
///
/// A lock file beside the store that only its holder removes; the lock itself goes with the file descriptor, so
/// also when the process ends. Whoever needs several takes them in the order of the stores' identifiers.
package final class StoreLock: Sendable {
  private let file: Int32
  private let path: String
  private let isHeld = Lock(true)

  /// How long ``init(_:waiting:)`` waits for another holder, in milliseconds.
  package static let patience = 5000

  /// - Parameter milliseconds: how long to wait while somebody else has the lock.
  /// - Throws: `locked` when the wait was in vain, `readOnly` when no file can be made beside the store.
  package init(_ files: SideFiles, waiting milliseconds: Int = StoreLock.patience) throws(StoreError) {
    let path = files.lock.path(percentEncoded: false)
    self.path = path
    self.file = try FileLock.hold(
      files.lock, of: files.store, waiting: milliseconds,
      busy: "another program is in the middle of a save over several stores; try again when it is done"
    ) { () throws(StoreError) in
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      guard file < 0 else { return file }
      let number = errno
      guard number == EACCES || number == EPERM || number == EROFS else {
        throw StoreError.system(number, "locked", files.store)
      }
      throw StoreError(
        .readOnly, store: files.store,
        "no lock can be made beside the file; a save over several stores writes into its folder: make that "
          + "writable")
    }
  }

  deinit { self.release() }

  /// Lets others in, and takes the lock file away.
  package func release() {
    let wasHeld = self.isHeld.withLock { isHeld in
      defer { isHeld = false }
      return isHeld
    }
    guard wasHeld else { return }
    unlink(self.path)
    close(self.file)
  }
}
