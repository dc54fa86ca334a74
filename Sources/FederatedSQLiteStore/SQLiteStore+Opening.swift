internal import FederatedModel
internal import FederatedStore
internal import Foundation

extension SQLiteStore {
  struct Opened {
    let layout: TableLayout
    let bookkeeping: Bookkeeping
    let metadata: StoreMetadata
    /// Whether the file was saved with another version of the model than the one it is opened with.
    var isOfOtherVersion = false
    let hasWriteAheadLog: Bool
    /// What the functions for a file of others work with.
    var columns: MappedColumns?
  }

  /// The connection that reads what the file is stays for the first reader.
  static func openExisting(
    _ file: DatabaseFile, _ readers: ConnectionPool, _ description: PersistentStoreDescription,
    _ model: ManagedObjectModel
  ) throws(StoreError) -> Opened {
    let connection = try readers.take()
    let existing = try ExistingSchema(connection)
    if existing.isEmpty, !file.isReadOnly { return try self.create(file, description, model) }
    try self.requireCoreData(existing, file.url)
    let metadata = try MetadataTable.read(connection)
    let compatibility = try ModelCompatibility(model, description)
    if !description.ignoresModelVersion, !compatibility.accepts(metadata) {
      throw compatibility.error(for: metadata, in: file.url)
    }
    let core = try CoreDataTableLayout(
      model: model, configuration: description.configuration, existing: existing, file: file.url)
    let layout = try core.layout()
    try NumberColumnCheck(existing: existing, model: model, layout: layout, file: file.url).run(connection)
    let mode = try connection.texts("PRAGMA journal_mode").first ?? ""
    readers.giveBack(connection)
    return Opened(
      layout: layout, bookkeeping: .own(CoreDataBookkeeping(model: model, ids: core.ids, layout: layout)),
      metadata: metadata, isOfOtherVersion: !compatibility.accepts(metadata), hasWriteAheadLog: mode == "wal")
  }

  static func create(
    _ file: DatabaseFile, _ description: PersistentStoreDescription, _ model: ManagedObjectModel
  ) throws(StoreError) -> Opened {
    let core = try CoreDataTableLayout(model: model, configuration: description.configuration, file: file.url)
    let layout = try core.layout()
    var metadata = self.newMetadata(description, model)
    try ModelCompatibility(model, description).stamp(&metadata)
    let connection = try file.writer(creating: true)
    try connection.execute("PRAGMA auto_vacuum = 2")
    let mode = try connection.texts("PRAGMA journal_mode = WAL").first ?? ""
    try connection.execute("BEGIN IMMEDIATE")
    do {
      for statement in SchemaCreation(model: model, layout: layout, ids: core.ids).statements {
        try connection.execute(statement)
      }
      try PrimaryKeyTable.fill(core.ids, model: model, connection)
      try MetadataTable.write(metadata, connection)
      try connection.execute("COMMIT")
    } catch {
      connection.rollBack()
      throw error
    }
    return Opened(
      layout: layout, bookkeeping: .own(CoreDataBookkeeping(model: model, ids: core.ids, layout: layout)),
      metadata: metadata, hasWriteAheadLog: mode == "wal")
  }

  /// The metadata of a store, whatever model it was saved with.
  static func metadata(_ connection: Connection) throws(StoreError) -> StoreMetadata {
    try self.requireCoreData(try ExistingSchema(connection), connection.file)
    return try MetadataTable.read(connection)
  }

  private static func requireCoreData(_ existing: ExistingSchema, _ url: URL) throws(StoreError) {
    if existing.isCoreData { return }
    throw StoreError(
      .typeMismatch, store: url,
      "the file is a SQLite database but not a store of this layout; it has tables "
        + "\(existing.tableNames.prefix(12).joined(separator: ", "))")
  }

  private static func newMetadata(
    _ description: PersistentStoreDescription, _ model: ManagedObjectModel
  ) -> StoreMetadata {
    StoreMetadata(
      uuid: description.newStoreIdentifier ?? UUID(), type: StoreTypeName.sqlite,
      entries: [
        "NSStoreModelVersionHashesVersion": .int(3),
        "NSStoreModelVersionIdentifiers": .array(model.versionIdentifiers.map { .string($0) }),
        "_NSAutoVacuumLevel": .string("2"),
      ])
  }
}
