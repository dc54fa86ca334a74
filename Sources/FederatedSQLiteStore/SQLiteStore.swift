internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// A store in one SQLite file.
///
/// Readers and writers are separate connections: a read scope holds a read transaction, a prepared save an
/// open write transaction.
final class SQLiteStore: PersistentStore {
  let id: StoreID
  let description: PersistentStoreDescription
  let model: ManagedObjectModel
  let layout: TableLayout
  let bookkeeping: Bookkeeping
  /// What statements over a file of others call; nil for the store's own layout.
  let columns: MappedColumns?
  let url: URL
  let file: DatabaseFile
  let counters = StoreCounters()
  let compiler: SelectCompiler
  private let plans: [ReadPlan?]
  private let exactPlans: [ReadPlan?]
  private let readers: ConnectionPool
  private let writers: ConnectionPool
  /// Whether readers do not stand in the way of a commit.
  let hasWriteAheadLog: Bool
  let state: Lock<State>

  struct State {
    var metadata: StoreMetadata
    /// What the next save writes; the store's own at once.
    var staged: StoreMetadata?
    /// The next save that changes rows writes the hashes of the model that made them.
    var isOfOtherVersion: Bool
    var isClosed = false
    /// The highest reference handed out, by table.
    var reserved: [Int: Int64] = [:]
  }

  convenience init(_ description: PersistentStoreDescription, _ model: ManagedObjectModel) throws(StoreError)
  {
    try self.init(description, model, id: .fresh())
  }

  /// - Parameter id: that of the store which this one goes on from; else a fresh one.
  init(
    _ description: PersistentStoreDescription, _ model: ManagedObjectModel, id: StoreID = .fresh(),
    busyMilliseconds: Int32 = 5000
  ) throws(StoreError) {
    guard let url = description.url else {
      throw StoreError(.cannotOpen, store: nil, "a SQLite store needs the URL of a file")
    }
    let mapping = try SQLiteStore.mapping(of: description)
    self.id = id
    self.url = url
    self.description = description
    self.model = model
    let hasContent = try DatabaseFile.check(url)
    let file = try DatabaseFile(
      url, readOnly: description.isReadOnly, busyMilliseconds: busyMilliseconds,
      limits: description.limits)
    self.file = file
    let mapped = try mapping.map { (mapping) throws(StoreError) in
      try SQLiteStore.openMapped(file, mapping, description, model)
    }
    let columns = mapped?.columns
    self.columns = columns
    self.readers = ConnectionPool(keeping: 4) { () throws(StoreError) in try file.reader(serving: columns) }
    self.writers = ConnectionPool(keeping: 1) { () throws(StoreError) in try file.writer(serving: columns) }
    let opened: Opened
    if let mapped {
      opened = mapped
    } else if hasContent || description.isReadOnly {
      opened = try SQLiteStore.openExisting(file, self.readers, description, model)
    } else {
      opened = try SQLiteStore.create(file, description, model)
    }
    self.layout = opened.layout
    self.bookkeeping = opened.bookkeeping
    self.hasWriteAheadLog = opened.hasWriteAheadLog
    self.state = Lock(State(metadata: opened.metadata, isOfOtherVersion: opened.isOfOtherVersion))
    let layout = opened.layout
    self.compiler = SelectCompiler(layout: layout, model: model, store: self.id)
    self.plans = layout.entities.map { place in
      place.map { ReadPlan($0, includesSubentities: true, layout: layout, model: model) }
    }
    self.exactPlans = layout.entities.map { place in
      place.map { ReadPlan($0, includesSubentities: false, layout: layout, model: model) }
    }
  }

  /// How rows of a query's entity are read.
  func plan(of query: StoreQuery, _ place: EntityPlace) -> ReadPlan {
    (query.includesSubentities ? self.plans : self.exactPlans)[place.entity.index]!
  }

  var metadata: StoreMetadata { self.state.withLock { $0.staged ?? $0.metadata } }
  var statistics: StoreStatistics { self.counters.statistics }

  var capabilities: StoreCapabilities {
    self.description.isReadOnly
      ? [.readOnly, .streams, .uniquenessConstraints, .columns]
      : [.streams, .uniquenessConstraints, .columns]
  }

  func beginRead() throws(StoreError) -> any ReadScope {
    try self.requireOpen()
    return SQLiteReadScope(self)
  }

  func close() {
    self.state.withLock { $0.isClosed = true }
    self.readers.close()
    self.writers.close()
  }

  func dropIdleConnections() {
    self.readers.dropIdle()
    self.writers.dropIdle()
  }

  func requireOpen() throws(StoreError) {
    if self.state.withLock({ $0.isClosed }) {
      throw StoreError(.closed, store: self.url, "the store was closed; open it again")
    }
  }

  func takeReader() throws(StoreError) -> Connection { try self.readers.take() }
  func giveBack(reader: Connection) { self.readers.giveBack(reader) }
  func takeWriter() throws(StoreError) -> Connection { try self.writers.take() }
  func giveBack(writer: Connection) { self.writers.giveBack(writer) }

  func stageMetadata(_ metadata: StoreMetadata) throws(StoreError) {
    try self.requireOpen()
    guard self.bookkeeping.keepsMetadata else {
      throw StoreError(
        .unsupported, store: self.url,
        "a file that another program made has no place for metadata; keep them elsewhere")
    }
    try self.state.withLock { (state) throws(StoreError) in
      guard metadata.uuid == state.metadata.uuid, metadata.type == state.metadata.type else {
        throw StoreError(
          .unsupported, store: self.url,
          "a store's identifier and type cannot change; change other entries only")
      }
      state.staged = metadata
    }
  }

  /// Hands out numbers above every key of the table, without touching the file: a save that is refused leaves
  /// it as it was. The file's own counter rises inside the save, where a number that another process took in
  /// the meantime shows as `changedUnderneath`.
  func reserveReferences(for entity: EntityID, count: Int) throws(StoreError) -> Range<Int64> {
    try self.requireOpen()
    let place = try self.place(of: entity)
    let reader = try self.takeReader()
    defer { self.giveBack(reader: reader) }
    let highest = try self.bookkeeping.highestReference(inTable: place.table, reader)
    return try self.state.withLock { (state) throws(StoreError) in
      let taken = max(highest, state.reserved[place.table] ?? 0, 0)
      let (last, overflows) = taken.addingReportingOverflow(Int64(count))
      guard !overflows, last < .max else {
        throw StoreError(
          .unsupported, store: self.url,
          place: .cell(table: self.layout.tables[place.table].name, row: nil, column: nil),
          "the table has no keys left for new rows: its highest is \(taken)")
      }
      state.reserved[place.table] = last
      return taken + 1..<last + 1
    }
  }

  /// Where rows of an entity stand.
  func place(of entity: EntityID) throws(StoreError) -> EntityPlace {
    guard let place = self.layout[entity] else {
      throw StoreError(
        .unsupported, store: self.url,
        "the store does not hold entity \(self.model[entity].name); its configuration is "
          + (self.description.configuration ?? "the whole model"))
    }
    return place
  }
}
