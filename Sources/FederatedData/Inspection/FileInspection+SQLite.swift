import FederatedSQLiteStore
import Foundation

extension FileInspection {
  mutating func inspectSQLite() throws {
    let summary = try SQLiteFileSummary(of: self.url)
    self.kind = summary.uuid == nil ? .otherSQLite : .coreDataSQLite
    self.uuid = summary.uuid
    self.entities = summary.contents.map { Entity(name: $0.name, rows: $0.rows) }
  }
}
