internal import Foundation

/// Keeps other processes, and other stores of this one, from saving the same file: from before a save looks at
/// the file until its successor stands there.
///
/// An advisory lock on the file itself. It goes with the file descriptor, so also when the process ends.
final class FileLock: Sendable {
  private let file: Int32

  /// How long a save waits for another one, in milliseconds.
  static let patience = 5000

  /// - Parameter milliseconds: how long to wait while somebody else has the lock.
  /// - Throws: `locked` when the wait was in vain, `changedUnderneath` when the file is gone.
  init(_ url: URL, waiting milliseconds: Int = FileLock.patience) throws(StoreError) {
    var waited = 0
    while true {
      let file = open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
      guard file >= 0 else {
        if errno == ENOENT { throw FileLock.changed(url) }
        throw StoreError.system(errno, "locked", url)
      }
      if flock(file, LOCK_EX | LOCK_NB) == 0 {
        // The holder before has put another file in the place of the one that was opened here.
        if FileLock.isSameFile(file, url) {
          self.file = file
          return
        }
        close(file)
        continue
      }
      let number = errno
      close(file)
      guard number == EWOULDBLOCK || number == EINTR else { throw StoreError.system(number, "locked", url) }
      guard waited < milliseconds else {
        throw StoreError(.locked, store: url, "another program is saving the file; try again")
      }
      usleep(2000)
      waited += 2
    }
  }

  static func isSameFile(_ file: Int32, _ url: URL) -> Bool {
    var (held, named) = (stat(), stat())
    return fstat(file, &held) == 0 && stat(url.path(percentEncoded: false), &named) == 0
      && held.st_ino == named.st_ino && held.st_dev == named.st_dev
  }

  deinit { close(self.file) }

  /// Lets others save. Called once the save is over, whatever still holds it.
  func release() { flock(self.file, LOCK_UN) }

  static func changed(_ url: URL) -> StoreError {
    StoreError(
      .changedUnderneath, store: url,
      "another program changed the file since it was read; open the store again and repeat the changes")
  }
}
