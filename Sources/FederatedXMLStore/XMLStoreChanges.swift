internal import FederatedModel
internal import FederatedStore

/// What a save changes, seen from the file: which objects go, come, or have other lines.
struct XMLStoreChanges {
  /// What changes in an object that stays.
  struct Row {
    var before: Snapshot?
    /// To-manys whose lines may be others now.
    var toManys: Set<RelationshipID> = []
  }

  private(set) var changed: [RowIdentity: Row] = [:]
  private(set) var deleted: Set<RowIdentity> = []
  /// New rows by ascending reference, so that the same graph makes the same file.
  private(set) var inserted: [RowIdentity] = []
  /// By entity's number: to-manys that may name a deleted row without anything else telling.
  private(set) var watched: [[Relationship]]
  /// The references of all objects that change or go.
  private(set) var touched: Set<Int64> = []
  /// Whether any to-many is watched.
  private(set) var watches = false
  /// How many objects of the old file have to change or go.
  private(set) var expected = 0
  private let model: ManagedObjectModel

  init(_ changes: ChangeSet, in model: ManagedObjectModel) {
    self.model = model
    self.watched = [[Relationship]](repeating: [], count: model.entities.count)
    for block in changes.inserted {
      for row in 0..<block.count {
        self.inserted.append(RowIdentity(entity: block.entity, reference: block[row].reference))
        self.touchOwners(of: block[row], nil)
      }
    }
    self.inserted.sort { ($0.reference, $0.entity) < ($1.reference, $1.entity) }
    for images in changes.updated {
      self.expected += images.after.count
      for row in 0..<images.after.count {
        let (before, after) = (images.before[row], images.after[row])
        self.changed[RowIdentity(entity: after.entity, reference: after.reference), default: Row()].before =
          before
        self.touchOwners(of: before, after)
      }
    }
    for block in changes.deleted {
      self.expected += block.count
      for row in 0..<block.count {
        self.deleted.insert(RowIdentity(entity: block.entity, reference: block[row].reference))
        self.touchOwners(of: block[row], nil)
      }
    }
    for change in changes.links { self.touch(change) }
    self.watch(Set(changes.deleted.lazy.filter { $0.count > 0 }.map { model[$0.entity].root }))
    self.watches = self.watched.contains { !$0.isEmpty }
    self.touched = Set(self.changed.keys.map(\.reference)).union(self.deleted.map(\.reference))
  }

  /// Rows whose to-many is told by a to-one of this row, where the row's two states differ.
  private mutating func touchOwners(of row: Snapshot, _ other: Snapshot?) {
    for relationship in self.model[row.entity].relationships {
      guard let slot = relationship.slot, let inverse = relationship.inverse,
        self.model.relationship(inverse).isToMany
      else { continue }
      let (old, new) = (row.destination(slot), other?.destination(slot))
      if let old, let new, old == new { continue }
      for destination in [old, new] {
        guard let destination else { continue }
        self.touch(RowIdentity(entity: destination.entity, reference: destination.reference), inverse)
      }
    }
  }

  private mutating func touch(_ change: LinkChange) {
    self.touch(change.owner, change.relationship)
    guard let inverse = self.model.relationship(change.relationship).inverse,
      self.model.relationship(inverse).isToMany
    else { return }
    for row in change.added + change.removed { self.touch(row, inverse) }
  }

  private mutating func touch(_ row: RowIdentity, _ toMany: RelationshipID) {
    self.changed[row, default: Row()].toManys.insert(toMany)
  }

  private mutating func watch(_ roots: Set<EntityID>) {
    if roots.isEmpty { return }
    for entity in self.model.entities {
      self.watched[entity.id.index] = entity.relationships.filter { relationship in
        guard relationship.isToMany, !relationship.isTransient,
          roots.contains(self.model[relationship.destination].root)
        else { return false }
        return relationship.inverse.map { self.model.relationship($0).isToMany } ?? true
      }
    }
  }
}
