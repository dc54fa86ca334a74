internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// A document of others that is never held: every question is a pass over the file, and memory holds the answer.
///
/// For reading alone. Keys of rows that were handed out are remembered, for as long as the store is open.
final class StreamedXMLStore: PersistentStore {
  let id = StoreID.fresh()
  let description: PersistentStoreDescription
  let metadata: StoreMetadata
  let capabilities: StoreCapabilities = [.readOnly, .streams, .columns]
  let model: ManagedObjectModel
  let plan: XMLMappingPlan
  let names = StreamedNames()
  let file: URL
  private let state = Lock(State())

  private struct State {
    var statistics = StoreStatistics()
    var isClosed = false
    /// What the last whole pass over the records of each entity noticed.
    var diagnostics: [String: [StoreDiagnostic]] = [:]
  }

  /// Opens the document, and reads as much of it as tells that it is one.
  init(
    _ plan: XMLMappingPlan, _ description: PersistentStoreDescription, _ model: ManagedObjectModel
  ) throws(StoreError) {
    guard let file = description.url else {
      throw StoreError(.cannotOpen, store: nil, "XML stores need a file; give the description a URL")
    }
    guard let stamp = FileStamp(file) else {
      throw StoreError(.missingFile, store: file, "there is no such file, and a streamed store makes none")
    }
    guard stamp.size > 0 else {
      throw StoreError(.cannotOpen, store: file, "the file is empty, and a streamed store fills none")
    }
    self.file = file
    self.plan = plan
    self.model = model
    self.description = description
    self.metadata = .foreign(XMLStoreInfo.typeName, at: file)
    try XMLRootProbe.check(self.source)
  }

  var source: ByteSource { ByteSource(file: self.file, of: self.description) }

  var statistics: StoreStatistics { self.state.withLock { $0.statistics } }

  /// What passes have noticed so far.
  var diagnostics: [StoreDiagnostic] {
    self.state.withLock { state in state.diagnostics.sorted { $0.key < $1.key }.flatMap(\.value) }
  }

  var isClosed: Bool { self.state.withLock { $0.isClosed } }

  func beginRead() throws(StoreError) -> any ReadScope {
    try self.checkOpen()
    guard let stamp = FileStamp(self.file) else {
      throw StoreError(.missingFile, store: self.file, "the file is gone; put it back, or remove the store")
    }
    return StreamedXMLScope(self, stamp)
  }

  func keyAttributes(of entity: EntityID) -> [Attribute]? {
    guard let number = self.plan.recordByEntity[entity.index] else { return nil }
    let record = self.plan.records[number]
    return record.isKeyed ? record.key : nil
  }

  func referenceText(_ reference: Int64) -> String { self.names[reference] ?? String(reference) }

  /// Whether there is such a row only a pass could tell, so every text names one.
  func reference(fromText text: String) -> Int64? { self.names.remember(text) }

  /// There is nothing to take: every scope looks at the file as it is.
  func reload() throws(StoreError) { try self.checkOpen() }

  func close() { self.state.withLock { $0.isClosed = true } }

  func checkOpen() throws(StoreError) {
    if self.isClosed { throw StoreError(.closed, store: self.file, "the store is closed; open it again") }
  }

  func count(rows: Int, rowsRead: Int, passes: Int = 1) {
    self.state.withLock { state in
      state.statistics.reads += 1
      state.statistics.statements += passes
      state.statistics.rows += rows
      state.statistics.rowsRead += rowsRead
    }
  }

  /// Takes what a whole pass noticed about the records of an entity.
  func notice(_ diagnostics: [StoreDiagnostic], of entity: String) {
    let named = diagnostics.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.store = self.description.name
      return diagnostic
    }
    self.state.withLock { $0.diagnostics[entity] = named }
  }
}

// MARK: Saving

extension StreamedXMLStore {
  private func refusal(_ what: String) -> StoreError {
    StoreError(
      .readOnly, store: self.file,
      "a streamed document is for reading alone, and \(what); map it with \"loading\": \"resident\" to change it"
    )
  }

  func reserveReferences(for entity: EntityID, count: Int) throws(StoreError) -> Range<Int64> {
    throw self.refusal("takes no new rows")
  }

  func references(forKeys keys: [[Value]], of entity: EntityID) throws(StoreError) -> [Int64] {
    throw self.refusal("takes no new rows")
  }

  func prepare(_ changes: ChangeSet, save: SaveIdentifier) throws(StoreError) -> any PreparedSave {
    try self.checkOpen()
    guard changes.isEmpty else { throw self.refusal("takes no changes") }
    return NothingToSave()
  }

  func recover(_ changes: SealedChanges) throws(StoreError) { throw self.refusal("takes no part in saves") }

  func stageMetadata(_ metadata: StoreMetadata) throws(StoreError) {
    throw self.refusal("has no place for metadata")
  }

  private struct NothingToSave: PreparedSave {
    func commit() throws(StoreError) {}
    func abandon() {}
  }
}
