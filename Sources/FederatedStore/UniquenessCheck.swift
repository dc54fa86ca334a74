public import FederatedModel

/// Finds the rows that would share unique values once a change set is in a store: the same for every store.
///
/// A constraint holds for the rows of its entity and of all its subentities. A row with nil among the values
/// collides with none. Where a subentity extends a constraint that it inherits, rows are reported for the
/// inherited one only.
public struct UniquenessCheck {
  private let model: ManagedObjectModel
  private let changes: ChangeSet
  private let store: StoreID
  private let constraints: [Constraint]

  public init(of changes: ChangeSet, in model: ManagedObjectModel, store: StoreID) {
    self.model = model
    self.changes = changes
    self.store = store
    var constraints: [Constraint] = []
    for block in changes.inserted + changes.updated.map(\.after) {
      for constraint in Constraint.all(of: model[block.entity], in: model)
      where !constraints.contains(constraint) { constraints.append(constraint) }
    }
    self.constraints = constraints
  }

  /// Whether no constraint is touched by the changes.
  public var isEmpty: Bool { self.constraints.isEmpty }

  /// - Parameter stored: answers a query for stored rows, before or after the changes are written.
  public func duplicates(
    _ stored: (StoreQuery) throws(StoreError) -> RowSet
  ) throws(StoreError) -> [DuplicateRows] {
    var found: [DuplicateRows] = []
    for constraint in self.constraints { found += try self.duplicates(of: constraint, stored) }
    return found
  }

  /// The refusal for them, with the rows of each; nil when there are none.
  public func refusal(
    _ stored: (StoreQuery) throws(StoreError) -> RowSet
  ) throws(StoreError) -> StoreError? {
    let duplicates = try self.duplicates(stored)
    guard let first = duplicates.first else { return nil }
    let others = duplicates.count - 1
    return StoreError(
      .duplicateKey, store: nil,
      place: .property(
        entity: self.model[first.entity].name, reference: first.rows[0].reference,
        property: first.attributes.joined(separator: ", ")),
      rows: first.rows, duplicates: duplicates,
      "\(first.rows.count) rows would have the same unique values"
        + (others > 0 ? ", and so would the rows of \(others) other groups" : "") + "; change all but one")
  }

  private func duplicates(
    of constraint: Constraint, _ stored: (StoreQuery) throws(StoreError) -> RowSet
  ) throws(StoreError) -> [DuplicateRows] {
    var owners = Owners()
    var replaced: Set<RowIdentity> = []
    for block in self.changes.deleted {
      for row in 0..<block.count { replaced.insert(RowIdentity(block[row])) }
    }
    for images in self.changes.updated where self.covers(constraint, images.after.entity) {
      for row in 0..<images.after.count {
        let (before, after) = (images.before[row], images.after[row])
        replaced.insert(RowIdentity(after))
        guard let key = constraint.key(of: after, self.store) else { continue }
        owners.add(RowIdentity(after), key, isNew: constraint.key(of: before, self.store) != key)
      }
    }
    for block in self.changes.inserted where self.covers(constraint, block.entity) {
      for row in 0..<block.count {
        replaced.insert(RowIdentity(block[row]))
        guard let key = constraint.key(of: block[row], self.store) else { continue }
        owners.add(RowIdentity(block[row]), key, isNew: true)
      }
    }
    if owners.newKeys.isEmpty { return [] }
    var query = StoreQuery(entity: constraint.entity)
    query.keys = LinkKeys(attributes: constraint.attributes, keys: owners.newKeys)
    for row in try stored(query) where !replaced.contains(RowIdentity(row)) {
      guard let key = constraint.key(of: row, self.store) else { continue }
      owners.add(RowIdentity(row), key, isNew: false)
    }
    return owners.shared.map {
      DuplicateRows(entity: constraint.entity, attributes: constraint.attributes.map(\.name), rows: $0)
    }
  }

  private func covers(_ constraint: Constraint, _ entity: EntityID) -> Bool {
    self.model[entity].isKind(of: self.model[constraint.entity])
  }

  /// Who has which unique values.
  private struct Owners {
    private var rows: [[Value]: [RowIdentity]] = [:]
    private var isAsked: Set<[Value]> = []
    /// Values that a row of the save takes on.
    private(set) var newKeys: [[Value]] = []

    mutating func add(_ row: RowIdentity, _ key: [Value], isNew: Bool) {
      self.rows[key, default: []].append(row)
      if isNew, self.isAsked.insert(key).inserted { self.newKeys.append(key) }
    }

    var shared: [[RowIdentity]] {
      self.newKeys.compactMap { key in self.rows[key].flatMap { $0.count > 1 ? $0 : nil } }
    }
  }
}

/// Attributes of an entity that are unique together in it and all its subentities.
private struct Constraint: Hashable {
  let entity: EntityID
  let attributes: [BoundAttribute]

  init?(_ names: [String], of entity: Entity) {
    var attributes: [BoundAttribute] = []
    for name in names {
      guard let attribute = entity.attribute(named: name), let slot = attribute.slot else { return nil }
      attributes.append(BoundAttribute(name: name, entity: entity.id, slot: slot, type: attribute.type))
    }
    guard !attributes.isEmpty else { return nil }
    self.entity = entity.id
    self.attributes = attributes
  }

  /// The constraints that rows of an entity are under, the topmost first.
  static func all(of entity: Entity, in model: ManagedObjectModel) -> [Constraint] {
    var line = [entity]
    while let parent = line[0].parent { line.insert(model[parent], at: 0) }
    var found: [Constraint] = []
    for entity in line {
      for names in entity.description.uniquenessConstraints {
        guard let constraint = Constraint(names, of: entity),
          !found.contains(where: { $0.entity != entity.id && $0.isExtended(by: constraint) })
        else { continue }
        found.append(constraint)
      }
    }
    return found
  }

  private func isExtended(by other: Constraint) -> Bool {
    Set(self.attributes.map(\.name)).isSubset(of: other.attributes.map(\.name))
  }

  /// The unique values of a row; nil when one of them is nil.
  func key(of row: Snapshot, _ store: StoreID) -> [Value]? {
    var key: [Value] = []
    for attribute in self.attributes {
      guard let kind = attribute.type.slotKind, !row.isNull(attribute.slot) else { return nil }
      let value = row.value(attribute.slot, kind, store: store)
      // Both zeros are one number.
      key.append(value == .double(-0.0) ? .double(0) : value)
    }
    return key
  }
}
