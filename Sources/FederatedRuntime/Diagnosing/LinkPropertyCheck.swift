import FederatedModel
import FederatedStore

/// Checks the links of one fetched property: one pass over its sources, and one over its destination.
struct LinkPropertyCheck {
  let context: ManagedObjectContext
  let source: Entity
  private let property: FetchedProperty
  let plan: FetchedPropertyPlan
  let stored: FetchRequest
  let destination: Entity
  private let attributes: [BoundAttribute]
  let examples: Int
  private(set) var table: LinkKeyTable
  /// By the number of a key.
  private(set) var tallies: [KeyTally] = []
  private(set) var nilSources = (count: 0, examples: [LinkCheck.Example]())
  private(set) var unmatchable = (count: 0, examples: [LinkCheck.Example]())
  private var report: LinkCheck.Property

  /// What is known of one key.
  struct KeyTally {
    var sources = 0
    let firstSource: ManagedObjectID
    var rows = 0
    /// Rows that pass the other terms.
    var matching = 0
    /// The first rows, for examples of duplicates.
    var firstRows: [ManagedObjectID] = []
    var near: (count: Int, differences: [[KeyDifference]], found: [Value], row: ManagedObjectID)?
  }

  init(
    _ property: FetchedProperty, _ plan: FetchedPropertyPlan, of source: Entity, to destination: Entity,
    _ stored: FetchRequest, in context: ManagedObjectContext, examples: Int
  ) throws {
    self.context = context
    self.source = source
    self.property = property
    self.plan = plan
    self.stored = stored
    self.destination = destination
    self.attributes = try plan.attributes(in: destination)
    self.examples = examples
    self.table = LinkKeyTable(kinds: self.attributes.compactMap(\.type.slotKind))
    self.report = LinkCheck.Property(
      entity: source.name, property: property.name, destination: destination.name)
  }

  mutating func run() throws -> LinkCheck.Property {
    try self.readSources()
    if !self.stored.includesPendingChanges, self.context.hasChanges {
      try self.context.inSavedState { try self.readDestinations(in: $0) }
    } else {
      try self.readDestinations(in: self.context)
    }
    self.report.keys = self.table.keys.count
    self.report.links = self.tallies.reduce(0) { $0 + $1.sources * self.windowed($1.matching) }
    self.report.findings = self.nilKeys + self.danglingKeys + self.nearMisses + self.duplicates
    return self.report
  }

  /// How many of so many rows the property's window leaves.
  private func windowed(_ rows: Int) -> Int {
    let left = max(0, rows - self.stored.fetchOffset)
    return self.stored.fetchLimit == 0 ? left : min(left, self.stored.fetchLimit)
  }

  // MARK: Passes

  private mutating func readSources() throws {
    let pass = EntityPass(context: self.context, entity: self.source)
    let reader = SourceKeys(self.plan, of: self.source, in: self.context)
    try pass.run { _, members in
      let keys = try reader.keys(of: members, in: pass)
      for (member, key) in zip(members, keys) { self.add(key, of: member.objectID) }
    }
  }

  private mutating func add(_ key: [Value], of source: ManagedObjectID) {
    self.report.sources += 1
    let uri = { [coordinator = self.context.coordinator] in coordinator.uriString(for: source) }
    if key.contains(where: \.isNull) {
      self.nilSources.count += 1
      if self.nilSources.examples.count < self.examples {
        self.nilSources.examples.append(LinkCheck.Example(key: KeyText.shown(key), rows: [uri()]))
      }
    }
    guard let number = self.table.add(key) else {
      self.unmatchable.count += 1
      if self.unmatchable.examples.count < self.examples {
        self.unmatchable.examples.append(LinkCheck.Example(key: KeyText.shown(key), rows: [uri()]))
      }
      return
    }
    if number == self.tallies.count { self.tallies.append(KeyTally(firstSource: source)) }
    self.tallies[number].sources += 1
  }

  private mutating func readDestinations(in context: ManagedObjectContext) throws {
    var pass = EntityPass(context: context, entity: self.destination)
    pass.includesSubentities = self.stored.includesSubentities
    pass.only = self.stored.affectedStores.map { names in
      names.compactMap { context.coordinator.store(named: $0)?.id }
    }
    let rest = self.context.resolving(self.plan.residual, of: self.property)?.conjunction ?? []
    let terms = try MemberTerms(rest, of: self.destination, in: context)
    try pass.run { _, members in
      self.report.destinations += members.count
      var linked: [(member: EntityPass.Member, number: Int)] = []
      for member in members {
        let key = try self.attributes.map(member.value)
        if let number = self.table.number(of: key) {
          linked.append((member, number))
          // Another source may write the same key in another way.
          if self.tallies[number].rows == 0 { self.noteNear(key, of: member.objectID) }
          self.tallies[number].rows += 1
        } else {
          self.report.unlinkedDestinations += 1
          self.noteNear(key, of: member.objectID)
        }
      }
      try terms.prepare(linked.map(\.member), of: pass)
      for (member, number) in linked {
        if self.tallies[number].firstRows.count < 2 { self.tallies[number].firstRows.append(member.objectID) }
        if try terms.hold(for: member) { self.tallies[number].matching += 1 }
      }
    }
  }

  private mutating func noteNear(_ key: [Value], of row: ManagedObjectID) {
    for near in self.table.near(key) {
      if self.tallies[near.number].near == nil {
        self.tallies[near.number].near = (1, near.differences, key, row)
      } else {
        self.tallies[near.number].near?.count += 1
      }
    }
  }
}
