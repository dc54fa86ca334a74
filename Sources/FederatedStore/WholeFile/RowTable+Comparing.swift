internal import FederatedModel

extension RowTable {
  /// Where two tables of one model hold something else, versions and numbers of rows without a key apart.
  package struct Difference {
    package let row: RowIdentity
    /// Nil when one of the tables does not have the row.
    package let property: String?
  }

  /// The first difference between the rows and lists of two tables; nil when they hold the same.
  package func firstDifference(from other: RowTable) -> Difference? {
    for entity in self.model.entities {
      for row in self.rows(of: entity.id, includingSubentities: false) {
        let identity = RowIdentity(row)
        guard let found = other.row(identity) else { return Difference(row: identity, property: nil) }
        if !row.hasSameValues(as: found) {
          let column = row.block.layout.columns.first { !row.hasSameValue(of: $0, as: found) }
          return Difference(row: identity, property: column?.name)
        }
      }
      if self.count(of: entity.id) < other.count(of: entity.id) {
        let extra = other.rows(of: entity.id, includingSubentities: false).first {
          self.row(RowIdentity($0)) == nil
        }
        if let extra { return Difference(row: RowIdentity(extra), property: nil) }
      }
    }
    return self.firstListDifference(from: other)
  }

  /// Order counts where the relationship has one.
  private func firstListDifference(from other: RowTable) -> Difference? {
    for id in Set(self.lists.keys).union(other.lists.keys) {
      let relationship = self.model.relationship(id)
      let owners = Set(self.lists[id]?.ownersWithLists ?? []).union(other.lists[id]?.ownersWithLists ?? [])
      for owner in owners {
        guard let row = self.row(owner, inHierarchyOf: id.entity) else { continue }
        let (mine, others) = (self.related(relationship, of: owner), other.related(relationship, of: owner))
        let isSame =
          relationship.isOrdered
          ? mine.map(\.reference) == others.map(\.reference)
          : Set(mine.map(\.reference)) == Set(others.map(\.reference))
        if !isSame { return Difference(row: RowIdentity(row), property: relationship.name) }
      }
    }
    return nil
  }
}
