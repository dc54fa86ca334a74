import FederatedModel

extension RowTable {
  /// Looks for rows that share the unique values of a row that the save inserted or changed. A row that has nil
  /// among them collides with none.
  /// - Throws: `duplicateKey` with both rows.
  func checkUniqueness(of changes: ChangeSet) throws(StoreError) {
    for block in changes.inserted + changes.updated.map(\.after) {
      var entity: Entity? = self.model[block.entity]
      while let current = entity {
        for names in current.description.uniquenessConstraints {
          try self.check(block, Constraint(names, of: current))
        }
        entity = current.parent.map { self.model[$0] }
      }
    }
  }

  /// Attributes of an entity that are unique together in it and all its subentities.
  private struct Constraint {
    let entity: Entity
    let attributes: [BoundAttribute]

    init(_ names: [String], of entity: Entity) {
      self.entity = entity
      self.attributes = names.compactMap { name in
        guard let attribute = entity.attribute(named: name), let slot = attribute.slot else { return nil }
        return BoundAttribute(name: name, entity: entity.id, slot: slot, type: attribute.type)
      }
    }

    /// The unique values of a row; nil when one of them is nil.
    func key(of row: Snapshot, store: StoreID) -> [Value]? {
      var key: [Value] = []
      for attribute in self.attributes {
        guard let kind = attribute.type.slotKind, !row.isNull(attribute.slot) else { return nil }
        key.append(row.value(attribute.slot, kind, store: store))
      }
      return key
    }
  }

  private func check(_ block: RowBlock, _ constraint: Constraint) throws(StoreError) {
    if constraint.attributes.isEmpty { return }
    let keys = (0..<block.count).compactMap { constraint.key(of: block[$0], store: self.store) }
    if keys.isEmpty { return }
    var query = StoreQuery(entity: constraint.entity.id)
    query.keys = LinkKeys(attributes: constraint.attributes, keys: keys)
    let access = TableAccess(query, in: self)
    let answer = try InMemoryQuery(access.rest, source: self).run(over: access.candidates)
    guard case .rows(let rows) = answer else { return }
    var owners: [[Value]: RowIdentity] = [:]
    for row in rows {
      guard let key = constraint.key(of: row, store: self.store) else { continue }
      let identity = RowIdentity(entity: row.entity, reference: row.reference)
      if let other = owners.updateValue(identity, forKey: key) {
        throw StoreError(
          .duplicateKey, store: nil,
          place: .property(
            entity: constraint.entity.name, reference: row.reference,
            property: constraint.attributes.map(\.name).joined(separator: ", ")),
          rows: [other, identity],
          "a row with the same unique values is there already; change one of the two")
      }
    }
  }
}
