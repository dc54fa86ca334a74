public import FederatedModel
internal import Foundation

/// A complete store over any ``WholeFileFormat``: all rows in memory, the file written anew at each save.
///
/// A missing file or one of no bytes is a new store, written at once. A read scope holds one version of the
/// rows, so it neither sees nor blocks a save. Versions of rows start at 1 when the file is read.
public final class WholeFileStore: PersistentStore {
  public let id: StoreID
  public let description: PersistentStoreDescription
  public let capabilities: StoreCapabilities
  /// Where the two sides of a relationship in the file disagreed when it was read.
  public let repairs: [InverseRepair]
  let model: ManagedObjectModel
  let format: (any WholeFileFormat)?
  let state: Lock<State>

  struct State {
    var table: RowTable
    var metadata: StoreMetadata
    /// What the next save writes instead of `metadata`.
    var staged: StoreMetadata?
    var statistics = StoreStatistics()
    var isClosed = false
    /// Whether a prepared save waits for its end.
    var isHeld = false
    var nextReference: Int64
    /// Counts committed saves.
    var version: UInt64 = 0
    /// What a save writes when nothing is staged: the metadata with the model's hashes, after an opening that
    /// ignored other ones.
    var refreshed: StoreMetadata?
    /// The file as it was when it was read or written here.
    var stamp: FileStamp?
    /// What the file held then.
    var digest: ContentDigest?
    /// Whether the file stands and may be another one again after a loss of power.
    var awaitsSync = false
    /// What was noticed when the file was read.
    var diagnostics: [StoreDiagnostic] = []
    /// Keys of rows that were added since.
    var newNames = ReferenceNames()
  }

  /// Opens the file of the description, or makes it.
  ///
  /// - Throws: `missingFile` for a read-only store without a file, `incompatibleModel`, and what the format
  ///   throws about the file's content.
  public convenience init(
    _ format: some WholeFileFormat, _ description: PersistentStoreDescription, _ model: ManagedObjectModel
  ) throws(StoreError) {
    guard let url = description.url else {
      throw StoreError(
        .cannotOpen, store: nil, "\(format.typeName) stores need a file; give the description a URL")
    }
    let id = StoreID.fresh()
    do throws(StoreError) {
      let opened = try OpenedFile(url, format, description, model, store: id)
      self.init(id, format, description, model, opened)
    } catch {
      throw error.located(in: url)
    }
  }

  /// A store without a file, gone when it is closed.
  public convenience init(
    inMemory description: PersistentStoreDescription, _ model: ManagedObjectModel
  ) throws(StoreError) {
    let id = StoreID.fresh()
    self.init(id, nil, description, model, try OpenedFile(inMemory: description, model, store: id))
  }

  init(
    _ id: StoreID, _ format: (any WholeFileFormat)?, _ description: PersistentStoreDescription,
    _ model: ManagedObjectModel, _ opened: OpenedFile
  ) {
    self.id = id
    self.format = format
    self.description = description
    self.model = model
    self.repairs = opened.repairs
    var capabilities: StoreCapabilities = [.uniquenessConstraints, .columns]
    if format == nil { capabilities.insert(.inMemory) }
    if description.isReadOnly { capabilities.insert(.readOnly) }
    self.capabilities = capabilities
    let first = max(opened.table.highestReference + 1, format?.firstReference ?? 1)
    self.state = Lock(
      State(
        table: opened.table, metadata: opened.metadata, staged: nil, nextReference: first,
        refreshed: opened.refreshedMetadata, stamp: opened.stamp, digest: opened.digest,
        diagnostics: opened.diagnostics))
  }
}

// MARK: The contract

extension WholeFileStore {
  public var metadata: StoreMetadata { self.state.withLock { $0.staged ?? $0.metadata } }

  public var statistics: StoreStatistics { self.state.withLock { $0.statistics } }

  public func beginRead() throws(StoreError) -> any ReadScope {
    try self.state.withLock { (state) throws(StoreError) in
      try self.checkOpen(state)
      return TableReadScope(of: state.table, version: state.version, in: self)
    }
  }

  public func reserveReferences(for entity: EntityID, count: Int) throws(StoreError) -> Range<Int64> {
    try self.reloadIfChanged()
    return try self.state.withLock { (state) throws(StoreError) in
      try self.checkOpen(state)
      let first = state.nextReference
      let (end, overflows) = first.addingReportingOverflow(Int64(count))
      guard !overflows, end <= ReferenceNames.firstOpaque else {
        throw StoreError(
          .unsupported, store: self.description.url, "the store has no numbers left for new rows")
      }
      state.nextReference = end
      return first..<end
    }
  }

  public func stageMetadata(_ metadata: StoreMetadata) throws(StoreError) {
    try self.state.withLock { (state) throws(StoreError) in
      try self.checkOpen(state)
      guard self.format?.keepsMetadata ?? true else {
        throw StoreError(
          .unsupported, store: self.description.url,
          "the file was made by others and has no place for metadata; keep them elsewhere")
      }
      guard metadata.uuid == state.metadata.uuid, metadata.type == state.metadata.type else {
        throw StoreError(
          .unsupported, store: self.description.url,
          "identifier and type of an open store cannot change; change its other entries")
      }
      state.staged = metadata
    }
  }

  public func referenceText(_ reference: Int64) -> String {
    let name = self.state.withLock { $0.table.name(of: reference) ?? $0.newNames[reference] }
    return self.format?.referenceText(reference, name: name) ?? String(reference)
  }

  public func reference(fromText text: String) -> Int64? {
    guard let format = self.format else { return ReferenceNames.number(text) }
    return format.reference(fromText: text)
      ?? self.state.withLock { $0.table.names.reference(of: text) ?? $0.newNames.reference(of: text) }
  }

  public func close() { self.state.withLock { $0.isClosed = true } }

  func checkOpen(_ state: borrowing State) throws(StoreError) {
    if state.isClosed {
      throw StoreError(.closed, store: self.description.url, "the store is closed; open it again")
    }
  }

  func count(reads: Int = 0, statements: Int = 0, rows: Int = 0, rowsRead: Int = 0) {
    self.state.withLock { state in
      state.statistics.reads += reads
      state.statistics.statements += statements
      state.statistics.rows += rows
      state.statistics.rowsRead += rowsRead
    }
  }

  var isClosed: Bool { self.state.withLock { $0.isClosed } }
}
