import FederatedModel
import FederatedStore

/// A fetched property that a request leads through, resolved for one context.
struct LinkedProperty {
  let context: ManagedObjectContext
  /// The requested entity.
  let source: Entity
  let property: FetchedProperty
  /// The stored question.
  let stored: FetchRequest
  let destination: Entity

  /// - Throws: ``ManagedObjectError`` for a name that is no fetched property, and what the model says of a question
  ///   that cannot be asked.
  init(_ name: String, of source: Entity, in context: ManagedObjectContext) throws {
    guard let property = source.property(named: name) else {
      throw ManagedObjectError.unknownProperty(name, of: source)
    }
    guard case .fetched(let fetched) = property else {
      throw ManagedObjectError(
        .wrongKind, entity: source.name, property: name,
        "is no fetched property: write its key path into the predicate or the sort key")
    }
    self.context = context
    self.source = source
    self.property = fetched
    self.stored = try context.storedRequest(of: fetched)
    guard let destination = context.model.entity(named: self.stored.entityName) else {
      throw ManagedObjectError.unknownEntity(self.stored.entityName, in: context.model)
    }
    self.destination = destination
  }

  /// Whether the property leaves out some of what its condition finds.
  var hasWindow: Bool { self.stored.fetchLimit > 0 || self.stored.fetchOffset > 0 }

  /// How the link is followed, before it is.
  func share(of clause: String) -> LinkShare {
    LinkShare(entity: self.source.name, property: self.property.name, clause: clause)
  }

  /// The columns of the requested rows that are the link's keys; nil when a key is no column of them.
  var sourceColumns: [BoundAttribute]? {
    self.property.plan.flatMap { plan in
      let columns = plan.keys.compactMap { key in
        key.sourcePath.count == 1 ? self.column(key.sourcePath[0], of: self.source) : nil
      }
      return columns.count == plan.keys.count ? columns : nil
    }
  }

  /// The columns of the linked rows that are the link's keys.
  var destinationColumns: [BoundAttribute] {
    self.property.plan?.keys.compactMap { self.column($0.attribute, of: self.destination) } ?? []
  }

  private func column(_ name: String, of entity: Entity) -> BoundAttribute? {
    guard let attribute = entity.attribute(named: name), let slot = attribute.slot else { return nil }
    if case .transformable = attribute.type { return nil }
    return BoundAttribute(name: name, entity: entity.id, slot: slot, type: attribute.type)
  }

  /// What the property finds for each source, with one question for 500 of them, or with one for all where the link
  /// has no keys.
  /// - Parameters:
  ///   - condition: what the objects must pass, before the property's window is taken.
  ///   - consume: is given sources, and what is linked with them.
  func read(
    for sources: [ManagedObject], adding condition: FetchPredicate?, _ share: inout LinkShare,
    _ consume: (ArraySlice<ManagedObject>, LinkedObjects) throws -> Void
  ) throws {
    guard !sources.isEmpty else { return }
    guard let plan = self.property.plan else {
      share.direction = .everyPair
      share.reason = self.property.unplannedReason
      let pairs = LinkedPairs(self, adding: condition)
      return try consume(sources[...], try pairs.answer(for: sources, &share))
    }
    share.direction = .sourcesFirst
    let paths = Set(
      plan.keys.compactMap { self.source.relationshipPath(of: $0.sourcePath, in: self.context.model) })
    try self.context.prefetchRelationships(paths.sorted(), for: sources)
    let batch = try FetchedPropertyBatch(
      self.property, plan, in: self.context, adding: condition, computesKeys: false)
    for start in stride(from: 0, to: sources.count, by: ManagedObjectContext.prefetchBatch) {
      let part = sources[start..<min(sources.count, start + ManagedObjectContext.prefetchBatch)]
      let answer = try self.context.step(
        "\(share.entity).\(share.property) by keys of sources", keys: \.groups.count
      ) {
        try batch.answer(for: part)
      }
      if !answer.groups.isEmpty { share.requests += 1 }
      share.keys += answer.groups.count
      try consume(part, answer)
    }
  }
}
