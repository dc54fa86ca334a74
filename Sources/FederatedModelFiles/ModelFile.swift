public import FederatedModel
public import Foundation
import XMLStream

/// Opens model files: an `.xcdatamodeld` or a compiled `.momd` with its current version, an `.xcdatamodel`, its bare
/// contents, or a compiled `.mom`.
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
  ///   - limits: how much the file may hold.
  public static func load(
    at url: URL, version: String? = nil, codecs: [TransformableCodec] = [], limits: ReadingLimits = .standard
  ) throws(ModelFileError) -> ManagedObjectModel {
    try self.read(try self.contents(at: url, version: version), limits).frozen(codecs)
  }

  /// Reads descriptions without freezing them: nothing but the file's form is checked.
  public static func draft(at url: URL, version: String? = nil) throws(ModelFileError) -> ModelDraft {
    try self.read(try self.contents(at: url, version: version)).draft
  }

  /// The versions of a package in the order of their names; a model that stands alone is its own only version.
  public static func versions(at url: URL) throws(ModelFileError) -> [ModelVersion] {
    if let kind = try self.package(url) { return try VersionedModelPackage(at: url, kind).versions }
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
    let isPackage = url.pathExtension == VersionedModelPackage.Kind.source.pathExtension
    let name = version ?? url.deletingPathExtension().lastPathComponent
    let versionFolder = "\(name).\(VersionedModelPackage.Kind.source.versionExtension)"
    if isPackage { folder = url.appending(path: versionFolder, directoryHint: .isDirectory) }
    let file = folder.appending(path: "contents")
    let contents = try XcodeModelWriter.contents(of: draft, for: file)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try contents.write(to: file, options: .atomic)
      guard isPackage else { return }
      try VersionedModelPackage.currentVersion(versionFolder)
        .write(
          to: url.appending(path: VersionedModelPackage.Kind.source.currentVersionFile), options: .atomic)
    } catch {
      throw ModelFileError(
        .unwritable, file: file, "The file cannot be written: \(error.localizedDescription)")
    }
  }

  // MARK: Finding the file

  /// The file of the model at a place: XML, or a compiled model's archive.
  private static func contents(at url: URL, version: String?) throws(ModelFileError) -> URL {
    var folder = url
    if let kind = try self.package(url) {
      let versions = try VersionedModelPackage(at: url, kind).versions
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
    throw ModelFileError(
      .notAModel, file: folder,
      "The folder has no \"contents\". Name an .xcdatamodeld, an .xcdatamodel, a .momd or a .mom.")
  }

  /// What kind of package a place is; nil for a model that stands alone.
  private static func package(_ url: URL) throws(ModelFileError) -> VersionedModelPackage.Kind? {
    guard self.exists(url) else {
      throw ModelFileError(.unreadable, file: url, "There is no such file or folder.")
    }
    guard self.isFolder(url) else { return nil }
    for kind in VersionedModelPackage.Kind.allCases where url.pathExtension == kind.pathExtension {
      return kind
    }
    if self.exists(url.appending(path: "contents")) { return nil }
    for kind in VersionedModelPackage.Kind.allCases
    where try self.holds(url, extension: kind.versionExtension) { return kind }
    return nil
  }

  private static func exists(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(
      atPath: url.path(percentEncoded: false), isDirectory: &isFolder)
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

  private static func read(
    _ file: URL, _ limits: ReadingLimits = .standard
  ) throws(ModelFileError) -> ReadModel {
    let bytes: Data
    do { bytes = try self.bytes(of: file, atMost: limits.descriptionBytes) } catch let error as ModelFileError
    {
      throw error
    } catch {
      throw ModelFileError(.unreadable, file: file, "The file cannot be read: \(error.localizedDescription)")
    }
    if bytes.starts(with: "bplist".utf8) {
      if file.lastPathComponent == "elements" { throw self.oldFormat(file) }
      return ReadModel(try CompiledModelReader.read(bytes, from: file))
    }
    if bytes.starts(with: VersionedModelPackage.optimizedMark.utf8) {
      throw ModelFileError(
        .notAModel, file: file,
        "This is a compiler's private copy of a compiled model. Name the .mom beside it, or the .momd.")
    }
    let root: XMLElementValue
    do { root = try XMLElementValue.parse(bytes: bytes, limits: XMLLimits(limits)) } catch {
      throw ModelFileError(
        .malformedXML, file: file, line: error.position.line, column: error.position.column, error.message)
    }
    return ReadModel(try XcodeModelReader.read(root, from: file))
  }

  private static func bytes(of file: URL, atMost limit: Int) throws -> Data {
    let handle = try FileHandle(forReadingFrom: file)
    defer { handle.closeFile() }
    let bytes = try handle.read(upToCount: limit < .max ? limit + 1 : limit) ?? Data()
    guard bytes.count <= limit else {
      throw ModelFileError(
        .tooLarge, file: file,
        "The file has more than the \(limit) bytes that the limits allow. Raise limits.descriptionBytes if it is to be "
          + "trusted.")
    }
    return bytes
  }

  private static func oldFormat(_ url: URL) -> ModelFileError {
    ModelFileError(
      .oldFormat, file: url,
      "This model was written before Xcode 4, as keyed archives. Open and save it in a later Xcode.")
  }
}
