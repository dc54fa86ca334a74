internal import FederatedModel
internal import FederatedStore

extension StreamedXMLScope {
  func related(_ relationship: RelationshipID, of owners: [Int64]) throws(StoreError) -> RelatedRows {
    try self.checkOpen()
    let relationship = self.store.model.relationship(relationship)
    do {
      let lists = try self.lists(of: relationship, owners: Set(owners))
      var related = RelatedRows()
      for owner in owners { related.append(lists[owner] ?? []) }
      return related
    } catch let error as StoreError { throw error.located(in: self.store.file) } catch {
      throw StoreError.evaluating(error).located(in: self.store.file)
    }
  }

  /// The destinations by owner, in one pass where one side tells them.
  private func lists(
    of relationship: Relationship, owners: Set<Int64>
  ) throws -> [Int64: [RowIdentity]] {
    switch StreamedLink(relationship, self.store.plan) {
    case .column(let slot): return try self.destinations(in: slot, of: relationship, owners)
    case .inverse(let inverse): return try self.members(of: relationship, inverse, owners)
    case .list: return try self.listed(relationship, owners)
    case .inverseList(let inverse): return try self.listing(inverse, owners)
    case .nothing: return [:]
    case .both:
      let entities = self.store.plan.connected(to: [
        relationship.declaringEntity, relationship.destination,
      ])
      let table = try self.table(of: entities)
      var lists: [Int64: [RowIdentity]] = [:]
      for owner in owners { lists[owner] = table.related(relationship, of: owner) }
      self.rememberNames(of: lists.values.flatMap(\.self), table)
      self.store.count(rows: lists.values.reduce(0) { $0 + $1.count }, rowsRead: table.count)
      return lists
    }
  }

  /// A to-one, by its owners' rows.
  private func destinations(
    in slot: Int, of relationship: Relationship, _ owners: Set<Int64>
  ) throws -> [Int64: [RowIdentity]] {
    var found: [Int64: [RowIdentity]] = [:]
    var left = owners.count
    try self.pass(over: relationship.declaringEntity, slots: [slot]) { row, pass in
      guard owners.contains(row.reference), found[row.reference] == nil else { return left > 0 }
      left -= 1
      found[row.reference] = []
      if let destination = row.destination(slot) {
        found[row.reference] = [
          RowIdentity(entity: destination.entity, reference: destination.reference)
        ]
        pass.rememberName(of: destination.reference)
      }
      return left > 0
    }
    return try self.concrete(found, of: relationship)
  }

  /// A to-many, by the to-ones of its members.
  private func members(
    of relationship: Relationship, _ inverse: Relationship, _ owners: Set<Int64>
  ) throws -> [Int64: [RowIdentity]] {
    guard let slot = inverse.slot else { return [:] }
    var found: [Int64: [RowIdentity]] = [:]
    try self.pass(over: inverse.declaringEntity, slots: [slot]) { row, pass in
      guard let owner = row.destination(slot), owners.contains(owner.reference) else { return true }
      found[owner.reference, default: []].append(RowIdentity(row))
      pass.rememberNames(of: row)
      return true
    }
    // The order of the document counts where the members stand inside their owner.
    if relationship.isOrdered, self.store.plan.contains(relationship.id) { return found }
    return found.mapValues { $0.sorted { $0.reference < $1.reference } }
  }

  /// A to-many, by its owners' own lists.
  private func listed(
    _ relationship: Relationship, _ owners: Set<Int64>
  ) throws -> [Int64: [RowIdentity]] {
    var found: [Int64: [RowIdentity]] = [:]
    try self.pass(over: relationship.declaringEntity, lists: relationship.id) { list, pass in
      guard owners.contains(list.owner.reference) else { return true }
      var seen = Set<Int64>()
      found[list.owner.reference] = list.destinations.filter { seen.insert($0.reference).inserted }
      for reference in seen { pass.rememberName(of: reference) }
      return true
    }
    return try self.concrete(found, of: relationship)
  }

