internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Files that somebody else made.
extension SQLiteStore {
  /// The mapping of a description; nil for files of the store's own layout.
  static func mapping(of description: PersistentStoreDescription) throws(StoreError) -> SQLiteMapping? {
    guard let mapping = description.mapping else { return nil }
    guard let mapping = mapping as? SQLiteMapping else {
      throw StoreError(
        .unsupported, store: description.url,
        "a SQLite store takes a SQLiteMapping, not a \(type(of: mapping)); give it one, or correct the store's type"
      )
    }
    return mapping
  }

  /// Checks the mapping against file and model. Nothing is made: a file that is not there is an error.
  static func openMapped(
    _ file: DatabaseFile, _ mapping: SQLiteMapping, _ description: PersistentStoreDescription,
    _ model: ManagedObjectModel
  ) throws(StoreError) -> Opened {
    guard try DatabaseFile.check(file.url) else {
      throw StoreError(
        .missingFile, store: file.url,
        "there is no such file, or it is empty; a store with a mapping is never created")
    }
    let connection = try file.reader()
    var tables = try MappedTableLayout(
      mapping, model: model, configuration: description.configuration, schema: try ForeignSchema(connection),
      file: file.url)
    let (layout, columns) = try tables.layout(connection)
    let mode = try connection.texts("PRAGMA journal_mode").first ?? ""
    let metadata = StoreMetadata.foreign(StoreTypeName.sqlite, at: file.url)
    return Opened(
      layout: layout, bookkeeping: .mapped(MappedBookkeeping(metadata: metadata, tables: layout.tables)),
      metadata: metadata, hasWriteAheadLog: mode == "wal", columns: columns)
  }

  // MARK: Constraints of the file

  /// - Throws: `violatedConstraint` naming the table and row of a foreign key that leads nowhere.
  func checkForeignKeys(_ connection: Connection) throws(StoreError) {
    guard self.columns != nil, connection.hasBrokenForeignKeys else { return }
    var found: (table: String, row: Int64?, parent: String)?
    try connection.query("SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT 1") {
      (row) throws(StoreError) in
      found = (row.string(0) ?? "", row.isNull(1) ? nil : row.int(1), row.string(2) ?? "")
    }
    throw StoreError(
      .violatedConstraint, store: self.url,
      place: found.map { .cell(table: $0.table, row: $0.row, column: nil) },
      "FOREIGN KEY constraint failed: a row would point to a row of \(found?.parent ?? "another table") that is not there; "
        + "give it another destination, or delete it too")
  }

  // MARK: Keys that are no numbers

  /// The one registry of the store's keys; nil where all keys are whole numbers.
  private var registry: KeyRegistry? { self.columns?.shapes.first?.registry }

  func referenceText(_ reference: Int64) -> String {
    self.registry?.text(of: reference) ?? String(reference)
  }

  func reference(fromText text: String) -> Int64? {
    if let number = ReferenceNames.number(text) ?? Int64(text) { return number }
    return self.registry?.reference(ofText: text)
  }
}

extension StoreError {
  /// The error of a mapping that does not fit its file or the model.
  init(mapping error: MappingError, of file: URL) {
    self.init(
      .cannotOpen, store: file, underlying: error,
      "the mapping does not fit the file and the model:\n\(error)")
  }
}
