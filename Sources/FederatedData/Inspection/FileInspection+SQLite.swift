import FederatedModelFiles
import FederatedSQLiteStore
import Foundation

extension FileInspection {
  mutating func inspectSQLite() throws {
    let summary = try SQLiteFileSummary(of: self.url)
    self.kind = summary.uuid == nil ? .otherSQLite : .coreDataSQLite
    self.uuid = summary.uuid
    self.entities = summary.contents.map { Entity(name: $0.name, rows: $0.rows) }
    if self.kind == .otherSQLite {
      self.entities = summary.tables.map { table, rows in
        Entity(
          name: table.name, rows: rows, columns: table.columns.map { Column($0, of: table, summary) },
          isView: table.isView)
      }
    }
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

extension FileInspection.Column {
  fileprivate init(_ column: ForeignColumn, of table: ForeignTable, _ summary: SQLiteFileSummary) {
    self.init(
      name: column.name, type: column.declared, keyPlace: column.keyPlace > 0 ? column.keyPlace : nil,
      isRequired: column.isRequired, isGenerated: column.isGenerated)
    for key in table.foreignKeys {
      guard let place = key.columns.firstIndex(of: column.name) else { continue }
      // A foreign key that names no columns means the primary key.
      let columns =
        key.destination.isEmpty
        ? summary.tables.first { $0.table.name.lowercased() == key.table.lowercased() }?.table.primaryKey
          ?? []
        : key.destination
      if columns.indices.contains(place) {
        self.destination = .init(table: key.table, column: columns[place])
      }
    }
  }
}
