internal import FederatedModel
internal import FederatedStore

/// Which new rows of a save go inside the records of others.
struct XMLNewRecords {
  struct Child {
    var row: Snapshot
    var link: Int
  }

  /// The new rows that stand inside a record, in the order of the save.
  private(set) var inside: [RowIdentity: [Child]] = [:]
  /// The new rows that stand by themselves.
  private(set) var alone: [Snapshot] = []

  /// - Throws: `unsupported` for a row that has no place.
  init(_ changes: ChangeSet, _ plan: XMLMappingPlan) throws(StoreError) {
    let owners = XMLNewRecords.owners(changes, plan)
    for block in changes.inserted {
      guard let number = plan.recordByEntity[block.entity.index] else { continue }
      let record = plan.records[number]
      for index in 0..<block.count {
        let row = block[index]
        if let (owner, link) = owners[RowIdentity(row)] ?? XMLNewRecords.owner(of: row, plan) {
          self.inside[owner, default: []].append(Child(row: row, link: link))
        } else if record.paths.isEmpty {
          throw StoreError(
            .unsupported, store: nil,
            place: .property(entity: record.entity.name, reference: row.reference, property: nil),
            "a record of \(record.entity.name) stands inside another, and the new one belongs to none; set the link to "
              + "it before the save")
        } else {
          self.alone.append(row)
        }
      }
    }
  }

  /// By their own to-one.
  private static func owner(of row: Snapshot, _ plan: XMLMappingPlan) -> (RowIdentity, Int)? {
    for record in plan.records {
      for (number, link) in record.links.enumerated() where link.relationship.destination == row.entity {
        guard let slot = link.inverse?.slot, let owner = row.destination(slot),
          owner.entity == record.entity.id
        else { continue }
        return (RowIdentity(entity: owner.entity, reference: owner.reference), number)
      }
    }
    return nil
  }

  /// By lists and to-ones of their owners.
  private static func owners(
    _ changes: ChangeSet, _ plan: XMLMappingPlan
  ) -> [RowIdentity: (RowIdentity, Int)] {
    var owners: [RowIdentity: (RowIdentity, Int)] = [:]
    for change in changes.links {
      guard let number = plan.recordByEntity[change.owner.entity.index],
        let link = plan.records[number].links.firstIndex(where: { $0.relationship.id == change.relationship })
      else { continue }
      for row in change.added { owners[row] = (change.owner, link) }
    }
    for block in changes.inserted + changes.updated.map(\.after) {
      guard let number = plan.recordByEntity[block.entity.index] else { continue }
      for (link, place) in plan.records[number].links.enumerated() {
        guard let slot = place.relationship.slot else { continue }
        for index in 0..<block.count {
          guard let child = block[index].destination(slot) else { continue }
          owners[RowIdentity(entity: child.entity, reference: child.reference)] = (
            RowIdentity(block[index]), link
          )
        }
      }
    }
    return owners
  }
}
