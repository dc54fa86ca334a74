import FederatedModel
import FederatedStore

/// Finds out why a fetched property of one object answers what it does: one look at the stores, and one pass over the
/// destination.
struct LinkExamination {
  private let context: ManagedObjectContext
  private let property: FetchedProperty
  private let owner: ManagedObject
  private let stored: FetchRequest
  private let destination: Entity
  private var diagnosis: LinkDiagnosis
  private var failure: (any Error)?
  private var key: [Value] = []
  /// How many examples of each near miss are kept.
  private static let examples = 3

  init(_ property: FetchedProperty, of owner: ManagedObject, in context: ManagedObjectContext) throws {
    self.context = context
    self.property = property
    self.owner = owner
    self.stored = try context.storedRequest(of: property)
    guard let destination = context.model.entity(named: self.stored.entityName) else {
      throw ManagedObjectError.unknownEntity(self.stored.entityName, in: context.model)
    }
    self.destination = destination
    let entity = context.model[property.declaringEntity].name
    self.diagnosis = LinkDiagnosis(
      property: "\(entity).\(property.name)", owner: context.coordinator.uriString(for: owner.objectID),
      destination: destination.name)
  }

  mutating func run() throws -> LinkDiagnosis {
    self.diagnosis.condition = self.stored.predicate.map { "\($0)" }
    self.diagnosis.offset = self.stored.fetchOffset
    self.diagnosis.limit = self.stored.fetchLimit == 0 ? nil : self.stored.fetchLimit
    self.noteStores()
    if self.owner.flags.contains(.inaccessible) {
      self.diagnosis.reasons = LinkReasons(self.diagnosis).ofGoneOwner
      return self.diagnosis
    }
    let kept = self.owner.keptArray(of: self.property)
    self.diagnosis.keptResults = kept?.count
    let found = try self.read()
    try self.pass()
    var reasons = LinkReasons(self.diagnosis)
    reasons.failure = self.failure
    reasons.ownerIsDeleted = self.owner.isDeleted
    reasons.ownerIsInserted = self.owner.isInserted
    reasons.unsavedKeys = try self.unsavedKeys()
    reasons.keyEqualsNothing = self.key.contains { !MatchKey($0).isMatchable }
    reasons.hasNilKey = self.key.contains(where: \.isNull)
    reasons.unplannedReason = self.property.unplannedReason
    reasons.keptAnswerDiffers = kept.map { kept in !kept.elementsEqual(found ?? [], by: ===) } ?? false
    self.diagnosis.reasons = reasons.all
    return self.diagnosis
  }

  // MARK: What is asked

  private mutating func noteStores() {
    let attached = self.context.coordinator.attached
    let readers = attached.router.readers(
      of: self.destination.id, includingSubentities: self.stored.includesSubentities)
    for store in attached.stores {
      let description = store.description
      if readers.contains(store.id) {
        self.diagnosis.stores.append(
          LinkDiagnosis.Share(
            name: description.name, type: description.type.name,
            isAsked: self.stored.affectedStores.map { $0.contains(description.name) } ?? true))
        let names = Set(self.destination.family.map { self.context.model[$0].name })
        self.diagnosis.diagnostics += store.diagnostics.filter { $0.entity.map(names.contains) ?? true }
      } else {
        let configuration = description.configuration ?? "the whole model"
        self.diagnosis.leftOut.append(
          StoreLeftOut(
            name: description.name, reason: "\(configuration) has no \(self.destination.name)"))
      }
    }
  }

  /// Asks the question as a read does, and keeps nothing.
  /// - Returns: nil when it cannot be asked.
  private mutating func read() throws -> [ManagedObject]? {
    if self.owner.standing == ManagedObject.fault { try self.owner.fire() }
    do {
      let request = try self.context.boundRequest(of: self.property, for: self.owner)
      self.diagnosis.question = request.predicate.map { "\($0)" }
      for key in self.property.plan?.keys ?? [] {
        let value = try self.owner.value(forKeyPath: key.sourcePath)
        self.key.append(value)
        self.diagnosis.keys.append(
          LinkDiagnosis.Key(
            attribute: key.attribute, path: key.sourcePath.joined(separator: "."),
            value: KeyText.shown(value)))
      }
      let found = try self.context.evaluate(self.property, of: self.owner)
      self.diagnosis.results = found.count
      return found
    } catch let error as FetchPredicateError {
      self.failure = error
      return nil
    } catch let error as CoordinatorError {
      self.failure = error
      return nil
    }
  }

