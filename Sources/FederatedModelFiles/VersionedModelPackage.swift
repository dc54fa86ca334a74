import FederatedModel
public import Foundation

/// One version inside an `.xcdatamodeld` or a `.momd`.
public struct ModelVersion: Hashable, Sendable {
  /// The name of the version's folder or file, without its extension: `Shop 2`.
  public let name: String
  public let url: URL
  public let isCurrent: Bool
}

/// A folder of model versions, and which of them is current.
struct VersionedModelPackage {
  /// A package as Xcode edits it, or as it compiles it.
  enum Kind: CaseIterable {
    case source, compiled

    var pathExtension: String { self == .source ? "xcdatamodeld" : "momd" }
    var versionExtension: String { self == .source ? "xcdatamodel" : "mom" }
    /// The property list that names the current version.
    var currentVersionFile: String { self == .source ? ".xccurrentversion" : "VersionInfo.plist" }
    fileprivate var currentVersionKey: String {
      self == .source ? "_XCCurrentVersionName" : "NSManagedObjectModel_CurrentVersionName"
    }
    /// What follows the name in that list.
    fileprivate var currentVersionSuffix: String { self == .source ? "" : ".\(self.versionExtension)" }
  }

  /// What the compiler's private copy of the current version begins with (`.omo`). The `.mom` beside it says the same.
  static let optimizedMark = "momv2$sr"

  let versions: [ModelVersion]

  init(at folder: URL, _ kind: Kind) throws(ModelFileError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
    } catch {
      throw ModelFileError(
        .unreadable, file: folder, "The folder cannot be read: \(error.localizedDescription)")
    }
    let found = names.filter { $0.hasSuffix(".\(kind.versionExtension)") }.sorted()
    guard let first = found.first else {
      throw ModelFileError(
        .unknownVersion, file: folder,
        "The package holds no .\(kind.versionExtension). Name a model that has one.")
    }
    let current = try Self.currentName(in: folder, kind) ?? first
    guard found.contains(current) else {
      throw ModelFileError(
        .unknownVersion, file: folder.appending(path: kind.currentVersionFile),
        "The current version is said to be \"\(current)\", and the package holds "
          + found.map { "\"\($0)\"" }.joined(separator: ", ") + ". Name one of these.")
    }
    self.versions = found.map { name in
      ModelVersion(
        name: String(name.dropLast(kind.versionExtension.count + 1)),
        url: folder.appending(path: name, directoryHint: kind == .source ? .isDirectory : .notDirectory),
        isCurrent: name == current)
    }
  }

  /// The name in the file beside the versions; nil when there is no such file: then the first version by name
  /// is current.
  private static func currentName(in folder: URL, _ kind: Kind) throws(ModelFileError) -> String? {
    let file = folder.appending(path: kind.currentVersionFile)
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else { return nil }
    let list: Any
    do {
      list = try PropertyListGuard.propertyList(from: Data(contentsOf: file))
    } catch {
      throw ModelFileError(
        .unreadable, file: file, "This is no property list. Delete it, or let it name the current version.")
    }
    guard let name = (list as? [String: Any])?[kind.currentVersionKey] as? String else {
      throw ModelFileError(
        .missingAttribute, file: file,
        "The property list has no \"\(kind.currentVersionKey)\". Let it name the current version.")
    }
    return name + kind.currentVersionSuffix
  }

  /// The property list that names a folder as the current version.
  static func currentVersion(_ folder: String) throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: [Kind.source.currentVersionKey: folder], format: .xml, options: 0)
  }
}
