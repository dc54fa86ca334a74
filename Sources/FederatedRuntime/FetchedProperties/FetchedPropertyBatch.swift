import FederatedModel
import FederatedStore

extension ManagedObjectContext {
  /// Reads a fetched property of owners that do not have it yet.
  func fill(
    _ property: FetchedProperty, of owners: [ManagedObject], _ step: inout PrefetchReport.Step
  ) throws {
    var loads = 0
    try self.loadRows(ofBareFaultsAmong: owners, counting: &loads)
    guard let plan = property.plan else {
      _ = try self.storedRequest(of: property)
      for owner in owners { _ = try owner.fetched(property) }
      step.requests = owners.count
      step.fallbackReason =
        "\(step.entity).\(property.name): \(property.unplannedReason ?? "the question has no key to look up")"
      return
    }
    guard !owners.isEmpty else { return }
    let batch = try FetchedPropertyBatch(property, plan, in: self)
    for start in stride(from: 0, to: owners.count, by: ManagedObjectContext.prefetchBatch) {
      try batch.fill(
        owners[start..<min(owners.count, start + ManagedObjectContext.prefetchBatch)], &step)
    }
  }
}

/// What a fetched property finds for many sources. Sources that it cannot tell apart share one group.
struct LinkedObjects {
  /// The group of each source, in their order; nil for one whose key equals nothing.
  var groupOfSource: [Int?]
  /// The objects of each group, in the property's order and window.
  var groups: [[ManagedObject]]
}

/// One fetched property for many owners: one question for all of them, taken apart by key.
struct FetchedPropertyBatch {
  private let context: ManagedObjectContext
  private let property: FetchedProperty
  private let plan: FetchedPropertyPlan
  /// The stored question with what is the same for all owners as its condition.
  private let fetch: ResolvedFetch
  /// The destination's side of the keys.
  private let attributes: [BoundAttribute]
  private let kinds: [SlotKind]
  private let computesKeys: Bool

  /// - Parameters:
  ///   - condition: what the objects must pass beside the stored question; nil is passed by all.
  ///   - computesKeys: whether a computed value of an owner is its key, as it is when the property of one object is read.
  init(
    _ property: FetchedProperty, _ plan: FetchedPropertyPlan, in context: ManagedObjectContext,
    adding condition: FetchPredicate? = nil, computesKeys: Bool = true
  ) throws {
    var request = try context.storedRequest(of: property)
    let residual = context.resolving(plan.residual, of: property)
    request.predicate = FetchPredicate.joined(residual, condition)
    let fetch = try ResolvedFetch(request, in: context)
    self.context = context
    self.property = property
    self.plan = plan
    self.fetch = fetch
    self.computesKeys = computesKeys
    self.attributes = try plan.attributes(in: fetch.entity)
    self.kinds = self.attributes.compactMap(\.type.slotKind)
  }

  /// Asks once, and gives every owner its part.
  func fill(_ owners: ArraySlice<ManagedObject>, _ step: inout PrefetchReport.Step) throws {
    let answer = try self.answer(for: owners)
    if !answer.groups.isEmpty { step.requests += 1 }
    step.keys += answer.groups.count
    for (owner, group) in zip(owners, answer.groupOfSource) {
      self.context.keep(group.map { answer.groups[$0] } ?? [], of: self.property, for: owner)
    }
  }

  /// Asks once for all owners, unless none has a key. Owners with one key share what it finds.
  func answer(for owners: ArraySlice<ManagedObject>) throws -> LinkedObjects {
    var groups = LinkGroups(kinds: self.kinds)
    var groupOfOwner: [Int?] = []
    for owner in owners {
      if owner.isFault { try owner.fire() }
      groupOfOwner.append(
        groups.number(of: try self.plan.keys.map { try self.value($0.sourcePath, of: owner) }))
    }
    let overlay = try PendingOverlay(self.fetch, in: self.context)
    let pending = try overlay.map { try self.matching($0, &groups) } ?? [:]
    guard !groups.keys.isEmpty else { return LinkedObjects(groupOfSource: groupOfOwner, groups: []) }
    var question = self.fetch.unwindowed(under: overlay)
    question.keys = LinkKeys(attributes: self.attributes, keys: groups.keys)
    let rows = try self.context.reading { try $0.fetch(question) }
    return LinkedObjects(
      groupOfSource: groupOfOwner, groups: try self.distributed(rows, &groups, overlay, pending))
  }

  private func value(_ path: [String], of owner: ManagedObject) throws -> Value {
    if self.computesKeys {
      return path.count == 1 ? try owner.value(path[0]) : try owner.value(forKeyPath: path)
    }
    return path.count == 1 ? try owner.storedValue(path[0]) : try owner.storedValue(forKeyPath: path)
  }

  /// Changed objects by the group that they belong to now.
  private func matching(
    _ overlay: PendingOverlay, _ groups: inout LinkGroups
  ) throws -> [Int: [ManagedObject]] {
    var found: [Int: [ManagedObject]] = [:]
    for object in try overlay.matching() {
      let key = try self.attributes.map { try object.attribute($0) }
      if let group = groups.existingNumber(of: key) { found[group, default: []].append(object) }
    }
    return found
  }

  /// The objects of each group, in the order and window of the stored question.
  private func distributed(
    _ rows: FetchedRows, _ groups: inout LinkGroups, _ overlay: PendingOverlay?,
    _ pending: [Int: [ManagedObject]]
  ) throws -> [[ManagedObject]] {
    var rowsOfGroup = [[Int]](repeating: [], count: groups.keys.count)
    for (place, row) in rows.enumerated() {
      if let group = groups.number(ofRow: row, self.attributes) { rowsOfGroup[group].append(place) }
    }
    var home: ObjectHome?
    var objectsOfGroup: [[ManagedObject]] = []
    objectsOfGroup.reserveCapacity(rowsOfGroup.count)
    for (group, rowsOfThis) in rowsOfGroup.enumerated() {
      let places = overlay == nil ? self.fetch.window(rowsOfThis) : rowsOfThis
      var objects: [ManagedObject] = []
      objects.reserveCapacity(places.count)
      for place in places { objects.append(self.object(of: rows[place], &home)) }
      if let overlay {
        objects = self.fetch.window(try overlay.applied(to: objects, matching: pending[group] ?? []))
      }
      if !self.fetch.request.returnsObjectsAsFaults { for object in objects { try object.fire() } }
      objectsOfGroup.append(objects)
    }
    let paths = self.fetch.request.relationshipKeyPathsForPrefetching
    if !paths.isEmpty { try self.context.prefetchRelationships(paths, for: objectsOfGroup.flatMap { $0 }) }
    return objectsOfGroup
  }

  private func object(of row: FetchedRow, _ home: inout ObjectHome?) -> ManagedObject {
    let entity = row.snapshot.entity
    let current = home?.entity.id == entity ? home! : self.context.home(entity)
    home = current
    let object = self.context.object(for: row.snapshot, store: row.store, home: current)
    if self.fetch.request.shouldRefreshRefetchedObjects { self.context.refresh(object, from: row.snapshot) }
    return object
  }
}
