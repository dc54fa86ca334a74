internal import Foundation

/// Keeps other processes, and other stores of this one, from saving the same file: from before a save looks at
/// the file until its successor stands there.
///
/// An advisory lock on the file itself. It goes with the file descriptor, so also when the process ends.
final class FileLock: Sendable {
  private let file: Int32

  /// - Throws: `locked` when somebody else is saving, `changedUnderneath` when the file is gone.
  init(_ url: URL) throws(StoreError) {
    let file = open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { throw FileLock.changed(url) }
      throw StoreError.system(errno, "locked", url)
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      close(file)
      guard number == EWOULDBLOCK else { throw StoreError.system(number, "locked", url) }
      throw StoreError(.locked, store: url, "another program is saving the file; try again")
    }
    self.file = file
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
