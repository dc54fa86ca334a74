import FederatedModel
import FederatedStore

extension CoordinatedRead {
  func rows(for identifiers: [ManagedObjectID]) throws -> [Snapshot?] {
    var found = [Snapshot?](repeating: nil, count: identifiers.count)
    let groups = Dictionary(grouping: identifiers.indices) { position in
      let identifier = identifiers[position]
      return RowGroup(store: identifier.store, root: self.attached.model[identifier.entity].root)
    }
    for (group, positions) in groups where self.attached.store(group.store) != nil {
      var query = StoreQuery(entity: self.commonEntity(of: positions, in: identifiers))
      query.references = positions.map { identifiers[$0].reference }
      guard case .rows(let rows) = try self.answer(query, from: group.store) else { continue }
      var snapshots: [Int64: Snapshot] = [:]
      snapshots.reserveCapacity(rows.count)
      for row in rows { snapshots[row.reference] = row }
      for position in positions {
        let identifier = identifiers[position]
        guard let row = snapshots[identifier.reference], row.entity == identifier.entity else { continue }
        found[position] = row
      }
    }
    return found
  }

  /// Rows of one hierarchy in one store share their numbers, so one query finds them.
  private struct RowGroup: Hashable {
    let store: StoreID
    let root: EntityID
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
      let rows = try self.scope(of: first).related(relationship, of: owners.map(\.reference))
      return RelatedIdentifiers(rows, store: first)
    }
    var answers: [StoreID: RelatedRows] = [:]
    for (store, group) in Dictionary(grouping: owners, by: \.store) {
      answers[store] = try self.scope(of: store).related(relationship, of: group.map(\.reference))
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
