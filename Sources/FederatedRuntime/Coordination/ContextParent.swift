package import FederatedModel
package import FederatedStore

/// What a context needs of whoever stands above it: the coordinator, or another context.
package protocol ContextParent: AnyObject {
  var model: ManagedObjectModel { get }
  var coordinator: PersistentStoreCoordinator { get }

  /// Opens a consistent view. The scope of a store begins when the store is first asked.
  func beginRead() -> any ParentRead
  /// Numbers for new rows of an entity in one store; no other row of its hierarchy has or will get them.
  func reserveIdentifiers(in store: StoreID, for entity: EntityID, count: Int) throws -> Range<Int64>
  /// The attributes whose values name a row of the entity in that store; nil where numbers do.
  func keyAttributes(in store: StoreID, of entity: EntityID) throws -> [Attribute]?
  /// The references of new rows in a store that names rows by their keys.
  func references(in store: StoreID, forKeys keys: [[Value]], of entity: EntityID) throws -> [Int64]
  /// Writes to every store or to none. An empty dictionary writes staged metadata.
  /// - Parameter rewritten: takes the rows to which stores wrote by themselves (``PreparedSave/rewrittenRows``).
  /// - Throws: ``SaveError``; ``ConflictingRows`` when rows stand in the way. Unless it is
  ///   ``SaveError/recoveryPending(stores:underlying:)``, no store has changed.
  func save(
    _ changes: [StoreID: ChangeSet], save: SaveIdentifier, rewritten: inout [ManagedObjectID]) throws
}

/// One consistent view of everything below a context: many stores that answer as one.
///
/// Belongs to one thread at a time, is short, and ends before a save is prepared.
package protocol ParentRead: AnyObject {
  /// The rows of a request, in one order and one window over all stores.
  func fetch(_ request: BoundRequest) throws -> FetchedRows
  func identities(_ request: BoundRequest) throws -> [ManagedObjectID]
  /// How many rows the request's window holds.
  func count(_ request: BoundRequest) throws -> Int
  /// Columns of the request's rows, in one order and one window over all stores; distinct over all of them.
  func values(_ request: BoundRequest, _ columns: ValueColumns) throws -> ValueRows
  /// Groups of the request's rows over all stores, whatever its order and window.
  func groups(_ request: BoundRequest, _ grouping: BoundGrouping) throws -> GroupTable
  /// Hands over the rows of a request in sets of about `batch`. Without an order, or from one store, no more
  /// than one set is held at a time.
  func stream(_ request: BoundRequest, batch: Int, _ consume: (FetchedRows) throws -> Void) throws
  /// The rows of these identifiers, in their order: one query for each store and hierarchy. Nil where a row is
  /// gone, its store is not attached, or the identifier is temporary.
  func rows(for identifiers: [ManagedObjectID]) throws -> [Snapshot?]
  /// The destinations of a relationship for many saved owners: one question for each store.
  func related(_ relationship: RelationshipID, of owners: [ManagedObjectID]) throws -> RelatedIdentifiers
  /// Who wants to know how the questions are answered, from now on; nil for nobody.
  var recorder: ReadRecorder? { get set }
  /// Ends the scopes of all stores. Called at most once, and by `deinit` otherwise.
  func end()
}

/// The destinations of one relationship for many owners, in the order in which the owners were given.
package struct RelatedIdentifiers: Sendable {
  package private(set) var offsets: [Int] = [0]
  package private(set) var destinations: [ManagedObjectID] = []

  package init() {}

  /// Takes over one store's answer.
  package init(_ rows: RelatedRows, store: StoreID) {
    self.offsets = rows.offsets
    self.destinations = rows.destinations.map {
      ManagedObjectID(store: store, entity: $0.entity, reference: $0.reference)
    }
  }

  /// The number of owners.
  package var count: Int { self.offsets.count - 1 }

  package subscript(owner: Int) -> ArraySlice<ManagedObjectID> {
    self.destinations[self.offsets[owner]..<self.offsets[owner + 1]]
  }

  /// Adds the next owner's destinations.
  package mutating func append(_ next: some Sequence<ManagedObjectID>) {
    self.destinations.append(contentsOf: next)
    self.offsets.append(self.destinations.count)
  }
}
