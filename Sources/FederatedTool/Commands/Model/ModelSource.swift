import FederatedData
import Foundation

/// Which model a command is about: a model file, or the one that a federation file names.
///
/// `PATH#VERSION` is a version inside a package, unless there is a file of that whole name.
enum ModelSource {
  case file(URL, version: String?)
  case federation(URL)

  static let options: [CommandDescription.Option] = [
    .init(
      name: "--federation", value: "FILE", help: "the model that a federation file names, in place of MODEL")
  ]

  static let notes = """
    MODEL is an .xcdatamodeld (its current version), an .xcdatamodel or its contents; MODEL#NAME is the version of that
    name inside an .xcdatamodeld.
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
    if let federation = arguments.value("--federation") {
      self = .federation(URL(filePath: federation))
    } else if let path = operands.popFirst() {
      self.init(path: path)
    } else {
      throw ToolError.usage("MODEL", "is missing; name a model, or a federation with --federation")
    }
  }

  func load() throws -> ManagedObjectModel {
    switch self {
    case .file(let url, let version): try ModelFile.load(at: url, version: version)
    case .federation(let url): try FederationFile(at: url).loadModel()
    }
  }

  /// Refuses operands that no command takes.
  static func refuse(_ rest: ArraySlice<String>) throws {
    guard let extra = rest.first else { return }
    throw ToolError.usage(extra, "is one operand too many; name one model")
  }
}
