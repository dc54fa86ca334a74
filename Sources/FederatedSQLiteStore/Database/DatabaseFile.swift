internal import CSQLite
internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// A database file and how connections to it are made.
///
/// A read-only file is opened so that nothing is left beside it: as immutable when no other file belongs to
/// it, else as a private copy of the main file with its write-ahead log or journal.
final class DatabaseFile: Sendable {
  /// The store's own file.
  let url: URL
  let isReadOnly: Bool
  /// How long a statement waits for another connection before it fails with `locked`.
  let busyMilliseconds: Int32
  /// The most bytes of a row that a reader takes.
  private let rowBytes: Int
  private let path: String
  private let readerFlags: Int32
  /// The folder of a private copy, removed with this value.
  private let privateFolder: URL?

  init(
    _ url: URL, readOnly: Bool, busyMilliseconds: Int32 = 5000, limits: ReadingLimits = .standard
  ) throws(StoreError) {
    self.url = url
    self.rowBytes = max(limits.textBytes, DatabaseFile.leastRowBytes)
    self.isReadOnly = readOnly
    self.busyMilliseconds = busyMilliseconds
    let path = url.path(percentEncoded: false)
    guard readOnly else {
      self.path = path
      self.readerFlags = SQLITE_OPEN_READWRITE
      self.privateFolder = nil
      return
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw StoreError(
        .missingFile, store: url, "there is no such file, and a read-only store is never created")
    }
    if DatabaseFile.sideFiles(of: path).isEmpty {
      self.path = DatabaseFile.immutableURI(path)
      self.readerFlags = SQLITE_OPEN_READONLY
      self.privateFolder = nil
    } else {
      let folder = try OpenDatabases.unlessOpen(url) { () throws(StoreError) in
        try DatabaseFile.privateCopy(of: url)
      }
      guard let folder else {
        // The files beside it belong to who has it open here; a copy would take its locks away.
        self.path = path
        self.readerFlags = SQLITE_OPEN_READONLY
        self.privateFolder = nil
        return
      }
      self.path = folder.appending(path: DatabaseFile.copyName).path(percentEncoded: false)
      self.readerFlags = SQLITE_OPEN_READWRITE
      self.privateFolder = folder
    }
  }

  deinit {
    guard let folder = self.privateFolder else { return }
    do { try FileManager.default.removeItem(at: folder) } catch {
      FileHandle.standardError.write(
        Data("private copy of \(self.url.lastPathComponent) stays: \(error)\n".utf8))
    }
  }

  /// - Parameter columns: what the functions for a file of others work with.
  func reader(serving columns: MappedColumns? = nil) throws(StoreError) -> Connection {
    let connection = try Connection(
      path: self.path, flags: self.readerFlags, file: self.url, busyMilliseconds: self.busyMilliseconds,
      source: self)
    connection.limitRows(to: self.rowBytes)
    try connection.execute("PRAGMA mmap_size = 0")
    try connection.beginSmall()
    if let columns { connection.serve(columns) }
    return connection
  }

  /// - Parameter columns: what the functions for a file of others work with. Its foreign keys are kept then.
  func writer(creating: Bool = false, serving columns: MappedColumns? = nil) throws(StoreError) -> Connection
  {
    let connection = try Connection(
      path: self.path, flags: SQLITE_OPEN_READWRITE | (creating ? SQLITE_OPEN_CREATE : 0), file: self.url,
      busyMilliseconds: self.busyMilliseconds)
    if let columns {
      connection.serve(columns)
      try connection.execute("PRAGMA foreign_keys = ON")
    }
    return connection
  }

  // MARK: Side files

  /// The library's own rows, such as those of the schema, must be readable.
  private static let leastRowBytes = 65_536
  private static let copyName = "copy.sqlite"
  /// A write-ahead log of this size or less has no frames.
  private static let logHeaderSize = 32

  /// The suffixes of files that hold part of the database's content.
  private static func sideFiles(of path: String) -> [String] {
    ["-wal", "-journal"].filter { suffix in
      let size = DatabaseFile.size(path + suffix)
      return suffix == "-wal" ? size > DatabaseFile.logHeaderSize : size > 0
    }
  }

  private static func size(_ path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private static func immutableURI(_ path: String) -> String {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: "?#%")
    let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    return "file:\(escaped)?mode=ro&immutable=1"
  }

  private static func privateCopy(of url: URL) throws(StoreError) -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "FederatedData-\(UUID().uuidString)", directoryHint: .isDirectory)
    let path = url.path(percentEncoded: false)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for suffix in [""] + DatabaseFile.sideFiles(of: path) {
        let copy = folder.appending(path: DatabaseFile.copyName + suffix).path(percentEncoded: false)
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
      }
      return folder
    } catch {
      throw StoreError(
        .cannotOpen, store: url, underlying: error,
        "part of the store's content is in a file beside it, and no private copy can be made in the temporary folder"
      )
    }
  }

  // MARK: Content

  /// Refuses a file that is no database, before the library touches it.
  /// - Returns: whether there is content; a missing or empty file is a new store.
  static func check(_ url: URL) throws(StoreError) -> Bool {
    let path = url.path(percentEncoded: false)
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return false }
    if isFolder.boolValue { throw StoreError(.cannotOpen, store: url, "this is a folder, not a file") }
    let read = try OpenDatabases.unlessOpen(url) { () throws(StoreError) in try self.head(of: url) }
    // What is open here as a database is one; an empty one is being made.
    guard let head = read else { return self.size(path) > 0 }
    if head.isEmpty { return false }
    if head.starts(with: Data("SQLite format 3\0".utf8)) {
      if head.count < 100 { throw StoreError(.malformed, store: url, "the database ends inside its header") }
      return true
    }
    let text = head.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 == 0x20 || $0 == 0x0A || $0 == 0x0D }
    if text.first == UInt8(ascii: "<") {
      throw StoreError(
        .typeMismatch, store: url, "the file is XML, not a SQLite database; open it as type XML")
    }
    throw StoreError(.malformed, store: url, "the file is not a SQLite database")
  }

  private static func head(of url: URL) throws(StoreError) -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { handle.closeFile() }
      return try handle.read(upToCount: 100) ?? Data()
    } catch {
      throw StoreError(.cannotOpen, store: url, underlying: error, "the file cannot be read")
    }
  }

  /// Removes a database with everything that belongs to it.
  static func destroy(_ url: URL) throws(StoreError) {
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else {
      throw StoreError(.missingFile, store: url, "there is no such file")
    }
    let name = url.deletingPathExtension().lastPathComponent
    let support = url.deletingLastPathComponent().appending(path: ".\(name)_SUPPORT").path(
      percentEncoded: false)
    for file in [path, path + "-wal", path + "-shm", path + "-journal", support]
    where FileManager.default.fileExists(atPath: file) {
      do { try FileManager.default.removeItem(atPath: file) } catch {
        throw StoreError(
          .inputOutput, store: url, place: .path(file), underlying: error, "the file cannot be removed")
      }
    }
  }
}
