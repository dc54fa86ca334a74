internal import FederatedModel

extension WholeFileStore {
  public var diagnostics: [StoreDiagnostic] {
    let (table, noticed) = self.state.withLock { ($0.table, $0.diagnostics) }
    // A store without a file has what the program gave it.
    return self.format == nil ? noticed : noticed + self.danglingLinks(of: table)
  }

  /// Links of each relationship that lead to no row.
  private func danglingLinks(of table: RowTable) -> [StoreDiagnostic] {
    var found: [StoreDiagnostic] = []
    for entity in self.model.entities where table.count(of: entity.id) > 0 {
      for relationship in entity.relationships {
        let (count, first) = self.danglingLinks(relationship, of: entity, in: table)
        guard count > 0, let first else { continue }
        let destination = self.model[relationship.destination].name
        let name = table.name(of: first) ?? String(first)
        found.append(
          StoreDiagnostic(
            .danglingLinks, store: self.description.name, entity: entity.name, property: relationship.name,
            count: count,
            "\(count) link\(count == 1 ? "" : "s") to \(destination) lead\(count == 1 ? "s" : "") to no row, first to "
              + "\"\(name)\"; they are kept in the file and read as nil"))
      }
    }
    return found
  }

  private func danglingLinks(
    _ relationship: Relationship, of entity: Entity, in table: RowTable
  ) -> (count: Int, first: Int64?) {
    var count = 0
    var first: Int64?
    func note(_ reference: Int64) {
      if table.row(reference, inHierarchyOf: relationship.destination) != nil { return }
      count += 1
      first = first ?? reference
    }
    if let slot = relationship.slot {
      for row in table.rows(of: entity.id, includingSubentities: false) {
        if let destination = row.destination(slot) { note(destination.reference) }
      }
    } else if let lists = table.lists[relationship.id] {
      for owner in lists.ownersWithLists.sorted()
      where table.row(owner, inHierarchyOf: entity.id)?.entity == entity.id {
        for destination in lists[owner] { note(destination.reference) }
      }
    }
    return (count, first)
  }
}
