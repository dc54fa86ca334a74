import FederatedModelFiles
import FederatedSQLiteStore
import Foundation

extension FileInspection {
  mutating func inspectSQLite() throws {
    let summary = try SQLiteFileSummary(of: self.url)
    self.kind = summary.uuid == nil ? .otherSQLite : .coreDataSQLite
    self.uuid = summary.uuid
    self.entities = summary.contents.map { Entity(name: $0.name, rows: $0.rows) }
    if self.kind == .coreDataSQLite { try self.inspectModelCache() }
  }

  /// Whether the store opens without a model file.
  private mutating func inspectModelCache() throws {
    do {
      let model = try ModelFile.load(cachedIn: self.url)
      self.say("model: the copy that the store keeps")
      self.problems = (model.problems + model.warnings).map(\.description)
    } catch let error as ModelFileError where error.code == .noModelCache {
      self.say("model: the store keeps no copy of it; name one")
    } catch let error as ModelFileError {
      self.say("model: the copy that the store keeps is not used; name one")
      self.problems = [error.detail]
    }
  }
}
