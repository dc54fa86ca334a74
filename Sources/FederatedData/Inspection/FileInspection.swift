import FederatedSQLiteStore
public import Foundation

/// What a file is, told from its content and never from its name.
///
/// ```swift
/// let found = try FileInspection(of: URL(filePath: "backup.dat"))
/// print(found.kind, found.uuid as Any, found.entities.map(\.name))
/// ```
/// Nothing is changed, and no file is left beside a SQLite file.
public struct FileInspection: Sendable {
  /// The file or folder that was looked into.
  public let url: URL
  /// What it is.
  public internal(set) var kind: Kind
  /// The identifier of a store.
  public internal(set) var uuid: UUID?
  /// The entities of a store or model, the tables of another SQLite file: in the file's order or by name.
  public internal(set) var entities: [Entity] = []
  /// A sentence about the file where there is more to say: its root element, the version of a model, why it is
  /// none of these.
  public internal(set) var note: String?
  /// What is wrong with a model, or hardly meant: its problems and warnings.
  public internal(set) var problems: [String] = []

  /// What a file can be; the raw value is for machines to read.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case coreDataSQLite = "core-data-sqlite"
    case coreDataXML = "core-data-xml"
    case xcodeModel = "xcode-model"
    /// A `.mom` or `.momd`.
    case compiledModel = "compiled-model"
    case otherSQLite = "other-sqlite"
    case otherXML = "other-xml"
    /// None of the above.
    case other = "none"
  }

  /// An entity of a store or model, or a table of another SQLite file.
  public struct Entity: Sendable, Hashable {
    public var name: String
    /// How many rows are of exactly this entity; nil for a model.
    public var rows: Int?
    /// The columns of a table or view of another SQLite file, in their order.
    public var columns: [Column] = []
    /// Whether the table is a view.
    public var isView = false
  }

  /// A column of a table.
  public struct Column: Sendable, Hashable {
    public var name: String
    /// The words of its type as they are declared; empty where there are none.
    public var type: String
    /// From 1 in the primary key; nil outside.
    public var keyPlace: Int?
    /// Whether it is declared NOT NULL.
    public var isRequired: Bool
    /// Whether SQLite computes it.
    public var isGenerated: Bool
    /// The table and column that a foreign key leads to; nil for a column without one.
    public var destination: Destination?

    /// A column of another table.
    public struct Destination: Sendable, Hashable {
      public var table: String
      public var column: String
    }
  }

  /// Looks into a file or folder.
  /// - Throws: an error that names the place when the file cannot be read, or is of a known kind and damaged.
  public init(of url: URL) throws {
    self.url = url
    self.kind = .other
    var isFolder: ObjCBool = false
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw FileInspectionError(file: url, "there is no such file; check the path")
    }
    if isFolder.boolValue {
      try self.inspectFolder()
      return
    }
    let head =
      try OpenDatabases.unlessOpen(url) { try Self.head(of: url) } ?? [UInt8]("SQLite format 3\0".utf8)
    if head.isEmpty {
      self.note = "the file is empty"
    } else if head.starts(with: "SQLite format 3\0".utf8) {
      try self.inspectSQLite()
    } else if Self.beginsLikeXML(head) {
      try self.inspectXML()
    } else if head.starts(with: "bplist".utf8) {
      try self.inspectArchive()
    } else {
      self.note = "the content is neither SQLite nor XML"
    }
  }

  private static func head(of url: URL) throws -> [UInt8] {
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { close(file) }
      return [UInt8](try file.read(upToCount: 512) ?? Data())
    } catch {
      throw FileInspectionError(file: url, "cannot be read (\(error.localizedDescription))")
    }
  }

  private static func close(_ file: FileHandle) {
    do { try file.close() } catch { assertionFailure("a file that was only read does not close: \(error)") }
  }

  /// A `<` behind an optional byte order mark and blanks, in UTF-8 or UTF-16.
  private static func beginsLikeXML(_ head: [UInt8]) -> Bool {
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x20, 0x09, 0x0A, 0x0D]
    return head.first { !marks.contains($0) } == UInt8(ascii: "<")
  }
}

/// Why a file cannot be looked into.
public struct FileInspectionError: Error, Sendable, CustomStringConvertible {
  public let file: URL
  public let detail: String

  init(file: URL, _ detail: String) {
    self.file = file
    self.detail = detail
  }

  public var description: String { "\(self.file.path(percentEncoded: false)): \(self.detail)" }
}