  /// The terms that are judged of rows with the key; all terms when there is no key.
  private func terms() throws -> [FetchPredicate] {
    if let plan = self.property.plan {
      return self.context.resolving(plan.residual, of: self.property)?.conjunction ?? []
    }
    return try self.context.boundRequest(of: self.property, for: self.owner).predicate?.conjunction ?? []
  }

  // MARK: What there is

  private mutating func pass() throws {
    let seesChanges = self.stored.includesPendingChanges
    guard !seesChanges, self.context.hasChanges else { return try self.pass(in: self.context) }
    try self.context.inSavedState { try self.pass(in: $0) }
  }

  private mutating func pass(in context: ManagedObjectContext) throws {
    var pass = EntityPass(context: context, entity: self.destination)
    pass.includesSubentities = self.stored.includesSubentities
    let terms =
      self.failure == nil
      ? try MemberTerms(self.terms(), of: self.destination, in: context) : nil
    self.diagnosis.terms = terms?.conditions.map { LinkDiagnosis.Term(condition: "\($0)") } ?? []
    let attributes = try self.property.plan?.attributes(in: self.destination) ?? []
    var table = LinkKeyTable(kinds: attributes.compactMap(\.type.slotKind))
    if !self.key.isEmpty { _ = table.add(self.key) }
    var misses = NearMissTally(examples: Self.examples)
    var diagnosis = self.diagnosis
    let places = self.places(in: context)
    try pass.run { store, members in
      guard let place = store.flatMap({ places[$0] }) else { return }
      diagnosis.stores[place].rows += members.count
      var chosen = members
      if !attributes.isEmpty {
        chosen = []
        for member in members {
          let key = try attributes.map(member.value)
          if table.number(of: key) != nil {
            chosen.append(member)
          } else if let near = table.near(key).first {
            misses.add(
              near.differences, key: table.keys[near.number], found: key,
              row: context.coordinator.uriString(for: member.objectID))
          }
        }
      }
      try diagnosis.count(chosen, of: place, terms, pass)
    }
    diagnosis.nearMisses = misses.sorted
    self.diagnosis = diagnosis
  }

  /// The places of the stores among those of the diagnosis.
  private func places(in context: ManagedObjectContext) -> [StoreID: Int] {
    var places: [StoreID: Int] = [:]
    for (place, share) in self.diagnosis.stores.enumerated() {
      if let store = context.coordinator.store(named: share.name) { places[store.id] = place }
    }
    return places
  }

  /// Paths of the key whose values are not saved, with what is saved.
  private func unsavedKeys() throws -> [(path: String, saved: String)] {
    guard !self.owner.isInserted, self.owner.hasChanges else { return [] }
    return try (self.property.plan?.keys ?? []).compactMap { key in
      guard let name = key.sourcePath.first, self.owner.changedPersistentNames().contains(name) else {
        return nil
      }
      let saved = try self.owner.committedValues(forKeys: [name])[name] ?? .null
      return (key.sourcePath.joined(separator: "."), KeyText.shown(saved))
    }
  }
}

extension LinkDiagnosis {
  /// Counts rows of one store that have the key.
  fileprivate mutating func count(
    _ members: [EntityPass.Member], of place: Int, _ terms: MemberTerms?, _ pass: EntityPass
  ) throws {
    self.stores[place].rowsWithKey += members.count
    let isAsked = self.stores[place].isAsked
    if isAsked { self.rowsWithKey += members.count }
    guard let terms else { return }
    try terms.prepare(members, of: pass)
    for member in members {
      let verdicts = try terms.verdicts(on: member)
      let passed = verdicts.prefix(while: \.self).count
      if passed == verdicts.count { self.stores[place].rowsMatching += 1 }
      guard isAsked else { continue }
      if passed == verdicts.count { self.rowsMatching += 1 }
      for (number, verdict) in verdicts.enumerated() {
        if verdict { self.terms[number].passing += 1 }
        if number < passed { self.terms[number].left += 1 }
      }
    }
  }
}
