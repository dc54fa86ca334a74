internal import FederatedStore
package import Foundation

/// Which database files this process has open, so that nobody but SQLite opens them meanwhile.
///
/// SQLite's locks belong to the process: closing any descriptor of a file, whoever opened it, drops all of them. Another
/// process that closes its own connection then believes to be the last one, and takes the write-ahead log away from
/// under connections that go on with it: reads fail, and saves are lost.
package enum OpenDatabases {
  private static let counts = Lock<[FileNumber: Int]>([:])

  /// A file, by whatever path.
  struct FileNumber: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      self.device = UInt64(status.st_dev)
      self.inode = UInt64(status.st_ino)
    }
  }

  package static func contains(_ url: URL) -> Bool {
    guard let file = FileNumber(url.path(percentEncoded: false)) else { return false }
    return self.counts.withLock { $0[file] != nil }
  }

  /// Opens and closes a file by other means than SQLite's. No connection to any file begins its work meanwhile.
  /// - Returns: nil, without a call, when this process has the file open as a database.
  package static func unlessOpen<Result: Sendable, Failure: Error>(
    _ url: URL, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let file = FileNumber(url.path(percentEncoded: false))
    return try self.counts.withLock { (counts) throws(Failure) -> Result? in
      if let file, counts[file] != nil { return nil }
      return try body()
    }
  }

  /// - Returns: what ``remove(_:)`` takes; nil when there is no file.
  static func add(_ path: String) -> FileNumber? {
    guard let file = FileNumber(path) else { return nil }
    self.counts.withLock { $0[file, default: 0] += 1 }
    return file
  }

  static func remove(_ file: FileNumber) {
    self.counts.withLock { counts in
      let count = (counts[file] ?? 1) - 1
      counts[file] = count == 0 ? nil : count
    }
  }
}
