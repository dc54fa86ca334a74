import FederatedData
import Foundation

/// `federate model write`: writes a model as an Xcode model.
struct ModelWriteCommand: ToolCommand {
  static let description = CommandDescription(
    name: "model write",
    summary: "Writes a model as an Xcode model that reads back equal.",
    operands: "MODEL OUT.xcdatamodeld",
    options: ModelSource.options + [
      .init(name: "--force", value: nil, help: "replace the version of that name that is there already")
    ],
    notes: """
      \(ModelSource.notes)
      OUT is an .xcdatamodeld, which gets the model as its current version, or an .xcdatamodel; OUT.xcdatamodeld#NAME
      names the version. What is there already is left alone and is an error, but for a package that has no version of
      that name: it gets one more. What the format has no place for is an error, and nothing is written.

      Example:
        federate model write --federation shop.federation.json Shop.xcdatamodeld
      """)

  let source: ModelSource
  let output: URL
  let version: String?
  let overwrites: Bool

  init(_ arguments: ParsedArguments) throws {
    var rest: ArraySlice<String> = []
    self.source = try ModelSource(arguments, rest: &rest)
    guard let path = rest.popFirst() else {
      throw ToolError.usage("OUT", "is missing; name the .xcdatamodeld to write")
    }
    try ModelSource.refuse(rest)
    let parts = path.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    self.output = URL(filePath: String(parts[0]))
    self.version = parts.count == 2 ? String(parts[1]) : nil
    self.overwrites = arguments.has("--force")
    let name = self.output.pathExtension
    guard name == "xcdatamodeld" || (name == "xcdatamodel" && self.version == nil) else {
      throw ToolError.usage(path, "is no name of an Xcode model; end it with .xcdatamodeld or .xcdatamodel")
    }
    if let version, version.isEmpty || version.contains("/") {
      throw ToolError.usage(path, "has no name of a version behind #; write OUT.xcdatamodeld#NAME")
    }
  }

  func run(_ console: Console) throws {
    let model = try self.source.load()
    let folder = self.versionFolder
    if !self.overwrites, FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) {
      throw ToolError.failed(
        folder.relativePath, "is there already; name another, or give --force to replace it")
    }
    try ModelFile.save(model.draft, at: self.output, version: self.version)
  }

  /// The folder that the model's contents stand in.
  private var versionFolder: URL {
    guard self.output.pathExtension == "xcdatamodeld" else { return self.output }
    let name = self.version ?? self.output.deletingPathExtension().lastPathComponent
    return self.output.appending(path: "\(name).xcdatamodel")
  }
}
