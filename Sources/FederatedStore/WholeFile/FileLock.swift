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
    self.file = try FileLock.hold(
      url, of: url, waiting: milliseconds, busy: "another program is saving the file; try again"
    ) { () throws(StoreError) in
      let file = open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
      guard file < 0 else { return file }
      if errno == ENOENT { throw FileLock.changed(url) }
      throw StoreError.system(errno, "locked", url)
    }
  }

  /// Opens and locks a file, as often as it takes until the locked one is the one that stands at its place.
  /// - Parameters:
  ///   - store: what errors name.
  ///   - busy: what to say when the wait was in vain.
  static func hold(
    _ url: URL, of store: URL, waiting milliseconds: Int, busy: String,
    opening: () throws(StoreError) -> Int32
  ) throws(StoreError) -> Int32 {
    var waited = 0
    while true {
      let file = try opening()
      if flock(file, LOCK_EX | LOCK_NB) == 0 {
        // The holder before has replaced or removed the file that was opened here.
        if FileLock.isSameFile(file, url) { return file }
        close(file)
        continue
      }
      let number = errno
      close(file)
      guard number == EWOULDBLOCK || number == EINTR else {
        throw StoreError.system(number, "locked", store)
      }
      guard waited < milliseconds else { throw StoreError(.locked, store: store, busy) }
      usleep(2000)
      waited += 2
    }
  }

  private static func isSameFile(_ file: Int32, _ url: URL) -> Bool {
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
