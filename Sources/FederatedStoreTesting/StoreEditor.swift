public import FederatedModel
public import FederatedStore

/// Gathers a change set row by row, with values by name.
///
/// ```swift
/// let editor = store.edit()
/// let folder = try editor.insert("Folder", ["name": .string("Post")])
/// try editor.insert("Record", to: ["folder": folder])
/// try store.save(editor)
/// ```
public final class StoreEditor {
  private let open: OpenStore
  private var inserted: [EntityID: RowBlockBuilder] = [:]
  private var before: [EntityID: RowBlockBuilder] = [:]
  private var after: [EntityID: RowBlockBuilder] = [:]
  private var deleted: [EntityID: RowBlockBuilder] = [:]
  private var links: [LinkChange] = []
  private var expected: [RowExpectation] = []

  public init(_ open: OpenStore) { self.open = open }

  /// Adds a new row and answers who it is.
  @discardableResult
  public func insert(
    _ entity: String, _ values: [String: Value] = [:], to destinations: [String: RowIdentity] = [:]
  ) throws -> RowIdentity {
    let entity = self.open.entity(entity)
    let reference = try self.open.store.reserveReferences(for: entity.id, count: 1).lowerBound
    var rows = self.inserted[entity.id] ?? RowBlockBuilder(layout: entity.layout)
    rows.beginRow(reference: reference, version: 1)
    try StoreEditor.fill(&rows, values, destinations)
    self.inserted[entity.id] = rows
    return RowIdentity(entity: entity.id, reference: reference)
  }

  /// Changes some values of a row; nil in `destinations` empties a to-one.
  public func update(
    _ row: Snapshot, _ values: [String: Value] = [:], to destinations: [String: RowIdentity?] = [:]
  ) throws {
    let layout = row.block.layout
    var before = self.before[row.entity] ?? RowBlockBuilder(layout: layout)
    var after = self.after[row.entity] ?? RowBlockBuilder(layout: layout)
    before.copyRow(row, reference: row.reference, version: row.version)
    after.copyRow(row, reference: row.reference, version: row.version + 1)
    try StoreEditor.fill(&after, values, destinations)
    self.before[row.entity] = before
    self.after[row.entity] = after
  }

  public func delete(_ row: Snapshot) {
    var rows = self.deleted[row.entity] ?? RowBlockBuilder(layout: row.block.layout)
    rows.copyRow(row, reference: row.reference, version: row.version)
    self.deleted[row.entity] = rows
  }

  /// Relies on a row that the save does not change.
  public func expect(_ row: RowIdentity, version: Int64? = nil) {
    self.expected.append(RowExpectation(row, version: version))
  }

  /// Changes a to-many that no to-one column tells.
  public func link(
    _ relationship: RelationshipID, of owner: RowIdentity, add added: [RowIdentity] = [],
    remove removed: [RowIdentity] = [], order: [RowIdentity]? = nil
  ) {
    self.links.append(
      LinkChange(relationship: relationship, owner: owner, added: added, removed: removed, order: order))
  }

  /// What was gathered. The editor is empty afterwards.
  public func changes() -> ChangeSet {
    var changes = ChangeSet()
    for entity in self.open.model.entities {
      if var rows = self.inserted[entity.id] { changes.inserted.append(rows.finish()) }
      if var rows = self.deleted[entity.id] { changes.deleted.append(rows.finish()) }
      if var before = self.before[entity.id], var after = self.after[entity.id] {
        changes.updated.append(UpdatedRows(before: before.finish(), after: after.finish()))
      }
    }
    changes.links = self.links
    changes.expected = self.expected
    self.inserted = [:]
    self.before = [:]
    self.after = [:]
    self.deleted = [:]
    self.links = []
    self.expected = []
    return changes
  }

  private static func fill(
    _ rows: inout RowBlockBuilder, _ values: [String: Value], _ destinations: [String: RowIdentity?]
  ) throws {
    for (name, value) in values {
      let column = try unwrap(rows.layout.column(named: name), "a column \(name)")
      try require(rows.set(value, at: column.slot, column.kind), "\(name) does not take \(value)")
    }
    for (name, destination) in destinations {
      let slot = try unwrap(rows.layout.column(named: name), "a to-one \(name)").slot
      if let destination {
        rows.set(reference: destination.reference, entity: destination.entity, at: slot)
      } else {
        rows.setNull(at: slot)
      }
    }
  }
}
