internal import FederatedModel
internal import FederatedStore

/// What of the records of a document one question needs. Everything else is passed over unread.
struct XMLProjection {
  /// The entities whose records are handed over.
  var answered: Set<EntityID>
  /// The slots that are wanted of them; nil wants all.
  var slots: Set<Int>?
  /// The slots that tell whether a record is wanted at all; nil when every record is. Others are taken as text, and
  /// made into values when the record is kept.
  var judged: Set<Int>?
  /// To-manys whose lists are wanted.
  var lists: Set<RelationshipID> = []

  init(_ answered: some Sequence<EntityID>) { self.answered = Set(answered) }

  func wants(_ slot: Int) -> Bool { self.slots?.contains(slot) ?? true }

  func defers(_ slot: Int) -> Bool { self.judged.map { !$0.contains(slot) } ?? false }
}

extension XMLMappingPlan {
  /// The plan that reads what a projection needs: its records, those around them, and those that are counted with them.
  func projecting(_ projection: XMLProjection) -> XMLMappingPlan {
    let kept = self.kept(projection)
    let records = self.records.enumerated().map { number, record in
      var narrow = record
      guard kept.contains(number) else {
        narrow.paths = []
        narrow.links = []
        narrow.take([], of: record)
        return narrow
      }
      let isAnswered = projection.answered.contains(record.entity.id)
      narrow.links = record.links.filter { link in
        self.target(of: link).map { kept.contains($0) } ?? false
      }
      narrow.take(
        record.values.indices.filter { value in
          record.keyValues.contains(value) || (isAnswered && record.isWanted(value, projection))
        }, of: record)
      if isAnswered { narrow.deferValues(projection) }
      return narrow
    }
    return XMLMappingPlan(self, records)
  }

  func target(of link: XMLLinkPlan) -> Int? { self.recordByEntity[link.relationship.destination.index] }

  /// The numbers of the records that have to be met.
  private func kept(_ projection: XMLProjection) -> Set<Int> {
    var kept = Set(self.records.indices.filter { projection.answered.contains(self.records[$0].entity.id) })
    var size = -1
    while size != kept.count {
      size = kept.count
      for (number, record) in self.records.enumerated() where !kept.contains(number) {
        let leads = record.links.contains { link in self.target(of: link).map { kept.contains($0) } ?? false }
        // Records known by their place are counted with the others of their hierarchy.
        let isCounted =
          !record.isKeyed && kept.contains { self.records[$0].entity.root == record.entity.root }
        if leads || isCounted { kept.insert(number) }
      }
      for number in kept where projection.answered.contains(self.records[number].entity.id) {
        for link in self.records[number].links where self.isWanted(link, projection) {
          if let target = self.target(of: link) { kept.insert(target) }
        }
      }
    }
    return kept
  }

  /// Whether the owner's answer names the records inside it.
  private func isWanted(_ link: XMLLinkPlan, _ projection: XMLProjection) -> Bool {
    if let slot = link.relationship.slot { return projection.wants(slot) }
    return projection.lists.contains(link.relationship.id)
  }
}

extension XMLRecordPlan {
  fileprivate func isWanted(_ value: Int, _ projection: XMLProjection) -> Bool {
    switch self.values[value].kind {
    case .attribute(let slot, _, _): return projection.wants(slot)
    case .reference(let place, _):
      let relationship = self.references[place].relationship
      return relationship.slot.map { projection.wants($0) } ?? projection.lists.contains(relationship.id)
    }
  }

  /// Keeps some of another plan's values; references that lose theirs stay, and lead nowhere.
  fileprivate mutating func take(_ kept: [Int], of other: XMLRecordPlan) {
    self.values = kept.map { other.values[$0] }
    self.columns = kept.map { other.columns[$0] }
    self.keyValues = other.keyValues.compactMap { kept.firstIndex(of: $0) }
    for place in self.references.indices {
      self.references[place].values = other.references[place].values.compactMap { kept.firstIndex(of: $0) }
    }
  }

  /// Takes as text what is costly to read and not yet needed.
  fileprivate mutating func deferValues(_ projection: XMLProjection) {
    for (index, column) in self.columns.enumerated() where column.kind == .other {
      if projection.defers(column.slot), !self.keyValues.contains(index) { self.columns[index].kind = .text }
    }
  }
}
