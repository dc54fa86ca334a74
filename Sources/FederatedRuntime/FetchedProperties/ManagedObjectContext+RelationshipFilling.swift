import FederatedModel
import FederatedStore

extension ManagedObjectContext {
  /// Brings a relationship of many objects, and the rows it leads to.
  func fill(
    _ relationship: Relationship, of owners: [ManagedObject], _ step: inout PrefetchReport.Step
  ) throws {
    if relationship.isToMany {
      try self.fillToMany(relationship, of: owners, &step)
    } else {
      try self.fillToOne(relationship, of: owners, &step)
    }
  }

  private func fillToMany(
    _ relationship: Relationship, of owners: [ManagedObject], _ step: inout PrefetchReport.Step
  ) throws {
    let open = owners.filter { owner in
      !owner.isInserted && !owner.flags.contains(.inaccessible) && !relationship.isTransient
        && !owner.ensureToManyList(relationship).isFired
    }
    step.owners = open.count
    for start in stride(from: 0, to: open.count, by: ManagedObjectContext.prefetchBatch) {
      let batch = open[start..<min(open.count, start + ManagedObjectContext.prefetchBatch)]
      let found = try self.reading { try $0.related(relationship.id, of: batch.map(\.objectID)) }
      step.requests += 1
      for (place, owner) in batch.enumerated() {
        owner.ensureToManyList(relationship).adopt(
          base: found[place].map { self.object(with: $0) }, readFor: owner)
      }
    }
    var members: [ManagedObject] = []
    for owner in owners { members += try owner.toMany(relationship) }
    try self.loadRows(ofBareFaultsAmong: members, counting: &step.requests)
  }

  private func fillToOne(
    _ relationship: Relationship, of owners: [ManagedObject], _ step: inout PrefetchReport.Step
  ) throws {
    try self.loadRows(ofBareFaultsAmong: owners, counting: &step.requests)
    var destinations: [ManagedObject] = []
    for owner in owners where !owner.flags.contains(.inaccessible) {
      guard let destination = try owner.toOne(relationship) else { continue }
      if destination.isFault, destination.snapshot == nil { step.owners += 1 }
      owner.ensureExtras().prefetched.append(destination)
      destinations.append(destination)
    }
    try self.loadRows(ofBareFaultsAmong: destinations, counting: &step.requests)
  }
}
