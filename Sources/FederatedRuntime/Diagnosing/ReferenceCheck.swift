import FederatedModel
import FederatedStore

/// Looks for links of a to-one relationship to rows that do not exist: one pass over the sources, and one over the
/// destination.
struct ReferenceCheck {
  private let relationship: Relationship
  private let source: Entity
  private let context: ManagedObjectContext
  private let examples: Int

  init(
    _ relationship: Relationship, of source: Entity, in context: ManagedObjectContext, examples: Int
  ) {
    self.relationship = relationship
    self.source = source
    self.context = context
    self.examples = examples
  }

  /// A destination, by what tells rows apart: those of one hierarchy share their numbers.
  private struct Place: Hashable {
    let store: StoreID
    let reference: Int64
  }

  func run() throws -> LinkCheck.Property {
    let destination = self.context.model[self.relationship.destination]
    var report = LinkCheck.Property(
      entity: self.source.name, property: self.relationship.name, destination: destination.name)
    guard let slot = self.relationship.slot else { return report }
    var sources: [Place: (count: Int, first: ManagedObjectID)] = [:]
    var links = 0
    // Edited links are checked when they are saved; rows are taken as they were saved.
    var pass = EntityPass(context: self.context, entity: self.source)
    pass.seesChanges = false
    try pass.run { _, members in
      report.sources += members.count
      for case .row(let row) in members {
        guard let found = row.snapshot.destination(slot) else { continue }
        links += 1
        sources[Place(store: row.store, reference: found.reference), default: (0, row.objectID)].count += 1
      }
    }
    report.links = links
    report.keys = sources.count
    if sources.isEmpty { return report }
    pass = EntityPass(context: self.context, entity: self.context.model[destination.root])
    pass.seesChanges = false
    try pass.run { _, members in
      for member in members {
        if member.isOf(destination, in: self.context.model) { report.destinations += 1 }
        sources[Place(store: member.objectID.store, reference: member.objectID.reference)] = nil
      }
    }
    report.findings = self.findings(sources)
    return report
  }

  private func findings(_ dangling: [Place: (count: Int, first: ManagedObjectID)]) -> [LinkCheck.Finding] {
    if dangling.isEmpty { return [] }
    let coordinator = self.context.coordinator
    let count = dangling.values.reduce(0) { $0 + $1.count }
    let first = dangling.sorted { a, b in
      (a.value.first.store.rawValue, a.value.first.reference) < (
        b.value.first.store.rawValue, b.value.first.reference
      )
    }
    let destination = self.context.model[self.relationship.destination]
    let examples = first.prefix(self.examples).map { place, source in
      LinkCheck.Example(
        key: coordinator.uriString(
          for: ManagedObjectID(store: place.store, entity: destination.id, reference: place.reference)),
        rows: [coordinator.uriString(for: source.first)])
    }
    return [
      LinkCheck.Finding(
        .danglingReferences, count,
        "dangling references: \(ExplanationText.count(count, "link")) to \(destination.name) "
          + "\(count == 1 ? "leads" : "lead") to no row", examples: examples)
    ]
  }
}

extension EntityPass.Member {
  fileprivate func isOf(_ entity: Entity, in model: ManagedObjectModel) -> Bool {
    model[self.objectID.entity].isKind(of: entity)
  }
}
