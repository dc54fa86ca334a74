public import Foundation

/// One version inside an `.xcdatamodeld`.
public struct ModelVersion: Hashable, Sendable {
  /// The folder's name without its extension: `Shop 2`.
  public let name: String
  public let url: URL
  public let isCurrent: Bool
}

/// A folder of model versions, and which of them is current.
struct VersionedModelPackage {
  static let pathExtension = "xcdatamodeld"
  static let versionExtension = "xcdatamodel"
  static let currentVersionFile = ".xccurrentversion"
  static let currentVersionKey = "_XCCurrentVersionName"

  let versions: [ModelVersion]

  init(at folder: URL) throws(ModelFileError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
    } catch {
      throw ModelFileError(
        .unreadable, file: folder, "The folder cannot be read: \(error.localizedDescription)")
    }
    let folders = names.filter { $0.hasSuffix(".\(Self.versionExtension)") }.sorted()
    guard let first = folders.first else {
      throw ModelFileError(
        .unknownVersion, file: folder,
        "The package holds no .\(Self.versionExtension). Name a model that has one.")
    }
    let current = try Self.currentName(in: folder) ?? first
    guard folders.contains(current) else {
      throw ModelFileError(
        .unknownVersion, file: folder.appending(path: Self.currentVersionFile),
        "The current version is said to be \"\(current)\", and the package holds "
          + folders.map { "\"\($0)\"" }.joined(separator: ", ") + ". Name one of these.")
    }
    self.versions = folders.map { name in
      ModelVersion(
        name: String(name.dropLast(Self.versionExtension.count + 1)),
        url: folder.appending(path: name, directoryHint: .isDirectory), isCurrent: name == current)
    }
  }

  /// The name in the file beside the versions; nil when there is no such file: then the first version by name
  /// is current.
  private static func currentName(in folder: URL) throws(ModelFileError) -> String? {
    let file = folder.appending(path: self.currentVersionFile)
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else { return nil }
    let list: Any
    do {
      list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
    } catch {
      throw ModelFileError(
        .unreadable, file: file, "This is no property list. Delete it, or let it name the current version.")
    }
    guard let name = (list as? [String: Any])?[self.currentVersionKey] as? String else {
      throw ModelFileError(
        .missingAttribute, file: file,
        "The property list has no \"\(self.currentVersionKey)\". Let it name the current version's folder.")
    }
    return name
  }

  /// The property list that names a folder as the current version.
  static func currentVersion(_ folder: String) throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: [self.currentVersionKey: folder], format: .xml, options: 0)
  }
}
