import FederatedModel
internal import FederatedStore

/// The parent's read that an explicit scope holds.
struct ContextReadScope {
  var depth = 0
  var read: (any ParentRead)?

  mutating func end() {
    self.read?.end()
    self.read = nil
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
      let read = self.parent.beginRead()
      self.scope.read = read
      return try body(read)
    }
    let read = self.parent.beginRead()
    defer { read.end() }
    return try body(read)
  }

  // MARK: Faults

  /// Rows that are asked for together with one that is needed.
  private static let batch = 100

  /// Brings the row of a fault, and those of other faults of its entity that are likely to be next.
  func loadRow(of object: ManagedObject) throws {
    guard !object.objectID.isTemporary, !object.isInserted else {
      throw ManagedObjectError.inaccessible(object)
    }
    let others = object.home.table.neighbours(of: object, limit: ManagedObjectContext.batch) {
      $0.snapshot == nil && $0.isFault && !$0.objectID.isTemporary && !$0.flags.contains(.inaccessible)
        && !$0.isInserted
    }
    try self.loadRows(of: [object] + others)
    self.recent.keep(object)
    if object.snapshot == nil { throw ManagedObjectError.inaccessible(object) }
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
    return object
  }

  /// The saved destinations of a to-many.
  func related(_ relationship: Relationship, of owner: ManagedObject) throws -> [ManagedObject] {
    let found = try self.reading { try $0.related(relationship.id, of: [owner.objectID]) }
    return found[0].map { self.object(with: $0) }
  }
}
