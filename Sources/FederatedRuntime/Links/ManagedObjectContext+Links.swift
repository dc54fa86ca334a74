import FederatedModel
import FederatedStore

extension ManagedObjectContext {
  /// The objects that a request through links finds.
  func objects(through request: FetchRequest) throws -> [ManagedObject] {
    let objects = try self.nested { () throws -> [ManagedObject] in
      guard self.needsSavedState(request) else {
        return try LinkedFetch(request, in: self).objects()
      }
      let rows = try self.inSavedState { saved in
        try LinkedFetch(request, in: saved).objects().compactMap { object in
          object.snapshot.map { FetchedRow(store: object.objectID.store, snapshot: $0) }
        }
      }
      return rows.map { self.object(for: $0.snapshot, store: $0.store, home: self.home($0.snapshot.entity)) }
    }
    if !request.returnsObjectsAsFaults { for object in objects { try object.fire() } }
    return objects
  }

  /// How many objects a request through links finds.
  func count(through request: FetchRequest) throws -> Int {
    try self.nested { try self.linked(request) { try $0.count() } }
  }

  /// The identifiers of the objects that a request through links finds.
  func identifiers(through request: FetchRequest) throws -> [ManagedObjectID] {
    try self.nested { try self.linked(request) { try $0.objects().map(\.objectID) } }
  }

  /// The same question of saved rows, with its linked conditions answered: rows of these identifiers.
  /// - Throws: `unsupported` for a sort key through a link, which rows without objects cannot be put in order by.
  func withoutLinks(_ request: FetchRequest) throws -> FetchRequest {
    guard request.followsLinks else { return request }
    if let sort = request.sortDescriptors.first(where: { $0.link != nil }), let link = sort.link {
      throw ManagedObjectError(
        .unsupported, entity: request.entityName, property: link,
        "rows without objects are not sorted by \(link).\(sort.key); fetch objects, or sort what is answered")
    }
    var wanted = FetchRequest(request.entityName, where: request.predicate)
    wanted.linkedConditions = request.linkedConditions
    wanted.includesSubentities = request.includesSubentities
    wanted.affectedStores = request.affectedStores
    wanted.includesPendingChanges = false
    var plain = request
    plain.linkedConditions = []
    plain.predicate = FetchPredicate.joined(
      .isOne(of: try self.identifiers(through: wanted)), request.predicate)
    return plain
  }

  private func linked<Result>(
    _ request: FetchRequest, _ body: (LinkedFetch) throws -> Result
  ) throws -> Result {
    guard self.needsSavedState(request) else { return try body(LinkedFetch(request, in: self)) }
    return try self.inSavedState { try body(LinkedFetch(request, in: $0)) }
  }

  /// Whether objects of this context have values that the request must not see.
  private func needsSavedState(_ request: FetchRequest) -> Bool {
    !request.includesPendingChanges && self.hasChanges
  }

  /// Runs a question in a context without changes, over the same state of the stores.
  func inSavedState<Result>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
    try self.withReadScope {
      try self.reading { read in
        let saved = ManagedObjectContext(parent: self.parent, classes: self.classes)
        saved.userInfo = self.userInfo
        saved.scope = ContextReadScope(depth: 1, read: read, recorder: self.scope.recorder)
        defer { saved.scope = ContextReadScope() }
        return try body(saved)
      }
    }
  }
}

extension FetchRequest {
  /// The request without conditions through links, and without an order where a part of it leads through one.
  var withoutLinks: FetchRequest {
    var own = self
    own.linkedConditions = []
    if self.sortDescriptors.contains(where: { $0.link != nil }) { own.sortDescriptors = [] }
    return own
  }
}
