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
    if names.contains("contents"), XMLFileSummary(of: self.url.appending(path: "contents")).root == "model" {
      return try self.inspectModel()
    }
    if names.contains(where: { $0.hasSuffix(".xcdatamodel") }) { return try self.inspectModel() }
    self.note =
      names.contains { $0.hasSuffix(".mom") }
      ? "a folder of compiled models, which are not read yet" : "a folder that holds no model"
  }

  mutating func inspectModel() throws {
    let model = try ModelFile.load(at: self.url)
    self.kind = .xcodeModel
    self.problems = (model.problems + model.warnings).map(\.description)
    self.entities = model.entities.map { Entity(name: $0.name, rows: nil) }
    if !model.configurations.isEmpty {
      self.note = "configurations \(model.configurations.map(\.name).joined(separator: ", "))"
    }
  }
}
