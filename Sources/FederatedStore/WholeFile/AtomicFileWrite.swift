package import Foundation

/// A new file beside the one that it will replace: written, made durable, then renamed over it or removed.
///
/// The file keeps mode, owner and group of the one it replaces as far as the process may set them; a new file
/// gets what the umask leaves. A symbolic link is followed, so the file that it names is replaced.
package struct AtomicFileWrite: Sendable {
  /// The file to replace, after links.
  package let target: URL
  private let temporary: URL
  /// Which file the new one is, and what it holds.
  let content: FileContent

  /// Writes the temporary file and waits until it is on disk.
  /// - Parameter mode: the most rights that a new file gets.
  /// - Throws: what `write` throws, or what the system refuses; nothing is left behind then.
  package init(
    replacing url: URL, mode: mode_t = 0o666, _ write: (inout ByteSink) throws(StoreError) -> Void
  ) throws(StoreError) {
    self.target = try AtomicFileWrite.followingLinks(url)
    let name = ".\(self.target.lastPathComponent).\(UUID().uuidString.prefix(8)).new"
    self.temporary = self.target.deletingLastPathComponent().appending(path: name)
    let path = self.temporary.path(percentEncoded: false)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard file >= 0 else { throw StoreError.system(errno, "written beside", self.target) }
    do throws(StoreError) {
      defer { close(file) }
      let inode = try AtomicFileWrite.keepOwnership(file, of: self.target)
      var sink = ByteSink(file: file, url: url)
      try write(&sink)
      try sink.finish()
      self.content = FileContent(inode: inode, digest: sink.digest)
      guard fsync(file) == 0 else { throw StoreError.system(errno, "made durable", self.target) }
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Puts the new file in the place of the old one and waits until the folder is on disk.
  package func commit() throws(StoreError) {
    try self.replace()
    try self.makeDurable()
  }

  /// Puts the new file in the place of the old one: from here on everybody sees it.
  func replace() throws(StoreError) {
    let from = self.temporary.path(percentEncoded: false)
    guard rename(from, self.target.path(percentEncoded: false)) == 0 else {
      throw StoreError.system(errno, "replaced", self.target)
    }
  }

  /// Waits until it is on disk that the new file has replaced the old one.
  func makeDurable() throws(StoreError) { try FolderSync.sync(folderOf: self.target) }

  /// Removes the new file.
  package func abandon() {
    unlink(self.temporary.path(percentEncoded: false))
  }

  /// - Returns: the new file's inode.
  private static func keepOwnership(_ file: Int32, of target: URL) throws(StoreError) -> UInt64 {
    var new = stat()
    guard fstat(file, &new) == 0 else { throw StoreError.system(errno, "examined", target) }
    var old = stat()
    guard stat(target.path(percentEncoded: false), &old) == 0 else {
      if errno == ENOENT { return UInt64(new.st_ino) }
      throw StoreError.system(errno, "examined", target)
    }
    var mode = old.st_mode & 0o7777
    if new.st_uid != old.st_uid { _ = fchown(file, old.st_uid, .max) }
    if new.st_gid != old.st_gid, fchown(file, .max, old.st_gid) != 0 {
      // The group's rights would go to another group: that group gets no more than everybody.
      mode = mode & ~0o2070 | (mode & 0o007) << 3
    }
    guard fchmod(file, mode) == 0 else { throw StoreError.system(errno, "given its mode", target) }
    return UInt64(new.st_ino)
  }

  static func followingLinks(_ url: URL) throws(StoreError) -> URL {
    var current = url
    for _ in 0..<40 {
      let path = current.path(percentEncoded: false)
      var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
      if count < 0 { return current }
      let link = String(decoding: buffer.prefix(count), as: UTF8.self)
      current =
        link.hasPrefix("/")
        ? URL(filePath: link) : current.deletingLastPathComponent().appending(path: link).standardizedFileURL
    }
    throw StoreError.system(ELOOP, "found", url)
  }
}

/// Makes it durable which files a folder has.
enum FolderSync {
  /// Waits until the folder that holds a file is on disk. A first failure may be a passing one.
  static func sync(folderOf file: URL) throws(StoreError) {
    let file = try AtomicFileWrite.followingLinks(file)
    do { try self.syncOnce(folderOf: file) } catch { try self.syncOnce(folderOf: file) }
  }

  private static func syncOnce(folderOf file: URL) throws(StoreError) {
    let path = file.deletingLastPathComponent().path(percentEncoded: false)
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw StoreError.system(errno, "made durable in its folder", file) }
    defer { close(folder) }
    // Some file systems cannot sync a folder; its entries are as durable there as they make them.
    guard fsync(folder) == 0 || errno == EINVAL else {
      throw StoreError.system(errno, "made durable in its folder", file)
    }
  }
}

/// Tells a file from one that somebody else puts in its place.
struct FileContent: Sendable, Hashable {
  var inode: UInt64
  /// Nil when it was not read to the end.
  var digest: ContentDigest?
}

/// What tells whether somebody else replaced or changed a file.
package struct FileStamp: Sendable, Hashable {
  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  package var seconds: Int64
  package var nanoseconds: Int64
  /// When anything about the file changed last, which no program can set.
  var changeSeconds: Int64
  var changeNanoseconds: Int64

  /// The stamp of a file as it is now; nil when there is none.
  package init?(_ url: URL) {
    var status = stat()
    guard stat(url.path(percentEncoded: false), &status) == 0 else { return nil }
    self.device = UInt64(status.st_dev)
    self.inode = UInt64(status.st_ino)
    self.size = Int64(status.st_size)
    self.seconds = Int64(status.st_mtim.tv_sec)
    self.nanoseconds = Int64(status.st_mtim.tv_nsec)
    self.changeSeconds = Int64(status.st_ctim.tv_sec)
    self.changeNanoseconds = Int64(status.st_ctim.tv_nsec)
  }
}
