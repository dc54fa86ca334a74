public import FederatedModel

extension RowTable {
  public func related(_ relationship: BoundRelationship, of owner: RowIdentity) -> [RowIdentity] {
    self.related(self.model[relationship.entity].relationships[relationship.index], of: owner.reference)
  }

  /// The destinations of a relationship of one owner.
  ///
  /// A to-many whose inverse is a to-one holds the rows that name the owner there, ordered by the list if the
  /// relationship is ordered. Any other to-many holds its list, dangling references included.
  public func related(_ relationship: Relationship, of owner: Int64) -> [RowIdentity] {
    guard relationship.isToMany else { return self.destination(relationship, of: owner) }
    let list = self.lists[relationship.id]?[owner] ?? []
    guard let inverse = self.toOneInverse(of: relationship) else { return list }
    let members = self.rows(whose: inverse, is: owner)
    return list.isEmpty ? members : self.arranged(members, by: list)
  }

  private func destination(_ relationship: Relationship, of owner: Int64) -> [RowIdentity] {
    guard let slot = relationship.slot,
      let row = self.row(owner, inHierarchyOf: relationship.declaringEntity),
      let destination = row.destination(slot)
    else { return [] }
    return [RowIdentity(entity: destination.entity, reference: destination.reference)]
  }

  /// The to-one whose column tells the members of a to-many.
  func toOneInverse(of relationship: Relationship) -> Relationship? {
    guard let id = relationship.inverse else { return nil }
    let inverse = self.model.relationship(id)
    return inverse.slot == nil ? nil : inverse
  }

  /// Members in the order of the list; those it does not name follow, and dangling ones keep their places.
  private func arranged(_ members: [RowIdentity], by list: [RowIdentity]) -> [RowIdentity] {
    var rest = Set(members)
    var arranged: [RowIdentity] = []
    for identity in list where rest.remove(identity) != nil || self.row(identity) == nil {
      arranged.append(identity)
    }
    if rest.isEmpty { return arranged }
    return arranged + members.filter { rest.contains($0) }
  }

  /// The rows whose to-one leads to the reference, ascending.
  func rows(whose toOne: Relationship, is owner: Int64) -> [RowIdentity] {
    guard let slot = toOne.slot else { return [] }
    let index = self.indexes.index(of: ColumnKey(entity: toOne.declaringEntity, slot: slot), in: self)
    var found: [RowIdentity] = []
    index.forEach(hash: ColumnHash.reference(owner)) { reference in
      guard let row = self.row(reference, inHierarchyOf: toOne.declaringEntity), !row.isNull(slot),
        row.int(slot) == owner
      else { return }
      found.append(RowIdentity(row))
    }
    return found
  }
}
