import FederatedModelFiles
import FederatedXMLStore
import Foundation

extension FileInspection {
  /// A folder is a model when it holds what a model folder holds.
  mutating func inspectFolder() throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: self.url.path(percentEncoded: false))
    } catch {
      throw FileInspectionError(file: self.url, "cannot be read (\(error.localizedDescription))")
    }
    // What reads as a model for a fetch is one here too, also without the attributes that Xcode writes.
    if names.contains("contents") {
      let summary = XMLFileSummary(of: self.url.appending(path: "contents"))
      if summary.root == "model" { return try self.inspectModel() }
      if let damage = summary.damage, damage.code == .refusedContent { throw damage }
    }
    if names.contains(where: { $0.hasSuffix(".xcdatamodel") }) { return try self.inspectModel() }
    guard names.contains(where: { $0.hasSuffix(".mom") }) else {
      self.note = "a folder that holds no model"
      return
    }
    try self.inspectModel(.compiledModel)
    let copies = names.filter { $0.hasSuffix(".omo") }.sorted()
    if !copies.isEmpty {
      self.say(
        "\(copies.joined(separator: ", ")) is passed over: a private copy of the .mom of the same name")
    }
  }

  mutating func inspectModel(_ kind: Kind = .xcodeModel) throws {
    let model = try ModelFile.load(at: self.url)
    self.kind = kind
    self.problems = (model.problems + model.warnings).map(\.description)
    self.entities = model.entities.map { Entity(name: $0.name, rows: nil) }
    let versions = try ModelFile.versions(at: self.url)
    if versions.count > 1, let current = versions.first(where: \.isCurrent) {
      self.say("version \(current.name) of \(versions.map(\.name).joined(separator: ", "))")
    }
    if !model.configurations.isEmpty {
      self.say("configurations \(model.configurations.map(\.name).joined(separator: ", "))")
    }
  }

  /// A binary property list is a compiled model, or nothing that is known here.
  mutating func inspectArchive() throws {
    do { try self.inspectModel(.compiledModel) } catch let error as ModelFileError {
      switch error.code {
      case .malformedArchive, .notAModel, .oldFormat:
        self.note = "a binary property list, but no compiled model: \(error.detail)"
      default: throw error
      }
    }
  }

  /// Adds a sentence about the file.
  mutating func say(_ sentence: String) { self.note = self.note.map { "\($0); \(sentence)" } ?? sentence }
}
