import FederatedModel
import FederatedStore

extension CoordinatedRead {
  func rows(for identifiers: [ManagedObjectID]) throws -> [Snapshot?] {
    var found = [Snapshot?](repeating: nil, count: identifiers.count)
    guard let first = identifiers.first else { return found }
    if identifiers.allSatisfy({ $0.store == first.store && $0.entity == first.entity }) {
      try self.find(identifiers, at: Array(identifiers.indices), in: first.store, into: &found)
      return found
    }
    let groups = Dictionary(grouping: identifiers.indices) { position in
      let identifier = identifiers[position]
      return RowGroup(store: identifier.store, root: self.attached.model[identifier.entity].root)
    }
    for (group, positions) in groups {
      try self.find(identifiers, at: positions, in: group.store, into: &found)
    }
    return found
  }

  /// Rows of one hierarchy in one store share their numbers, so one query finds them.
  private struct RowGroup: Hashable {
    let store: StoreID
    let root: EntityID
  }

  private func find(
    _ identifiers: [ManagedObjectID], at positions: [Int], in store: StoreID, into found: inout [Snapshot?]
  ) throws {
    if self.attached.store(store) == nil { return }
    var query = StoreQuery(entity: self.commonEntity(of: positions, in: identifiers))
    query.references = positions.map { identifiers[$0].reference }
    guard case .rows(let rows) = try self.answer(query, from: store) else { return }
    var byReference: [Int64: Snapshot]?
    for (number, position) in positions.enumerated() {
      let identifier = identifiers[position]
      // Most stores answer in the order asked; only when this one does not is a table needed.
      var row = number < rows.count ? rows[number] : nil
      if row?.reference != identifier.reference {
        if byReference == nil {
          byReference = Dictionary(rows.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        }
        row = byReference?[identifier.reference]
      }
      if let row, row.entity == identifier.entity { found[position] = row }
    }
  }

  /// The entity to ask for: the one that all rows have, else the root of their hierarchy.
  private func commonEntity(of positions: [Int], in identifiers: [ManagedObjectID]) -> EntityID {
    let first = identifiers[positions[0]].entity
    return positions.allSatisfy { identifiers[$0].entity == first } ? first : self.attached.model[first].root
  }

  func related(
    _ relationship: RelationshipID, of owners: [ManagedObjectID]
  ) throws -> RelatedIdentifiers {
    guard let first = owners.first?.store else { return RelatedIdentifiers() }
    if owners.allSatisfy({ $0.store == first }) {
      let rows = try self.related(relationship, of: owners.map(\.reference), from: first)
      return RelatedIdentifiers(rows, store: first)
    }
    var answers: [StoreID: RelatedRows] = [:]
    for (store, group) in Dictionary(grouping: owners, by: \.store) {
      answers[store] = try self.related(relationship, of: group.map(\.reference), from: store)
    }
    var related = RelatedIdentifiers()
    var taken: [StoreID: Int] = [:]
    for owner in owners {
      let number = taken[owner.store, default: 0]
      taken[owner.store] = number + 1
      let rows = answers[owner.store]?[number] ?? []
      related.append(
        rows.map { ManagedObjectID(store: owner.store, entity: $0.entity, reference: $0.reference) })
    }
    return related
  }
}
