public import FederatedModel
internal import FederatedStore

extension ManagedObjectContext {
  /// The objects that a request finds: saved rows of every store that holds the entity, with unsaved changes of
  /// this context laid over them; then order, offset and limit.
  ///
  /// ```swift
  /// let due = try context.fetch(FetchRequest("Invoice", where: overdue, order: [.ascending("date")]))
  /// ```
  /// - Throws: ``ManagedObjectError`` for an unknown entity, ``FetchPredicateError`` for a predicate or order that cannot
  ///   be asked, ``StoreError`` from a store; also what an earlier read that cannot throw ran into.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    try self.throwKeptError()
    try self.check(request, answers: .objects)
    let objects =
      request.followsLinks
      ? try self.objects(through: request) : try self.objects(for: try ResolvedFetch(request, in: self))
    if !request.relationshipKeyPathsForPrefetching.isEmpty {
      try self.prefetchRelationships(request.relationshipKeyPathsForPrefetching, for: objects)
    }
    return objects
  }

  /// How many objects ``fetch(_:)-(FetchRequest)`` would answer, limit and offset included; for a request with the
  /// `resultType` dictionaries, how many ``dictionaries(for:)`` would.
  public func count(for request: FetchRequest) throws -> Int {
    try self.throwKeptError()
    if request.resultType == .dictionaries { return try self.dictionaryCount(for: request) }
    try self.check(request, answers: .count)
    if request.followsLinks { return try self.count(through: request) }
    let fetch = try ResolvedFetch(request, in: self)
    return try self.pending(fetch)?.count ?? self.reading { try $0.count(fetch.bound(under: nil)) }
  }

  /// The identifiers of the objects that ``fetch(_:)-(FetchRequest)`` would answer. Unsaved objects have temporary ones.
  public func identifiers(for request: FetchRequest) throws -> [ManagedObjectID] {
    try self.throwKeptError()
    try self.check(request, answers: .identifiers)
    if request.followsLinks { return try self.identifiers(through: request) }
    let fetch = try ResolvedFetch(request, in: self)
    return try self.pending(fetch)?.map(\.objectID)
      ?? self.reading { try $0.identities(fetch.bound(under: nil)) }
  }

  /// A request that asks for another shape, or for groups, is refused: objects in their place would be a wrong
  /// answer. A request whose shape was never set asks for objects, and may be counted and identified too.
  func check(_ request: FetchRequest, answers shape: FetchRequest.ResultType) throws {
    if shape != .dictionaries {
      let isGrouped = request.propertiesToGroupBy?.isEmpty == false || request.havingPredicate != nil
      let expression = request.propertiesToFetch?.first { if case .expression = $0 { true } else { false } }
      guard !isGrouped, expression == nil else {
        throw ManagedObjectError(
          .invalidArgument, entity: request.entityName, property: expression?.name,
          "groups and expressions are answered as dictionaries; use dictionaries(for:), and count them with the "
            + "resultType dictionaries")
      }
    }
    guard request.resultType == shape || request.resultType == .objects else {
      let call =
        switch request.resultType {
        case .objects: "fetch(_:)"
        case .identifiers: "identifiers(for:)"
        case .dictionaries: "dictionaries(for:)"
        case .count: "count(for:)"
        }
      throw ManagedObjectError(
        .invalidArgument, entity: request.entityName,
        "the request asks for \(request.resultType); use \(call)")
    }
  }

  /// The objects of a fetch that unsaved changes have a part in; nil for others.
  private func pending(_ fetch: ResolvedFetch) throws -> [ManagedObject]? {
    guard let overlay = try PendingOverlay(fetch, in: self) else { return nil }
    return try self.nested {
      let rows = try self.reading { try $0.fetch(fetch.bound(under: overlay)) }
      return fetch.window(try self.lay(overlay, over: self.objects(of: rows, fetch.request)))
    }
  }

  func objects(for fetch: ResolvedFetch) throws -> [ManagedObject] {
    try self.nested { try self.found(by: fetch) }
  }

  private func found(by fetch: ResolvedFetch) throws -> [ManagedObject] {
    let overlay = try PendingOverlay(fetch, in: self)
    let bound = fetch.bound(under: overlay)
    let wantsRows = fetch.request.includesPropertyValues && fetch.request.fetchBatchSize == 0
    var objects: [ManagedObject]
    if wantsRows || overlay != nil {
      let rows = try self.reading { try $0.fetch(bound) }
      objects = self.objects(of: rows, fetch.request)
    } else {
      objects = try self.reading { try $0.identities(bound) }.map { self.object(with: $0) }
      self.form(batchesOf: fetch.request.fetchBatchSize, from: objects)
    }
    if let overlay { objects = fetch.window(try self.lay(overlay, over: objects)) }
    if !fetch.request.returnsObjectsAsFaults {
      for object in objects { try object.fire() }
    }
    return objects
  }

  private func lay(_ overlay: PendingOverlay, over answer: [ManagedObject]) throws -> [ManagedObject] {
    let laid = try overlay.applied(to: answer, matching: overlay.matching())
    self.scope.recorder?.note(overlay.share(in: laid, over: answer), depth: self.nesting)
    return laid
  }

  /// Objects without rows, whose rows come so many at a time.
  private func form(batchesOf size: Int, from objects: [ManagedObject]) {
    guard size > 0 else { return }
    for start in stride(from: 0, to: objects.count, by: size) {
      let members = objects[start..<min(objects.count, start + size)].filter(\.isBare)
      let batch = FaultBatch(members.map(\.objectID))
      for member in members { member.ensureExtras().batch = batch }
    }
  }

  /// One object for each row, in order.
  func objects(of rows: FetchedRows, _ request: FetchRequest) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    objects.reserveCapacity(rows.count)
    var home: ObjectHome?
    for row in rows {
      let entity = row.snapshot.entity
      let current: ObjectHome
      if let home, home.entity.id == entity {
        current = home
      } else {
        current = self.home(entity)
        home = current
        current.table.reserve(rows.count - objects.count)
        // More places than a cache holds would be gone again when their rows' turn comes.
        if rows.count <= 256 { current.table.lookAhead(to: rows) }
      }
      let object = self.object(for: row.snapshot, store: row.store, home: current)
      if request.shouldRefreshRefetchedObjects { self.refresh(object, from: row.snapshot) }
      objects.append(object)
    }
    return objects
  }
}
