public import FederatedModel
public import Foundation

/// What a store must be: rows out in blocks, changes in as one prepared save.
///
/// A store sees queries, rows, identifiers and change sets. It never sees an object or a context.
public protocol PersistentStore: AnyObject, Sendable {
  /// Made with ``StoreID/fresh()`` when the store is opened; identifiers of its rows carry it.
  var id: StoreID { get }
  var description: PersistentStoreDescription { get }
  var metadata: StoreMetadata { get }
  var capabilities: StoreCapabilities { get }
  /// What the store has done since it was opened. Tests count with it.
  var statistics: StoreStatistics { get }
  /// What the store noticed about its file so far that is no error, and may be why an answer is empty. A store that
  /// notices nothing has none.
  var diagnostics: [StoreDiagnostic] { get }

  /// One consistent state of the store, for as long as the scope lives.
  func beginRead() throws(StoreError) -> any ReadScope
  /// Numbers that no other row of the entity's hierarchy has or will get.
  func reserveReferences(for entity: EntityID, count: Int) throws(StoreError) -> Range<Int64>
  /// The attributes whose values name a row of the entity, in a store of a file made by others; nil where the store
  /// numbers its rows. New rows of such an entity get their references by ``references(forKeys:of:)``.
  func keyAttributes(of entity: EntityID) -> [Attribute]?
  /// The references that new rows with these keys will have: the same ones that a later reading of the file finds.
  ///
  /// - Parameter keys: for each row the values of ``keyAttributes(of:)``, in their order.
  /// - Throws: `unstorableValue` naming entity and attribute when a part of a key is nil.
  func references(forKeys keys: [[Value]], of entity: EntityID) throws(StoreError) -> [Int64]
  /// Writes everything that can fail and holds it, invisible, until `commit` or `abandon`.
  ///
  /// Rows keep the references and versions of the change set. An update or delete whose row is gone or has
  /// another version than the before-image throws `conflict`, and nothing is held; so does a row that the save
  /// relies on (``ChangeSet/expected``), and a delete of a row that others still lead to by the inverse of one of its
  /// to-many relationships, unless that has the rule `noAction`. Rows that would share unique values throw `duplicateKey`, with all of them
  /// (``UniquenessCheck``). Both errors name every row that stands in the way, conflicts before duplicates.
  /// A change set without changes writes staged metadata, if there is any. The identifier of a joint save
  /// (``SaveIdentifier/isJoint``) is written with the changes, where the store has a place for it.
  func prepare(_ changes: ChangeSet, save: SaveIdentifier) throws(StoreError) -> any PreparedSave
  /// Brings in the store's part of a save that has happened, durably, and leaves alone what is there already.
  ///
  /// Called after a commit that failed, and when a store is opened whose process died. A store that keeps the
  /// save's identifier (``StoreMetadata/lastJointSave``) judges by it, any other by the rows
  /// (``SealedChanges/remaining(_:)``). May be called any number of times. Afterwards the store works on from the
  /// state that it has on disk.
  /// - Throws: `conflict` when rows are neither as before nor as after the save; nothing is written then.
  func recover(_ changes: SealedChanges) throws(StoreError)
  /// Takes the store's file as it is now, after somebody else replaced it or wrote to it.
  ///
  /// Rows whose values are the same keep their versions.
  /// - Throws: `changedUnderneath` when a store with another identifier stands there.
  func reload() throws(StoreError)
  /// The same store over another file, as an instance of its own with the same ``id``; this one is closed afterwards.
  ///
  /// A whole-file store writes its rows where no file is. A file that is there must have the store's identifier.
  /// - Throws: `unsupported` unless the store says otherwise; `missingFile` or `alreadyExists` when the place does not
  ///   suit; then nothing has changed.
  func relocated(to url: URL) throws(StoreError) -> any PersistentStore
  /// Replaces the metadata that the next prepared save writes. Identifier and type cannot change.
  func stageMetadata(_ metadata: StoreMetadata) throws(StoreError)
  /// How a reference stands in a URI, behind the `p`. Decimal unless the store names its rows otherwise.
  func referenceText(_ reference: Int64) -> String
  /// The reference that a URI's text names; nil when the text cannot name a row of this store.
  func reference(fromText text: String) -> Int64?
  /// Releases files and connections. Reads and saves that follow throw `closed`.
  func close()
}

