import FederatedData
import Foundation

/// Which model a command is about: a model file, the one that a federation file names, or the copy that a store keeps.
///
/// `PATH#VERSION` is a version inside a package, unless there is a file of that whole name.
enum ModelSource {
  case file(URL, version: String?)
  case federation(URL)
  case store(URL)

  static let options: [CommandDescription.Option] = [
    .init(
      name: "--federation", value: "FILE", help: "the model that a federation file names, in place of MODEL"),
    .init(
      name: "--store", value: "sqlite=PATH",
      help: "the copy of its model that a store keeps, in place of MODEL"),
  ]

  static let notes = """
    MODEL is an .xcdatamodeld or .momd (its current version), an .xcdatamodel or its contents, a .mom, or a SQLite store
    that keeps a copy of its model; MODEL#NAME is the version of that name inside an .xcdatamodeld or .momd.
    """

  init(path: String) {
    if !FileManager.default.fileExists(atPath: path), let mark = path.lastIndex(of: "#") {
      self = .file(URL(filePath: String(path[..<mark])), version: String(path[path.index(after: mark)...]))
    } else {
      self = .file(URL(filePath: path), version: nil)
    }
  }

  /// Takes the federation of the options, or else the first operand.
  /// - Parameter operands: those that are left over.
  init(_ arguments: ParsedArguments, rest operands: inout ArraySlice<String>) throws {
    operands = arguments.operands[...]
    if let store = arguments.value("--store") {
      guard !arguments.has("--federation") else {
        throw ToolError.usage("--store", "has no meaning beside --federation; leave out one of the two")
      }
      self = .store(try StoreArgument(store).url)
    } else if let federation = arguments.value("--federation") {
      self = .federation(URL(filePath: federation))
    } else if let path = operands.popFirst() {
      self.init(path: path)
    } else {
      throw ToolError.usage("MODEL", "is missing; name a model, or a federation with --federation")
    }
  }

  func load() throws -> ManagedObjectModel {
    switch self {
    case .file(let url, nil) where try Self.isDatabase(url): try ModelFile.load(cachedIn: url)
    case .file(let url, let version): try ModelFile.load(at: url, version: version)
    case .store(let url): try ModelFile.load(cachedIn: url)
    case .federation(let url): try FederationFile(at: url).loadModel()
    }
  }

  private static func isDatabase(_ url: URL) throws -> Bool {
    var isFolder: ObjCBool = false
    let path = url.path(percentEncoded: false)
    // What is no file at all is told by whoever reads the model.
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
      return false
    }
    let file = try FileHandle(forReadingFrom: url)
    defer { file.closeFile() }
    return try file.read(upToCount: 16) == Data("SQLite format 3\0".utf8)
  }

  /// Refuses operands that no command takes.
  static func refuse(_ rest: ArraySlice<String>) throws {
    guard let extra = rest.first else { return }
    throw ToolError.usage(extra, "is one operand too many; name one model")
  }
}
