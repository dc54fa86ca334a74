public import FederatedModel
public import Foundation
import XMLStream

/// Opens model files: an `.xcdatamodeld` with its current version, an `.xcdatamodel`, or its bare contents.
///
/// ```swift
/// let model = try ModelFile.load(at: URL(filePath: "Shop.xcdatamodeld"))
/// ```
public enum ModelFile {
  /// Reads and freezes a model.
  ///
  /// Stored questions that cannot be asked, because they name what the model lacks, stay in
  /// ``ManagedObjectModel/problems``; every other breach is an error. A transformable attribute whose
  /// transformer has no codec here reads as bytes.
  /// - Parameters:
  ///   - version: the version of a package, by its folder's name without extension; nil takes the current one.
  ///   - codecs: by the name of the value transformer that the file gives.
  public static func load(
    at url: URL, version: String? = nil, codecs: [TransformableCodec] = []
  ) throws(ModelFileError) -> ManagedObjectModel {
    let file = try self.contents(at: url, version: version)
    let reader = try self.read(file)
    var draft = reader.draft
    draft.codecs = codecs
    do { return try ManagedObjectModel(draft, deferringQuestions: true) } catch {
      throw self.error(error, in: reader)
    }
  }

  /// Reads descriptions without freezing them: nothing but the file's form is checked.
  public static func draft(at url: URL, version: String? = nil) throws(ModelFileError) -> ModelDraft {
    try self.read(try self.contents(at: url, version: version)).draft
  }

  /// The versions of a package in the order of their names; a model that stands alone is its own only version.
  public static func versions(at url: URL) throws(ModelFileError) -> [ModelVersion] {
    if try self.isPackage(url) { return try VersionedModelPackage(at: url).versions }
    let folder = url.lastPathComponent == "contents" ? url.deletingLastPathComponent() : url
    _ = try self.contents(at: url, version: nil)
    return [ModelVersion(name: folder.deletingPathExtension().lastPathComponent, url: url, isCurrent: true)]
  }

  /// Writes descriptions as an `.xcdatamodel`, or as the current and only version of a new `.xcdatamodeld`.
  ///
  /// Equal descriptions give equal files. Other versions that a package has are left as they are.
  /// - Parameter version: the name of the version inside a package; nil is the package's own name.
  /// - Throws: ``ModelFileError`` with `unwritable` for what the format has no place for, before anything is
  ///   written.
  public static func save(_ draft: ModelDraft, at url: URL, version: String? = nil) throws(ModelFileError) {
    var folder = url
    let isPackage = url.pathExtension == VersionedModelPackage.pathExtension
    let name = version ?? url.deletingPathExtension().lastPathComponent
    let versionFolder = "\(name).\(VersionedModelPackage.versionExtension)"
    if isPackage { folder = url.appending(path: versionFolder, directoryHint: .isDirectory) }
    let file = folder.appending(path: "contents")
    let contents = try XcodeModelWriter.contents(of: draft, for: file)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try contents.write(to: file, options: .atomic)
      guard isPackage else { return }
      try VersionedModelPackage.currentVersion(versionFolder)
        .write(to: url.appending(path: VersionedModelPackage.currentVersionFile), options: .atomic)
    } catch {
      throw ModelFileError(
        .unwritable, file: file, "The file cannot be written: \(error.localizedDescription)")
    }
  }

  // MARK: Finding the file

  /// The XML file of the model at a place.
  private static func contents(at url: URL, version: String?) throws(ModelFileError) -> URL {
    var folder = url
    if try self.isPackage(url) {
      let versions = try VersionedModelPackage(at: url).versions
      guard let found = versions.first(where: { version.map { [$0] }?.contains($0.name) ?? $0.isCurrent })
      else {
        throw ModelFileError(
          .unknownVersion, file: url,
          "There is no version \"\(version ?? "")\". There are "
            + versions.map { "\"\($0.name)\"" }.joined(separator: ", ") + ".")
      }
      folder = found.url
    } else if let version {
      throw ModelFileError(.unknownVersion, file: url, "A single model has no version \"\(version)\".")
    }
    guard self.isFolder(folder) else { return folder }
    let file = folder.appending(path: "contents")
    if self.exists(file) { return file }
    if self.exists(folder.appending(path: "elements")) { throw self.oldFormat(folder) }
    if try self.holds(folder, extension: "mom") { throw self.compiledModel(folder) }
    throw ModelFileError(
      .notAModel, file: folder, "The folder has no \"contents\". Name an .xcdatamodeld or an .xcdatamodel.")
  }

  private static func isPackage(_ url: URL) throws(ModelFileError) -> Bool {
    guard self.exists(url) else {
      throw ModelFileError(.unreadable, file: url, "There is no such file or folder.")
    }
    guard self.isFolder(url) else { return false }
    if url.pathExtension == VersionedModelPackage.pathExtension { return true }
    if self.exists(url.appending(path: "contents")) { return false }
    return try self.holds(url, extension: VersionedModelPackage.versionExtension)
  }

  private static func exists(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path(percentEncoded: false), isDirectory: &isFolder)
      && isFolder.boolValue
  }

  private static func holds(_ folder: URL, extension: String) throws(ModelFileError) -> Bool {
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
      return names.contains { $0.hasSuffix(".\(`extension`)") }
    } catch {
      throw ModelFileError(
        .unreadable, file: folder, "The folder cannot be read: \(error.localizedDescription)")
    }
  }

  // MARK: Reading the file

  private static func read(_ file: URL) throws(ModelFileError) -> XcodeModelReader {
    let bytes: Data
    do { bytes = try Data(contentsOf: file) } catch {
      throw ModelFileError(.unreadable, file: file, "The file cannot be read: \(error.localizedDescription)")
    }
    if bytes.starts(with: "bplist".utf8) {
      throw file.lastPathComponent == "elements" ? self.oldFormat(file) : self.compiledModel(file)
    }
    let root: XMLElementValue
    do { root = try XMLElementValue.parse(bytes: bytes) } catch {
      throw ModelFileError(
        .malformedXML, file: file, line: error.position.line, column: error.position.column, error.message)
    }
    return try XcodeModelReader.read(root, from: file)
  }

  private static func oldFormat(_ url: URL) -> ModelFileError {
    ModelFileError(
      .oldFormat, file: url,
      "This model was written before Xcode 4, as keyed archives. Open and save it in a later Xcode.")
  }

  private static func compiledModel(_ url: URL) -> ModelFileError {
    ModelFileError(
      .compiledModel, file: url,
      "Compiled models are not read yet. Name the .xcdatamodeld that this one was compiled from.")
  }

  /// One error with every breach at its line; the error's own place is the first breach's.
  private static func error(_ error: ModelError, in reader: XcodeModelReader) -> ModelFileError {
    var first = XMLPosition.none
    let lines = error.breaches.map { breach -> String in
      let place = [breach.entity, breach.property].compactMap(\.self).joined(separator: ".")
      let position = reader.positions[place] ?? breach.entity.flatMap { reader.positions[$0] } ?? .none
      if first == .none { first = position }
      return position == .none ? "\(breach)" : "\(position): \(breach)"
    }
    let count = lines.count
    return ModelFileError(
      .invalidModel, file: reader.file, line: first.line, column: first.column,
      "The model breaks \(count) rule\(count == 1 ? "" : "s"):\n"
        + lines.map { "  - \($0)" }.joined(separator: "\n"), modelError: error)
  }
}
