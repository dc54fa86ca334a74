import FederatedModel

/// Unsaved work of a context, laid over what the stores answered.
///
/// A changed object is judged by the values it has now: it leaves the answer or enters it, whatever is stored.
struct PendingOverlay {
  let fetch: ResolvedFetch
  /// Changed objects of the fetched entities.
  private let changed: [ManagedObject]

  /// - Returns: nil when nothing is pending among the fetched entities.
  init?(_ fetch: ResolvedFetch, in context: ManagedObjectContext) {
    guard fetch.request.includesPendingChanges else { return nil }
    let changed = context.homes(of: fetch.family).flatMap(\.changedObjects)
    if changed.isEmpty { return nil }
    self.fetch = fetch
    self.changed = changed
  }

  /// - Parameter answer: everything that the stores answered, without a window, in their order.
  func applied(to answer: [ManagedObject]) throws -> [ManagedObject] {
    let clean = answer.filter { $0.changedPlace < 0 }
    var kept: [ManagedObject] = []
    var answered: Set<ObjectIdentifier> = []
    for object in answer where object.changedPlace >= 0 { answered.insert(ObjectIdentifier(object)) }
    // Saved objects keep the place that the stores gave them; new ones come last, oldest first.
    for object in answer where object.changedPlace >= 0 {
      if try self.matches(object) { kept.append(object) }
    }
    var entering: [ManagedObject] = []
    for object in self.changed where !answered.contains(ObjectIdentifier(object)) {
      if try self.isInScope(object), try self.matches(object) { entering.append(object) }
    }
    if fetch.order.isEmpty {
      if kept.isEmpty && clean.count == answer.count { return answer + entering }
      let keptSet = Set(kept.map(ObjectIdentifier.init))
      return answer.filter { $0.changedPlace < 0 || keptSet.contains(ObjectIdentifier($0)) } + entering
    }
    return try self.sorted(clean, kept + entering)
  }

  private func matches(_ object: ManagedObject) throws -> Bool {
    if object.isDeleted { return false }
    return try self.fetch.predicate?.holds(for: object) ?? true
  }

  /// A request for certain stores does not answer what stands, or is assigned, elsewhere.
  private func isInScope(_ object: ManagedObject) throws -> Bool {
    guard let stores = self.fetch.stores, let context = object.home.context else { return true }
    if !object.objectID.isTemporary { return stores.contains(object.objectID.store) }
    if let assigned = context.assignments[ObjectIdentifier(object)] { return stores.contains(assigned) }
    return context.coordinator.router.writers(of: object.objectID.entity).first.map(stores.contains) ?? false
  }

  /// Changed objects find their places among the others, which are in order already.
  private func sorted(_ clean: [ManagedObject], _ moved: [ManagedObject]) throws -> [ManagedObject] {
    let order = ObjectOrder(sorts: self.fetch.order)
    let throughLinks = self.fetch.order.contains { $0.steps.count > 1 }
    if throughLinks {
      // A link may lead to a changed object, so no order can be taken for granted.
      return try Self.stablySorted(clean + moved, order)
    }
    let moved = try Self.stablySorted(moved, order)
    var merged: [ManagedObject] = []
    merged.reserveCapacity(clean.count + moved.count)
    var taken = 0
    for object in moved {
      let place = try Self.upperBound(of: object, in: clean, from: taken, order)
      merged.append(contentsOf: clean[taken..<place])
      merged.append(object)
      taken = place
    }
    merged.append(contentsOf: clean[taken...])
    return merged
  }

  private static func stablySorted(_ objects: [ManagedObject], _ order: ObjectOrder) throws -> [ManagedObject]
  {
    // The standard sort is stable.
    try objects.sorted { try order.areInIncreasingOrder($0, $1) }
  }

  /// The first place whose object comes after `object`. Equal ones come first when their row is older.
  private static func upperBound(
    of object: ManagedObject, in clean: [ManagedObject], from start: Int, _ order: ObjectOrder
  ) throws -> Int {
    var low = start
    var high = clean.count
    while low < high {
      let middle = (low + high) / 2
      let comesAfter =
        try order.areInIncreasingOrder(object, clean[middle])
        || (!order.areInIncreasingOrder(clean[middle], object) && Self.isOlder(object, clean[middle]))
      if comesAfter { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// How ties are broken: store by store, then by number; unsaved objects last.
  private static func isOlder(_ a: ManagedObject, _ b: ManagedObject) -> Bool {
    if a.objectID.isTemporary || b.objectID.isTemporary { return !a.objectID.isTemporary }
    if a.objectID.store != b.objectID.store { return a.objectID.store.rawValue < b.objectID.store.rawValue }
    return a.objectID.reference < b.objectID.reference
  }
}
