public import FederatedModel
public import FederatedStore

/// A store around another one that counts what it is asked and fails where it is told to.
///
/// ```swift
/// let spy = SpyStore(around: store)
/// spy.fail(.commit)
/// #expect(spy.calls.queries.count == 1)
/// ```
public final class SpyStore: PersistentStore {
  public let wrapped: any PersistentStore
  private let state = Lock(State())

  private struct State {
    var calls = Calls()
    var failures: [Step: StoreError] = [:]
  }

  /// What the store was asked so far.
  public struct Calls: Sendable {
    public var beganReads = 0
    public var endedReads = 0
    public var queries: [StoreQuery] = []
    /// Relationship look-ups, with the number of owners of each.
    public var related: [(relationship: RelationshipID, owners: Int)] = []
    public var reserved = 0
    public var prepared: [ChangeSet] = []
    public var committed = 0
    public var abandoned = 0
    public var recovered: [SealedChanges] = []
    public var stagedMetadata: [StoreMetadata] = []
    public var closed = 0
  }

  public enum Step: Sendable, Hashable {
    case beginRead, query, prepare, commit, recover, reserve
  }

  /// What the wrapped store can do, and nobody is told.
  private let hidden: StoreCapabilities

  public init(around store: any PersistentStore, hiding hidden: StoreCapabilities = []) {
    self.wrapped = store
    self.hidden = hidden
  }

  public var calls: Calls { self.state.withLock { $0.calls } }

  /// Counts from nothing again.
  public func forgetCalls() { self.state.withLock { $0.calls = Calls() } }

  /// From now on the step throws, until ``heal()``.
  public func fail(_ step: Step, with error: StoreError? = nil) {
    let error =
      error ?? StoreError(.inputOutput, store: self.description.url, "the disk of this test is broken")
    self.state.withLock { $0.failures[step] = error }
  }

  public func heal() { self.state.withLock { $0.failures = [:] } }

  fileprivate func count(_ change: (inout Calls) -> Void) {
    self.state.withLock { state in change(&state.calls) }
  }

  fileprivate func pass(_ step: Step) throws(StoreError) {
    if let error = self.state.withLock({ $0.failures[step] }) { throw error }
  }

  public var id: StoreID { self.wrapped.id }
  public var description: PersistentStoreDescription { self.wrapped.description }
  public var metadata: StoreMetadata { self.wrapped.metadata }
  public var capabilities: StoreCapabilities { self.wrapped.capabilities.subtracting(self.hidden) }
  public var statistics: StoreStatistics { self.wrapped.statistics }
  public var diagnostics: [StoreDiagnostic] { self.wrapped.diagnostics }

  public func beginRead() throws(StoreError) -> any ReadScope {
    try self.pass(.beginRead)
    self.count { $0.beganReads += 1 }
    return SpyScope(self, around: try self.wrapped.beginRead())
  }

  public func reserveReferences(for entity: EntityID, count: Int) throws(StoreError) -> Range<Int64> {
    try self.pass(.reserve)
    self.count { $0.reserved += count }
    return try self.wrapped.reserveReferences(for: entity, count: count)
  }

  public func keyAttributes(of entity: EntityID) -> [Attribute]? { self.wrapped.keyAttributes(of: entity) }
  public func references(forKeys keys: [[Value]], of entity: EntityID) throws(StoreError) -> [Int64] {
    try self.wrapped.references(forKeys: keys, of: entity)
  }

  public func prepare(_ changes: ChangeSet, save: SaveIdentifier) throws(StoreError) -> any PreparedSave {
    try self.pass(.prepare)
    self.count { $0.prepared.append(changes) }
    return SpySave(spy: self, wrapped: try self.wrapped.prepare(changes, save: save))
  }

  public func recover(_ changes: SealedChanges) throws(StoreError) {
    try self.pass(.recover)
    try self.wrapped.recover(changes)
    self.count { $0.recovered.append(changes) }
  }

  public func reload() throws(StoreError) { try self.wrapped.reload() }

  public func stageMetadata(_ metadata: StoreMetadata) throws(StoreError) {
    self.count { $0.stagedMetadata.append(metadata) }
    try self.wrapped.stageMetadata(metadata)
  }

  public func referenceText(_ reference: Int64) -> String { self.wrapped.referenceText(reference) }
  public func reference(fromText text: String) -> Int64? { self.wrapped.reference(fromText: text) }

  public func close() {
    self.count { $0.closed += 1 }
    self.wrapped.close()
  }
}

private final class SpyScope: ReadScope {
  let spy: SpyStore
  let wrapped: any ReadScope
  private var hasEnded = false

  init(_ spy: SpyStore, around scope: any ReadScope) {
    self.spy = spy
    self.wrapped = scope
  }

  deinit { if !self.hasEnded { self.end() } }

  var changeToken: ChangeToken { get throws(StoreError) { try self.wrapped.changeToken } }

  func run(_ query: StoreQuery) throws(StoreError) -> StoreAnswer {
    try self.spy.pass(.query)
    self.spy.count { $0.queries.append(query) }
    return try self.wrapped.run(query)
  }

  func stream(_ query: StoreQuery, batch: Int, _ consume: (RowSet) throws -> Void) throws {
    try self.spy.pass(.query)
    self.spy.count { $0.queries.append(query) }
    try self.wrapped.stream(query, batch: batch, consume)
  }

  func related(_ relationship: RelationshipID, of owners: [Int64]) throws(StoreError) -> RelatedRows {
    try self.spy.pass(.query)
    self.spy.count { $0.related.append((relationship, owners.count)) }
    return try self.wrapped.related(relationship, of: owners)
  }

  func explain(_ query: StoreQuery) throws(StoreError) -> StoreExplanation { try self.wrapped.explain(query) }

  func run(
    explaining query: StoreQuery
  ) throws(StoreError) -> (answer: StoreAnswer, explanation: StoreExplanation) {
    try self.spy.pass(.query)
    self.spy.count { $0.queries.append(query) }
    return try self.wrapped.run(explaining: query)
  }

  func end() {
    self.hasEnded = true
    self.spy.count { $0.endedReads += 1 }
    self.wrapped.end()
  }
}

private struct SpySave: PreparedSave {
  let spy: SpyStore
  let wrapped: any PreparedSave
  var rewrittenRows: [RowIdentity] { self.wrapped.rewrittenRows }

  func commit() throws(StoreError) {
    do { try self.spy.pass(.commit) } catch {
      self.wrapped.abandon()
      throw error
    }
    try self.wrapped.commit()
    self.spy.count { $0.committed += 1 }
  }

  func abandon() {
    self.spy.count { $0.abandoned += 1 }
    self.wrapped.abandon()
  }
}

extension StoreType {
  /// A type whose stores are spies around stores of another type.
  public static func spying(on type: StoreType) -> StoreType {
    StoreType(type.name, readMetadata: type.readMetadata, destroy: type.destroy) {
      (description, model) throws(StoreError) in
      SpyStore(around: try type.open(description, model))
    }
  }

  /// A type whose stores answer rows, identities and counts alone.
  public static func rowsOnly(_ type: StoreType) -> StoreType {
    StoreType(type.name, readMetadata: type.readMetadata, destroy: type.destroy) {
      (description, model) throws(StoreError) in
      SpyStore(around: try type.open(description, model), hiding: .columns)
    }
  }
}
