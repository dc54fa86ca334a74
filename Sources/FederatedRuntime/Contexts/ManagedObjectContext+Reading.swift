import FederatedModel
internal import FederatedStore

/// The parent's read that an explicit scope holds.
struct ContextReadScope {
  var depth = 0
  var read: (any ParentRead)?
  /// Who wants to know how questions are answered; nil for nobody.
  var recorder: ReadRecorder?

  mutating func end() {
    self.read?.end()
    self.read = nil
  }
}

/// The last to-one that led to an object which was not at hand.
struct FollowedLink {
  let destination: ManagedObjectID
  let source: Snapshot
  let slot: Int
}

/// Rows that a request wants loaded together.
final class FaultBatch {
  let identifiers: [ManagedObjectID]
  init(_ identifiers: [ManagedObjectID]) { self.identifiers = identifiers }
}

extension ManagedObject {
  /// Whether the object is a fault whose row has to be asked for.
  final var isBare: Bool {
    self.isFault && self.snapshot == nil && !self.objectID.isTemporary
      && self.flags.isDisjoint(with: [.inaccessible, .inserted])
  }
}

extension ManagedObjectContext {
  /// Answers every fetch, fault and link inside `body` from one state of each store.
  ///
  /// Keep it short: a store that others write to may have to wait for it. A save inside ends the state; what
  /// follows sees the state after the save.
  ///
  /// ```swift
  /// let total = try context.withReadScope {
  ///   try context.fetch(FetchRequest("Customer")).reduce(0) { try $0 + $1.fetched("invoices").count }
  /// }
  /// ```
  public func withReadScope<Result>(_ body: () throws -> Result) rethrows -> Result {
    self.scope.depth += 1
    defer {
      self.scope.depth -= 1
      if self.scope.depth == 0 { self.scope.end() }
    }
    return try body()
  }

  /// One read of the parent: that of the open scope, or one that ends with `body`.
  func reading<Result>(_ body: (any ParentRead) throws -> Result) throws -> Result {
    if self.scope.depth > 0 {
      if let read = self.scope.read { return try body(read) }
      self.takeReloads()
      let read = self.parent.beginRead()
      read.recorder = self.scope.recorder
      self.scope.read = read
      return try body(read)
    }
    self.takeReloads()
    let read = self.parent.beginRead()
    defer { read.end() }
    return try body(read)
  }

  // MARK: Faults

  /// Rows that are asked for together with one that is needed.
  private static let batch = 100

  /// Brings the row of a fault, and those of others that are likely to be next.
  func loadRow(of object: ManagedObject) throws {
    guard !object.objectID.isTemporary, !object.isInserted else {
      throw ManagedObjectError.inaccessible(object)
    }
    try self.loadRows(of: [object] + self.companions(of: object))
    self.recent.keep(object)
    if object.snapshot == nil { throw ManagedObjectError.inaccessible(object) }
  }

  /// Faults without a row that are read together with one: those of its batch; or, when a link led to it, those that
  /// the same link leads to from the following rows; or others of its entity.
  private func companions(of object: ManagedObject) -> [ManagedObject] {
    if let batch = object.extras?.batch {
      return batch.identifiers.compactMap { self.registeredObject(for: $0) }.filter {
        $0 !== object && $0.isBare
      }
    }
    if let way = self.lastWay, way.destination == object.objectID {
      let next = self.destinations(along: way)
      if !next.isEmpty { return next }
    }
    return object.home.table.neighbours(of: object, limit: ManagedObjectContext.batch) { $0.isBare }
  }

  /// The rows behind the source came with one fetch, and are likely to be walked in their order.
  private func destinations(along way: FollowedLink) -> [ManagedObject] {
    let block = way.source.block
    var seen: Set<ManagedObjectID> = [way.destination]
    var found: [ManagedObject] = []
    let last = min(block.count, way.source.row + ManagedObjectContext.batch)
    for row in min(way.source.row + 1, last)..<last {
      guard let (reference, entity) = block[row].destination(way.slot) else { continue }
      let id = ManagedObjectID(store: way.destination.store, entity: entity, reference: reference)
      guard seen.insert(id).inserted else { continue }
      let object = self.object(with: id)
      guard object.isBare else { continue }
      self.recent.keep(object)
      found.append(object)
    }
    return found
  }

  /// Brings the rows of faults in one go. One whose row is gone becomes inaccessible.
  func loadRows(of faults: [ManagedObject]) throws {
    let rows = try self.reading { try $0.rows(for: faults.map(\.objectID)) }
    for (fault, row) in zip(faults, rows) {
      if let row { fault.snapshot = row } else { self.markInaccessible(fault) }
    }
  }

  /// The row is gone: the object counts as deleted, and nothing of it is left to save.
  func markInaccessible(_ object: ManagedObject) {
    guard self.coordinator.store(object.objectID.store) != nil else { return }
    object.flags.insert(.inaccessible)
    object.flags.insert(.deleted)
  }

  // MARK: Links

  /// The object that a to-one leads to.
  func destination(
    _ id: ManagedObjectID, of relationship: Relationship, from source: ManagedObject
  ) -> ManagedObject? {
    if let known = self.registeredObject(for: id) { return known }
    if id.isTemporary { return nil }
    let object = self.object(with: id)
    self.recent.keep(object)
    if let slot = relationship.slot, let snapshot = source.snapshot {
      self.lastWay = FollowedLink(destination: id, source: snapshot, slot: slot)
    }
    return object
  }

  /// The saved destinations of a to-many.
  func related(_ relationship: Relationship, of owner: ManagedObject) throws -> [ManagedObject] {
    let found = try self.reading { try $0.related(relationship.id, of: [owner.objectID]) }
    return found[0].map { self.object(with: $0) }
  }
}
