internal import FederatedModel

/// Makes the lists of a file agree with the to-one columns, and the two ends of a many-to-many with each other.
struct ListResolution {
  let rows: RowTable
  let met: [RelationshipID: MetLists]
  var lists: [RelationshipID: LinkLists] = [:]
  var repairs: [InverseRepair] = []

  init(rows: RowTable, met: [RelationshipID: MetLists]) {
    self.rows = rows
    self.met = met
  }

  mutating func run() {
    let model = self.rows.model
    let told = self.met.keys.sorted { ($0.entity, $0.index) < ($1.entity, $1.index) }
    for id in told {
      let relationship = model.relationship(id)
      guard relationship.isToMany, let lists = self.met[id] else { continue }
      if let inverse = self.rows.toOneInverse(of: relationship) {
        self.resolve(relationship, toldBy: inverse, lists)
      } else {
        self.take(relationship, lists)
      }
    }
    for id in told { self.matchEnds(of: model.relationship(id)) }
    self.lists = self.lists.filter { !$0.value.isEmpty }
  }

  /// Destinations by their concrete entities, each once; a dangling one keeps the declared entity.
  private func identities(_ references: ArraySlice<Int64>, of relationship: Relationship) -> [RowIdentity] {
    var seen = Set<Int64>()
    return references.compactMap { reference in
      guard seen.insert(reference).inserted else { return nil }
      if let row = self.rows.row(reference, inHierarchyOf: relationship.destination) {
        return RowIdentity(row)
      }
      return RowIdentity(entity: relationship.destination, reference: reference)
    }
  }

  private mutating func take(_ relationship: Relationship, _ met: MetLists) {
    var lists = LinkLists()
    for (place, owner) in met.owners.enumerated() {
      lists.append(self.identities(met[place], of: relationship), of: owner.reference)
    }
    self.lists[relationship.id] = lists
  }

  // MARK: A to-many beside a to-one

  private mutating func resolve(_ relationship: Relationship, toldBy inverse: Relationship, _ met: MetLists) {
    guard let slot = inverse.slot else { return }
    var lists = LinkLists()
    var agreed = 0
    for (place, owner) in met.owners.enumerated() {
      var list: [RowIdentity] = []
      var isPlain = !relationship.isOrdered
      for destination in self.identities(met[place], of: relationship) {
        if let row = self.rows.row(destination) {
          guard !row.isNull(slot), row.int(slot) == owner.reference else {
            self.report(relationship, owner, destination, .removed)
            continue
          }
          agreed += 1
        } else {
          isPlain = false
        }
        if let last = list.last, last.reference > destination.reference { isPlain = false }
        list.append(destination)
      }
      if !isPlain { lists.append(list, of: owner.reference) }
    }
    self.lists[relationship.id] = lists
    self.reportUnlisted(relationship, inverse, met, agreed: agreed)
  }

  private mutating func reportUnlisted(
    _ relationship: Relationship, _ inverse: Relationship, _ met: MetLists, agreed: Int
  ) {
    guard let slot = inverse.slot else { return }
    let rows = self.rows
    let destinations = rows.rows(of: inverse.declaringEntity)
    let pairs = destinations.lazy.compactMap { row -> (owner: RowIdentity, destination: RowIdentity)? in
      guard let owner = row.destination(slot),
        rows.row(owner.reference, inHierarchyOf: owner.entity) != nil
      else { return nil }
      return (RowIdentity(entity: owner.entity, reference: owner.reference), RowIdentity(row))
    }
    if pairs.count == agreed { return }
    var listed = Set<[Int64]>()
    for (place, owner) in met.owners.enumerated() {
      for destination in met[place] { listed.insert([owner.reference, destination]) }
    }
    for pair in Array(pairs) where !listed.contains([pair.owner.reference, pair.destination.reference]) {
      self.report(relationship, pair.owner, pair.destination, .added)
    }
  }

  private mutating func report(
    _ relationship: Relationship, _ owner: RowIdentity, _ destination: RowIdentity,
    _ repair: InverseRepair.Repair
  ) {
    self.repairs.append(InverseRepair(relationship, of: owner, destination, repair, in: self.rows.model))
  }

  // MARK: Two to-many ends

  /// Adds to the inverse what only this end tells.
  private mutating func matchEnds(of relationship: Relationship) {
    guard let inverseID = relationship.inverse, let lists = self.lists[relationship.id] else { return }
    let inverse = self.rows.model.relationship(inverseID)
    guard inverse.isToMany, !inverse.isTransient else { return }
    let isTold = self.met[inverseID] != nil
    var other = self.lists[inverseID] ?? LinkLists()
    for owner in lists.ownersWithLists.sorted() {
      guard let row = self.rows.row(owner, inHierarchyOf: relationship.declaringEntity) else { continue }
      let identity = RowIdentity(row)
      for destination in lists[owner] where self.rows.row(destination) != nil {
        let back = other[destination.reference]
        if back.contains(identity) { continue }
        other[destination.reference] = back + [identity]
        if isTold { self.report(inverse, destination, identity, .added) }
      }
    }
    other.packIfNeeded()
    self.lists[inverseID] = other
  }
}
