import FederatedModel
import FederatedStore

/// One pass over every row of an entity as a context has it: the rows of each store, one batch at a time, and then the
/// objects with unsaved changes.
struct EntityPass {
  let context: ManagedObjectContext
  let entity: Entity
  var includesSubentities = true
  /// Whether unsaved changes are seen. Without them the context must have none.
  var seesChanges = true
  /// The only stores to look at; nil for all.
  var only: [StoreID]?

  /// Rows or objects that are handed over together; no more rows than these are held.
  static let batch = 500

  /// A row that is as it was saved, or an object that is not.
  enum Member {
    case row(FetchedRow)
    case object(ManagedObject)

    var objectID: ManagedObjectID {
      switch self {
      case .row(let row): row.objectID
      case .object(let object): object.objectID
      }
    }

    /// The stored value of an attribute, edits included.
    func value(_ attribute: BoundAttribute) throws -> Value {
      switch self {
      case .row(let row):
        attribute.type.slotKind.map { row.snapshot.value(attribute.slot, $0, store: row.store) } ?? .null
      case .object(let object): try object.attribute(attribute)
      }
    }
  }

  private var family: [EntityID] { self.includesSubentities ? self.entity.family : [self.entity.id] }

  /// The stores that hold the entity, in order of attachment.
  var stores: [StoreID] {
    let readers = self.context.coordinator.router.readers(
      of: self.entity.id, includingSubentities: self.includesSubentities)
    return self.only.map { only in readers.filter(only.contains) } ?? readers
  }

  /// - Parameter consume: is given members of one store; nil for objects that no store will take.
  func run(_ consume: (StoreID?, [Member]) throws -> Void) throws {
    try self.context.withReadScope {
      for store in self.stores { try self.run(store, consume) }
    }
    guard self.seesChanges else { return }
    let changed = self.context.homes(of: self.family).flatMap(\.changedObjects).filter { !$0.isDeleted }
    for object in changed {
      let store = self.store(of: object)
      if let only = self.only, !(store.map(only.contains) ?? false) { continue }
      try consume(store, [.object(object)])
    }
  }

  private func run(_ store: StoreID, _ consume: (StoreID?, [Member]) throws -> Void) throws {
    var request = BoundRequest(self.entity.id)
    request.includesSubentities = self.includesSubentities
    request.stores = [store]
    let homes = self.context.homes(of: self.family).filter { $0.changedCount > 0 }
    let hidden = self.seesChanges ? homes : []
    try self.context.reading { read in
      try read.stream(request, batch: Self.batch) { rows in
        let members = rows.filter { row in
          !hidden.contains { home in
            home.entity.id == row.snapshot.entity
              && (home.table.object(row.snapshot.reference, in: row.store)?.changedPlace ?? -1) >= 0
          }
        }
        for start in stride(from: 0, to: members.count, by: Self.batch) {
          try consume(store, members[start..<min(members.count, start + Self.batch)].map { .row($0) })
        }
      }
    }
  }

  /// Where an object is, or will be saved.
  private func store(of object: ManagedObject) -> StoreID? {
    if !object.objectID.isTemporary { return object.objectID.store }
    return self.context.assignments[ObjectIdentifier(object)]
      ?? self.context.coordinator.router.writers(of: object.objectID.entity).first
  }

  /// The members as objects.
  func objects(of members: [Member]) -> [ManagedObject] {
    members.map { member in
      switch member {
      case .object(let object): object
      case .row(let row):
        self.context.object(
          for: row.snapshot, store: row.store, home: self.context.home(row.snapshot.entity))
      }
    }
  }
}
