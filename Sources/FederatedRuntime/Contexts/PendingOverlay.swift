import FederatedModel

/// Unsaved work of a context, laid over what the stores answered.
///
/// A changed object is judged by the values it has now: it leaves the answer or enters it, whatever is stored. Where
/// the condition or the order leads through links to entities of which something changed, that holds for every
/// object: an unchanged one may be linked to a changed one.
struct PendingOverlay {
  private let fetch: ResolvedFetch
  private let order: SubjectOrder
  /// Changed objects that the fetch could answer, oldest change first; objects to be deleted left out.
  let candidates: [ManagedObject]
  /// All changed objects of the fetched entities, those to be deleted included.
  let changedCount: Int
  /// The part of the condition that stores can judge.
  let storedPredicate: BoundPredicate?
  private let prepared: PreparedPredicate?
  private let judgesUnchanged: Bool
  private let ordersUnchanged: Bool

  /// Whether unchanged objects are in the answer, and in order among themselves, as the stores have them.
  var movesOnlyChanged: Bool { !self.judgesUnchanged && !self.ordersUnchanged }

  /// - Returns: nil when nothing is pending among the entities that the answer depends on.
  init?(_ fetch: ResolvedFetch, in context: ManagedObjectContext) throws {
    guard fetch.request.includesPendingChanges, context.hasChanges else { return nil }
    let homes = context.homes(of: fetch.family)
    let isChanged = { (entities: Set<EntityID>) in
      entities.contains { entity in
        context.homes(of: context.model[entity].family).contains { $0.changedCount > 0 }
      }
    }
    let stored = fetch.predicate?.part { !isChanged($0.followedEntities) }
    self.judgesUnchanged = stored != fetch.predicate
    self.ordersUnchanged = fetch.order.contains { isChanged($0.followedEntities) }
    guard
      self.judgesUnchanged || self.ordersUnchanged || homes.contains(where: { $0.changedCount > 0 })
    else { return nil }
    self.fetch = fetch
    self.order = SubjectOrder(fetch.order)
    self.storedPredicate = stored
    self.changedCount = homes.reduce(0) { $0 + $1.changedCount }
    self.candidates = homes.flatMap(\.changedObjects).filter { object in
      !object.isDeleted && PendingOverlay.isInScope(object, of: fetch, in: context)
    }
    let judges = self.judgesUnchanged || !self.candidates.isEmpty
    self.prepared = judges ? try fetch.predicate.map { try PreparedPredicate($0) } : nil
  }

  /// A request for certain stores does not answer what stands, or will be saved, elsewhere.
  private static func isInScope(
    _ object: ManagedObject, of fetch: ResolvedFetch, in context: ManagedObjectContext
  ) -> Bool {
    guard let stores = fetch.stores else { return true }
    if !object.objectID.isTemporary { return stores.contains(object.objectID.store) }
    if let assigned = context.assignments[ObjectIdentifier(object)] { return stores.contains(assigned) }
    return context.coordinator.router.writers(of: object.objectID.entity).first.map(stores.contains) ?? false
  }

  /// The candidates that match the fetch's predicate now.
  func matching() throws -> [ManagedObject] {
    guard let prepared = self.prepared else { return self.candidates }
    return try self.candidates.filter { try prepared.evaluate($0) }
  }

  /// Unchanged objects of an answer that belong to it now.
  private func unchanged(_ answer: [ManagedObject]) throws -> [ManagedObject] {
    guard self.judgesUnchanged, let prepared = self.prepared else { return answer }
    return try answer.filter { try $0.changedPlace >= 0 || prepared.evaluate($0) }
  }

  /// - Parameters:
  ///   - answer: everything that the stores answered, without a window, in their order.
  ///   - matching: the changed objects that belong to it now.
  func applied(to answer: [ManagedObject], matching: [ManagedObject]) throws -> [ManagedObject] {
    let answer = try self.unchanged(answer)
    let belongs = Set(matching.map(ObjectIdentifier.init))
    var answered: Set<ObjectIdentifier> = []
    var kept: [ManagedObject] = []
    for object in answer where object.changedPlace >= 0 {
      answered.insert(ObjectIdentifier(object))
      if belongs.contains(ObjectIdentifier(object)) { kept.append(object) }
    }
    let entering = matching.filter { !answered.contains(ObjectIdentifier($0)) }
    if self.fetch.order.isEmpty {
      // Saved objects keep the place that the stores gave them; those that enter come last, oldest first.
      let staying =
        answered.isEmpty
        ? answer : answer.filter { $0.changedPlace < 0 || belongs.contains(ObjectIdentifier($0)) }
      return staying + entering
    }
    let clean = answered.isEmpty ? answer : answer.filter { $0.changedPlace < 0 }
    return try self.sorted(clean, kept + entering)
  }

  /// What the overlay did, told by the answer before and after.
  func share(in laid: [ManagedObject], over answer: [ManagedObject]) -> PendingShare {
    let before = Set(answer.map(ObjectIdentifier.init))
    let after = Set(laid.map(ObjectIdentifier.init))
    let unchanged = self.judgesUnchanged ? answer.count { $0.changedPlace < 0 } : 0
    return PendingShare(
      judged: self.candidates.count + unchanged, added: after.subtracting(before).count,
      removed: before.subtracting(after).count)
  }

  /// Changed objects find their places among the others, which are in order already.
  private func sorted(_ clean: [ManagedObject], _ moved: [ManagedObject]) throws -> [ManagedObject] {
    if self.ordersUnchanged {
      // A link may lead to a changed object, so no order can be taken for granted.
      return try self.order.sorted((clean + moved).sorted(by: PendingOverlay.isOlder))
    }
    if moved.isEmpty { return clean }
    var merged: [ManagedObject] = []
    merged.reserveCapacity(clean.count + moved.count)
    var taken = 0
    for object in try self.order.sorted(moved.sorted(by: PendingOverlay.isOlder)) {
      let place = try self.place(of: object, in: clean, from: taken)
      merged.append(contentsOf: clean[taken..<place])
      merged.append(object)
      taken = place
    }
    merged.append(contentsOf: clean[taken...])
    return merged
  }

  /// The first place whose object comes after `object`.
  private func place(of object: ManagedObject, in clean: [ManagedObject], from start: Int) throws -> Int {
    let key = try self.order.key(of: object)
    var low = start
    var high = clean.count
    while low < high {
      let middle = (low + high) / 2
      let order = try self.order.compare(key, try self.order.key(of: clean[middle]))
      if order < 0 || (order == 0 && PendingOverlay.isOlder(object, clean[middle])) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }

  /// How ties are broken: store by store, then by number; unsaved objects last, oldest first.
  private static func isOlder(_ a: ManagedObject, _ b: ManagedObject) -> Bool {
    if a.objectID.isTemporary != b.objectID.isTemporary { return b.objectID.isTemporary }
    if a.objectID.store != b.objectID.store { return a.objectID.store.rawValue < b.objectID.store.rawValue }
    return a.objectID.reference < b.objectID.reference
  }
}

extension BoundPredicate {
  /// The terms for which `isWanted` holds, where all terms must hold; nil for none.
  fileprivate func part(where isWanted: (BoundPredicate) -> Bool) -> BoundPredicate? {
    if isWanted(self) { return self }
    guard case .and(let terms) = self else { return nil }
    let parts = terms.compactMap { $0.part(where: isWanted) }
    return parts.isEmpty ? nil : .and(parts)
  }
}