extension PersistentStore {
  public var diagnostics: [StoreDiagnostic] { [] }
  public func relocated(to url: URL) throws(StoreError) -> any PersistentStore {
    throw StoreError(
      .unsupported, store: self.description.url,
      "stores of type \(self.description.type.name) stay where they are; remove the store and attach the other file"
    )
  }
  public func referenceText(_ reference: Int64) -> String { String(reference) }
  public func reference(fromText text: String) -> Int64? { Int64(text) }
  public func keyAttributes(of entity: EntityID) -> [Attribute]? { nil }
  public func references(forKeys keys: [[Value]], of entity: EntityID) throws(StoreError) -> [Int64] {
    throw StoreError(
      .unsupported, store: self.description.url,
      "the store numbers its rows; ask it for numbers with reserveReferences(for:count:)")
  }
}

/// One consistent state of a store: a transaction in SQLite, a version of the rows in a whole-file store.
///
/// A scope belongs to one thread at a time and is short: it spans one fetch with its faults and links, or an
/// explicit read scope of a context.
public protocol ReadScope: AnyObject {
  /// Moves when anybody changed the store.
  var changeToken: ChangeToken { get throws(StoreError) }
  func run(_ query: StoreQuery) throws(StoreError) -> StoreAnswer
  /// Hands over the rows of a query in sets of about `batch`, in order, without holding them all.
  func stream(
    _ query: StoreQuery, batch: Int, _ consume: (RowSet) throws -> Void
  ) throws
  /// The destinations of a relationship for many owners, in one go.
  func related(_ relationship: RelationshipID, of owners: [Int64]) throws(StoreError) -> RelatedRows
  /// Says how the store would answer the query, without answering it.
  func explain(_ query: StoreQuery) throws(StoreError) -> StoreExplanation
  /// Answers the query as ``run(_:)`` does, and says how it did and what that took.
  func run(
    explaining query: StoreQuery
  ) throws(StoreError) -> (answer: StoreAnswer, explanation: StoreExplanation)
  /// Ends the scope. Calls that follow throw `closed`. Called at most once, and by `deinit` otherwise.
  func end()
}

extension ReadScope {
  /// Stores that cannot stream answer whole.
  public func stream(
    _ query: StoreQuery, batch: Int, _ consume: (RowSet) throws -> Void
  ) throws {
    guard case .rows(let rows) = try self.run(query) else { return }
    try consume(rows)
  }

  /// Stores that do not count their work tell how they answer, and leave out what it took.
  public func run(
    explaining query: StoreQuery
  ) throws(StoreError) -> (answer: StoreAnswer, explanation: StoreExplanation) {
    (try self.run(query), try self.explain(query))
  }
}

/// A save that a store holds, ready. Exactly one of the two calls ends it.
public protocol PreparedSave: Sendable {
  /// Makes the save visible and durable.
  /// - Throws: why the store is as before; `recoveryPending` when the save is visible and not certain to be durable:
  ///   then ``PersistentStore/recover(_:)`` makes it so.
  func commit() throws(StoreError)
  /// Leaves the store as if the save had never been prepared.
  func abandon()
  /// Rows to whose columns the store wrote by itself, such as a database that keeps derived attributes by triggers.
  /// What the change set says of these columns is not what is stored once the save is committed.
  var rewrittenRows: [RowIdentity] { get }
}

extension PreparedSave {
  /// Most stores hold what they are given.
  public var rewrittenRows: [RowIdentity] { [] }
}

/// Work that a store has done since it was opened.
public struct StoreStatistics: Sendable, Hashable {
  /// Queries, relationship look-ups and streams answered.
  public var reads = 0
  /// Statements run, or scans and look-ups in a whole-file store.
  public var statements = 0
  /// Rows handed over.
  public var rows = 0
  /// Rows that came out of statements, or that a whole-file store looked at one by one: those that were handed
  /// over, and those that were judged in memory and left out.
  public var rowsRead = 0

  public init() {}
}

/// What a store can do.
public struct StoreCapabilities: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Refuses `prepare` for anything but an empty change set.
  public static let readOnly = StoreCapabilities(rawValue: 1)
  /// Hands rows out while it reads them.
  public static let streams = StoreCapabilities(rawValue: 2)
  /// Keeps uniqueness constraints.
  public static let uniquenessConstraints = StoreCapabilities(rawValue: 4)
  /// Is gone when it is closed.
  public static let inMemory = StoreCapabilities(rawValue: 8)
  /// Answers the shapes ``StoreQuery/Shape/values(_:)`` and ``StoreQuery/Shape/groups(_:)``. A store without it is asked
  /// for rows, and the coordinator makes columns and groups of them.
  public static let columns = StoreCapabilities(rawValue: 16)
}

/// A value that moves when a store's content does. Equal tokens of one store mean equal content.
public struct ChangeToken: Sendable, Hashable {
  public let bytes: [UInt8]
  public init(bytes: [UInt8]) { self.bytes = bytes }
  public init(_ numbers: UInt64...) {
    self.bytes = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
  }
}
