import FederatedModel
import FederatedStore

extension ManagedObjectContext {
  /// Owners whose property is asked for in one question.
  static let prefetchBatch = 500

  /// Reads a fetched property or a relationship of many objects at once, so that each of them has it at hand.
  ///
  /// A fetched property whose condition ties an attribute of its destination to the source takes one question for
  /// each 500 owners, sent once to every store concerned; results are those of single reads, in content, order,
  /// limit and nil keys. One without such a tie is read owner by owner, and the report says why.
  ///
  /// ```swift
  /// let customers = try context.fetch(FetchRequest("Customer"))
  /// let report = try context.prefetch("recentInvoices.lines", for: customers)
  /// ```
  /// - Parameter path: a property, or several of them joined by dots: each is read of what the one before led to.
  @discardableResult public func prefetch(
    _ path: String, for objects: some Sequence<ManagedObject>
  ) throws -> PrefetchReport {
    try self.throwKeptError()
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return try self.withReadScope {
      var report = PrefetchReport()
      _ = try self.prefetch(keys, for: Array(objects), &report)
      return report
    }
  }

  /// Does the same as ``prefetch(_:for:)-(String,_)``, and reports also how each store answered.
  public func explainPrefetch(
    _ path: String, for objects: some Sequence<ManagedObject>
  ) throws -> PrefetchReport {
    try self.explaining(ReadRecorder()) { try self.prefetch(path, for: objects) }
  }

  /// Reads a typed fetched property of many objects at once; see ``prefetch(_:for:)-(String,_)``.
  @discardableResult public func prefetch<Object: TypedObject, Destination>(
    _ path: KeyPath<Object.Keys, FetchedKey<Destination>>, for objects: some Sequence<Object>
  ) throws -> PrefetchReport {
    try self.prefetch(Object.keys[keyPath: path], for: objects.map { $0 as ManagedObject })
  }

  /// Reads a typed fetched property of many objects at once; see ``prefetch(_:for:)-(String,_)``.
  @discardableResult public func prefetch<Destination>(
    _ key: FetchedKey<Destination>, for objects: some Sequence<ManagedObject>
  ) throws -> PrefetchReport {
    try self.prefetch(key.propertyName, for: objects)
  }

  /// What requests ask for beside their objects.
  func prefetchRelationships(_ paths: [String], for objects: [ManagedObject]) throws {
    try self.withReadScope {
      var report = PrefetchReport()
      for path in paths {
        _ = try self.prefetch(path.split(separator: ".").map(String.init), for: objects, &report)
      }
    }
  }

  private func prefetch(
    _ keys: [String], for objects: [ManagedObject], _ report: inout PrefetchReport
  ) throws -> [ManagedObject] {
    guard let key = keys.first else { return objects }
    var found: [ManagedObject] = []
    for (property, owners) in try self.owners(objects, by: key) {
      var step = PrefetchReport.Step(entity: self.model[property.declaringEntity].name, property: key)
      let noted = self.scope.recorder?.entries.count ?? 0
      switch property {
      case .attribute: break
      case .fetched(let fetched):
        let open = owners.filter { $0.keptArray(of: fetched) == nil }
        step.owners = open.count
        try self.fill(fetched, of: open, &step)
        if keys.count > 1 { for owner in owners { found += try owner.fetched(fetched) } }
      case .relationship(let relationship):
        try self.fill(relationship, of: owners, &step)
        if keys.count > 1 {
          for owner in owners { found += try self.destinations(of: owner, relationship) }
        }
      }
      step.questions = self.scope.recorder?.questions(from: noted) ?? []
      report.steps.append(step)
    }
    if keys.count == 1 { return [] }
    return try self.prefetch(Array(keys.dropFirst()), for: ManagedObjectContext.distinct(found), &report)
  }

  private static func distinct(_ objects: [ManagedObject]) -> [ManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    seen.reserveCapacity(objects.count)
    return objects.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Objects by the property that a name means for them. Entities that inherit a property share it.
  private func owners(
    _ objects: [ManagedObject], by key: String
  ) throws -> [(property: Property, owners: [ManagedObject])] {
    var groups: [(property: Property, owners: [ManagedObject])] = []
    var placeByEntity: [EntityID: Int] = [:]
    for object in ManagedObjectContext.distinct(objects) {
      guard object.home.context === self else { throw ManagedObjectError.noContext(object, key) }
      let entity = object.objectID.entity
      if let place = placeByEntity[entity] {
        groups[place].owners.append(object)
        continue
      }
      guard let property = object.entity.property(named: key) else {
        throw ManagedObjectError.unknownProperty(key, of: object.entity)
      }
      if case .attribute = property {
        throw ManagedObjectError.wrongKind(key, of: object.entity, isNo: "relationship or fetched property")
      }
      let place = groups.firstIndex { $0.property.isSame(as: property) } ?? groups.count
      if place == groups.count { groups.append((property, [])) }
      placeByEntity[entity] = place
      groups[place].owners.append(object)
    }
    return groups
  }

  /// Makes the values of bare faults readable, 500 at a time.
  func loadRows(ofBareFaultsAmong objects: [ManagedObject], counting requests: inout Int) throws {
    let bare = objects.filter(\.isBare)
    for start in stride(from: 0, to: bare.count, by: ManagedObjectContext.prefetchBatch) {
      try self.loadRows(of: Array(bare[start..<min(bare.count, start + ManagedObjectContext.prefetchBatch)]))
      requests += 1
    }
  }
}

extension Property {
  fileprivate func isSame(as other: Property) -> Bool {
    switch (self, other) {
    case (.attribute(let a), .attribute(let b)): a === b
    case (.relationship(let a), .relationship(let b)): a === b
    case (.fetched(let a), .fetched(let b)): a === b
    default: false
    }
  }
}
