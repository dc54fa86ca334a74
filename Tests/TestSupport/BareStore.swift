public import FederatedModel
public import FederatedStore

/// A store without rows that takes every save. Its references may have names, as those of some files do.
public final class BareStore: PersistentStore {
  public let id = StoreID.fresh()
  public let description: PersistentStoreDescription
  private let state: Lock<State>

  private struct State {
    var metadata: StoreMetadata
    var staged: StoreMetadata?
    var next: Int64 = 1
    var isClosed = false
  }

  /// Text of references by number, for a store that names its rows.
  private let names: [Int64: String]

  public init(
    _ description: PersistentStoreDescription, metadata: StoreMetadata? = nil, names: [Int64: String] = [:]
  ) {
    self.description = description
    self.names = names
    self.state = Lock(State(metadata: metadata ?? StoreMetadata(type: description.type.name)))
  }

  public var metadata: StoreMetadata { self.state.withLock { $0.metadata } }
  public var capabilities: StoreCapabilities {
    self.description.isReadOnly ? [.readOnly, .inMemory] : [.inMemory]
  }
  public var statistics: StoreStatistics { StoreStatistics() }
  public var isClosed: Bool { self.state.withLock { $0.isClosed } }

  public func beginRead() throws(StoreError) -> any ReadScope { BareScope() }

  public func reserveReferences(for entity: EntityID, count: Int) throws(StoreError) -> Range<Int64> {
    self.state.withLock { state in
      state.next += Int64(count)
      return (state.next - Int64(count))..<state.next
    }
  }

  public func prepare(_ changes: ChangeSet, save: SaveIdentifier) throws(StoreError) -> any PreparedSave {
    BareSave(store: self)
  }

  public func recover(_ changes: SealedChanges) throws(StoreError) {}

  public func reload() throws(StoreError) {}

  public func stageMetadata(_ metadata: StoreMetadata) throws(StoreError) {
    self.state.withLock { $0.staged = metadata }
  }

  fileprivate func commit() {
    self.state.withLock { state in
      if let staged = state.staged { state.metadata = staged }
      state.staged = nil
    }
  }

  public func referenceText(_ reference: Int64) -> String { self.names[reference] ?? String(reference) }

  public func reference(fromText text: String) -> Int64? {
    self.names.first { $0.value == text }?.key ?? Int64(text)
  }

  public func close() { self.state.withLock { $0.isClosed = true } }
}

private struct BareSave: PreparedSave {
  let store: BareStore
  func commit() throws(StoreError) { self.store.commit() }
  func abandon() {}
}

private final class BareScope: ReadScope {
  var changeToken: ChangeToken { get throws(StoreError) { ChangeToken(0) } }

  func run(_ query: StoreQuery) throws(StoreError) -> StoreAnswer {
    switch query.shape {
    case .rows: .rows(RowSet([]))
    case .identities: .identities([])
    case .count: .count(0)
    case .values(let columns): .values(ValueRows(width: columns.columns.count))
    case .groups(let grouping): .groups(GroupTable(grouping))
    }
  }

  func related(_ relationship: RelationshipID, of owners: [Int64]) throws(StoreError) -> RelatedRows {
    RelatedRows(offsets: Array(repeating: 0, count: owners.count + 1))
  }

  func explain(_ query: StoreQuery) throws(StoreError) -> StoreExplanation {
    StoreExplanation(statement: "no rows")
  }

  func end() {}
}

extension StoreType {
  /// Opens a ``BareStore``.
  public static let bare = StoreType("Bare") { (description, _) throws(StoreError) in BareStore(description) }
}