  /// A to-many, by the lists at its other end.
  private func listing(_ inverse: Relationship, _ owners: Set<Int64>) throws -> [Int64: [RowIdentity]] {
    var found: [Int64: Set<RowIdentity>] = [:]
    try self.pass(over: inverse.declaringEntity, lists: inverse.id) { list, pass in
      for destination in list.destinations where owners.contains(destination.reference) {
        found[destination.reference, default: []].insert(list.owner)
        pass.rememberName(of: list.owner.reference)
      }
      return true
    }
    return found.mapValues { $0.sorted { $0.reference < $1.reference } }
  }

  // MARK: Passes

  private func pass(
    over entity: EntityID, slots: Set<Int>, _ take: @escaping (Snapshot, XMLPass) throws -> Bool
  ) throws {
    var projection = XMLProjection(self.store.model[entity].family)
    projection.slots = slots
    let pass = XMLPass(self.store, self.stamp, projection)
    var rows = 0
    let read = try pass.run { batch in
      for row in batch.rows {
        rows += 1
        if try !take(row, pass) { return false }
      }
      return true
    }
    self.store.count(rows: rows, rowsRead: read)
  }

  private func pass(
    over entity: EntityID, lists: RelationshipID,
    _ take: @escaping (XMLScanBatch.List, XMLPass) throws -> Bool
  ) throws {
    var projection = XMLProjection(self.store.model[entity].family)
    projection.slots = []
    projection.lists = [lists]
    let pass = XMLPass(self.store, self.stamp, projection)
    let read = try pass.run { batch in
      // The owners' own names are found among their rows.
      for row in batch.rows { pass.noteName(of: row) }
      for list in batch.lists { if try !take(list, pass) { return false } }
      return true
    }
    self.store.count(rows: 0, rowsRead: read)
  }

  /// The same lists with the concrete entities of destinations whose entity has subentities.
  private func concrete(
    _ lists: [Int64: [RowIdentity]], of relationship: Relationship
  ) throws -> [Int64: [RowIdentity]] {
    let declared = self.store.model[relationship.destination]
    guard declared.family.count > 1 else { return lists }
    let references = Set(lists.values.flatMap { $0.map(\.reference) })
    if references.isEmpty { return lists }
    let found = try self.concreteEntities(of: [declared.root: references])[declared.root] ?? [:]
    return lists.mapValues { list in
      list.map { identity in
        guard let concrete = found[identity.reference], declared.family.contains(concrete) else {
          return identity
        }
        return RowIdentity(entity: concrete, reference: identity.reference)
      }
    }
  }
}

/// Which side of a document tells the destinations of a relationship.
enum StreamedLink {
  /// The owner's own to-one.
  case column(Int)
  /// To-ones of the members that lead back.
  case inverse(Relationship)
  /// Lists of the owners.
  case list
  /// Lists of the destinations.
  case inverseList(Relationship)
  /// Both, so that they have to be brought together.
  case both
  case nothing

  init(_ relationship: Relationship, _ plan: XMLMappingPlan) {
    let inverse = relationship.inverse.map { plan.model.relationship($0) }
    if let slot = relationship.slot {
      let family = plan.model[relationship.declaringEntity].family
      self = family.contains { plan.hasToOneToldElsewhere($0) } ? .both : .column(slot)
    } else if let inverse, inverse.slot != nil {
      self = plan.references(relationship.id) ? .both : .inverse(inverse)
    } else {
      let isTold = plan.references(relationship.id) || plan.contains(relationship.id)
      let isToldBack = inverse.map { plan.references($0.id) || plan.contains($0.id) } ?? false
      switch (isTold, isToldBack, inverse) {
      case (true, false, _): self = .list
      case (false, true, let inverse?): self = .inverseList(inverse)
      case (false, _, _): self = .nothing
      case (true, true, _): self = .both
      }
    }
  }
}
