package import FederatedModel

extension StoreRouter {
  /// Where each new object goes, in the order given.
  ///
  /// An assigned object goes to its store. Others go to the first writable store that holds their entity, where
  /// objects tied by relationships go together, and a saved object among them decides for all.
  package func stores(forNew objects: [NewObject]) throws(CoordinatorError) -> [StoreID] {
    var writers = WriterTable(self)
    if objects.allSatisfy({ $0.ties.isEmpty }) || self.routes.count == 1 {
      var stores: [StoreID] = []
      stores.reserveCapacity(objects.count)
      for object in objects { stores.append(try writers.choices(of: object)[0]) }
      return stores
    }
    var stores = [StoreID](repeating: .none, count: objects.count)
    for group in TiedObjects.groups(of: objects) {
      let store = try self.commonStore(of: group.map { objects[$0] }, &writers)
      for number in group { stores[number] = store }
    }
    return stores
  }

  private func commonStore(of group: [NewObject], _ writers: inout WriterTable) throws(CoordinatorError)
    -> StoreID
  {
    var claims: [StoreClaim] = []
    for object in group {
      claims.append(StoreClaim(entity: object.objectID.entity, stores: try writers.choices(of: object)))
      for tie in object.ties where !tie.other.isTemporary {
        claims.append(StoreClaim(entity: tie.other.entity, stores: [tie.other.store]))
      }
    }
    let common = claims[0].stores.first { store in claims.allSatisfy { $0.stores.contains(store) } }
    if let common { return common }
    throw self.refusal(of: group, claims)
  }

  /// Whether an object may be assigned to a store.
  package func checkAssignment(of object: ManagedObjectID, to store: StoreID) throws(CoordinatorError) {
    let entity = self.model[object.entity].name
    guard let route = self.route(store) else {
      throw CoordinatorError(
        .unknownStore, entity: entity, "the store is not attached to this coordinator; assign to one that is")
    }
    guard object.isTemporary else {
      throw CoordinatorError(
        .alreadyStored, store: self.route(object.store)?.name ?? route.name, entity: entity,
        "a saved object stays in its store; insert a copy and assign that to \(route.name)")
    }
    guard route.holds(object.entity) else {
      let holders = self.routes.filter { $0.holds(object.entity) }.map(\.name).joined(separator: ", ")
      throw CoordinatorError(
        .entityNotInStore, store: route.name, entity: entity,
        "the store's configuration lacks \(entity); "
          + (holders.isEmpty ? "no attached store holds it" : "assign to \(holders)"))
    }
    guard route.isWritable else {
      throw CoordinatorError(
        .readOnlyStore, store: route.name, entity: entity,
        "the store is attached read-only; assign to another store, or attach it for writing")
    }
  }

  /// Whether a relationship may tie two rows: both must lie in one store.
  package func checkTie(
    _ relationship: RelationshipID, from owner: ManagedObjectID, to destination: ManagedObjectID
  ) throws(CoordinatorError) {
    if owner.store == destination.store { return }
    throw self.refusal(
      of: relationship, between: owner.entity, in: [owner.store], and: destination.entity,
      in: [destination.store])
  }
}

/// The stores that may take new objects, found once for each entity.
private struct WriterTable {
  let router: StoreRouter
  private var found: [EntityID: [StoreID]] = [:]

  init(_ router: StoreRouter) { self.router = router }

  /// Never empty.
  mutating func choices(of object: NewObject) throws(CoordinatorError) -> [StoreID] {
    if let assigned = object.assigned {
      try self.router.checkAssignment(of: object.objectID, to: assigned)
      return [assigned]
    }
    let entity = object.objectID.entity
    if let stores = self.found[entity] { return stores }
    let stores = self.router.writers(of: entity)
    if stores.isEmpty { throw self.refusal(of: self.router.model[entity]) }
    self.found[entity] = stores
    return stores
  }

  private func refusal(of entity: Entity) -> CoordinatorError {
    let readOnly = self.router.routes.filter { $0.holds(entity.id) }.map(\.name).joined(separator: ", ")
    let reason =
      if self.router.routes.isEmpty { "no store is attached; add one" } else if readOnly.isEmpty {
        "no attached store holds it; add a store whose configuration has \(entity.name)"
      } else {
        "only \(readOnly) holds it, attached read-only; attach a store for writing"
      }
    return CoordinatorError(
      .noStoreForEntity, entity: entity.name, "a new object has nowhere to go: \(reason)")
  }
}

/// Where one member of a group may go.
private struct StoreClaim {
  let entity: EntityID
  let stores: [StoreID]
}

extension StoreRouter {
  private func refusal(of group: [NewObject], _ claims: [StoreClaim]) -> CoordinatorError {
    // The first tie whose two ends agree on no store says most.
    for object in group {
      for tie in object.ties {
        let own = object.assigned.map { [$0] } ?? self.writers(of: object.objectID.entity)
        let other =
          if tie.other.isTemporary {
            group.first { $0.objectID == tie.other }?.assigned.map { [$0] }
              ?? self.writers(of: tie.other.entity)
          } else {
            [tie.other.store]
          }
        if own.contains(where: other.contains) { continue }
        return self.refusal(
          of: tie.relationship, between: object.objectID.entity, in: own, and: tie.other.entity, in: other)
      }
    }
    let places = claims.map { "\(self.model[$0.entity].name) (\(self.names($0.stores)))" }
    return CoordinatorError(
      .objectsInDifferentStores, entity: self.model[claims[0].entity].name,
      "objects that relationships tie together must lie in one store, and no store suits them all: "
        + "\(places.joined(separator: ", ")). Assign them to one store, or untie them and link them by a fetched "
        + "property, which crosses stores")
  }

  private func refusal(
    of id: RelationshipID, between owner: EntityID, in own: [StoreID], and other: EntityID,
    in others: [StoreID]
  ) -> CoordinatorError {
    let relationship = self.model.relationship(id)
    let entity = self.model[owner]
    let destination = self.model[other]
    return CoordinatorError(
      .objectsInDifferentStores, store: self.names(own), entity: entity.name, property: relationship.name,
      "a relationship cannot cross stores: the \(entity.name) is in \(self.names(own)), "
        + "the \(destination.name) in \(self.names(others)). Put both into one store, or set it to nil. "
        + Self.wayAcross(from: entity, to: destination, instead: relationship))
  }

  private func names(_ stores: [StoreID]) -> String {
    stores.map { self.route($0)?.name ?? "a store that is not attached" }.joined(separator: " or ")
  }
}
