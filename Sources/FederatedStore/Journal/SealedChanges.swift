public import FederatedModel
internal import Foundation

/// One store's part of a save that has happened: what ``PersistentStore/recover(_:)`` brings into the store.
public struct SealedChanges: Sendable {
  /// The save, by the identifier that the stores keep with its changes.
  public var save: SaveIdentifier
  /// What the save changes in the store.
  public var changes: ChangeSet
  /// The metadata that the save writes; nil when it leaves them alone.
  public var metadata: StoreMetadata?

  public init(save: SaveIdentifier, changes: ChangeSet, metadata: StoreMetadata? = nil) {
    self.save = save
    self.changes = changes
    self.metadata = metadata
  }
}

extension SealedChanges {
  /// What a store still lacks of the changes, judged by row images: a row that is as after the save has them, a
  /// row that is as before it gets them.
  ///
  /// For stores that cannot keep the identifier of a save, and for whole files that others may have rewritten.
  /// Before-images come back as the store's own rows, so that their versions are right.
  /// - Parameter row: the row that the store has under an identity; nil when it has none.
  /// - Throws: `conflict` with every row that is neither as before nor as after the save.
  public func remaining(_ row: (RowIdentity) throws(StoreError) -> Snapshot?) throws(StoreError) -> ChangeSet
  {
    var rest = ChangeSet()
    var conflicts: [RowIdentity] = []
    // Where keys name rows, a new one may take the place of one that the save deletes.
    let replaced = self.replacements
    for block in self.changes.inserted {
      var missing = RowBlockBuilder(layout: block.layout)
      for index in 0..<block.count {
        let after = block[index]
        let current = try row(RowIdentity(after))
        if let current, current.hasSameValues(as: after) { continue }
        let before = replaced[RowIdentity(after)]?.before
        guard let current, before.map({ !current.hasSameValues(as: $0) }) ?? true else {
          missing.copyRow(after, reference: after.reference, version: after.version)
          continue
        }
        conflicts.append(RowIdentity(after))
      }
      if missing.count > 0 { rest.inserted.append(missing.finish()) }
    }
    for images in self.changes.updated {
      var before = RowBlockBuilder(layout: images.before.layout)
      var after = RowBlockBuilder(layout: images.after.layout)
      for index in 0..<images.before.count {
        let (old, new) = (images.before[index], images.after[index])
        guard let current = try row(RowIdentity(old)) else {
          conflicts.append(RowIdentity(old))
          continue
        }
        if current.hasSameValues(as: new) { continue }
        guard current.hasSameValues(as: old) else {
          conflicts.append(RowIdentity(old))
          continue
        }
        before.copyRow(current, reference: current.reference, version: current.version)
        after.copyRow(new, reference: new.reference, version: current.version &+ 1)
      }
      if before.count > 0 {
        rest.updated.append(UpdatedRows(before: before.finish(), after: after.finish()))
      }
    }
    var gone: Set<RowIdentity> = []
    for block in self.changes.deleted {
      var present = RowBlockBuilder(layout: block.layout)
      for index in 0..<block.count {
        let before = block[index]
        guard let current = try row(RowIdentity(before)) else {
          gone.insert(RowIdentity(before))
          continue
        }
        if let after = replaced[RowIdentity(before)]?.after,
          !current.hasSameValues(as: before) || after.hasSameValues(as: before)
        {
          // Replaced already, or told of as a conflict above.
          continue
        }
        guard current.hasSameValues(as: before) else {
          conflicts.append(RowIdentity(before))
          continue
        }
        present.copyRow(current, reference: current.reference, version: current.version)
      }
      if present.count > 0 { rest.deleted.append(present.finish()) }
    }
    // Adding a pair that is there, or removing one that is not, changes nothing.
    rest.links = self.changes.links
    // A row that went took its pairs along, and nobody knows its key any more.
    for place in rest.links.indices { rest.links[place].removed.removeAll(where: gone.contains) }
    guard conflicts.isEmpty else {
      throw StoreError(
        .conflict, store: nil, rows: conflicts,
        "\(conflicts.count) row\(conflicts.count == 1 ? " is" : "s are") neither as before nor as after a save "
          + "that waits to be finished: another program changed \(conflicts.count == 1 ? "it" : "them"); "
          + "restore the file, or give the save up by removing the file that points to its journal")
    }
    return rest
  }

  /// The rows that the save deletes and makes anew under the same identity.
  private var replacements: [RowIdentity: (before: Snapshot, after: Snapshot)] {
    if self.changes.deleted.isEmpty || self.changes.inserted.isEmpty { return [:] }
    var deleted: [RowIdentity: Snapshot] = [:]
    for block in self.changes.deleted {
      for index in 0..<block.count { deleted[RowIdentity(block[index])] = block[index] }
    }
    var replaced: [RowIdentity: (before: Snapshot, after: Snapshot)] = [:]
    for block in self.changes.inserted {
      for index in 0..<block.count {
        let after = block[index]
        if let before = deleted[RowIdentity(after)] { replaced[RowIdentity(after)] = (before, after) }
      }
    }
    return replaced
  }
}

extension Snapshot {
  /// Whether two rows of one layout hold the same values; reference and version do not count.
  package func hasSameValues(as other: Snapshot) -> Bool {
    self.block.layout.columns.allSatisfy { self.hasSameValue(of: $0, as: other) }
  }

  /// Whether two rows of one layout hold the same in a column.
  package func hasSameValue(of column: RowLayout.Column, as other: Snapshot) -> Bool {
    let slot = column.slot
    if self.isNull(slot) || other.isNull(slot) { return self.isNull(slot) == other.isNull(slot) }
    switch column.kind {
    case .string, .uri, .data, .uuid:
      return self.withBytes(slot) { mine in other.withBytes(slot) { mine.elementsEqual($0) } }
    case .decimal: return self.decimal(slot) == other.decimal(slot)
    case .double, .float, .date:
      let (mine, others) = (self.double(slot), other.double(slot))
      return mine == others || mine.isNaN && others.isNaN
    case .reference:
      return self.int(slot) == other.int(slot) && self.word(slot + 1) == other.word(slot + 1)
    case .int, .bool: return self.word(slot) == other.word(slot)
    }
  }
}

extension StoreMetadata {
  /// The entry under which a store keeps the identifier of the last joint save that it has.
  public static let jointSaveKey = "FederatedDataJointSave"

  /// The last save over several stores that this one has.
  public var lastJointSave: SaveIdentifier? {
    get {
      guard case .string(let text)? = self.entries[StoreMetadata.jointSaveKey] else { return nil }
      return UUID(uuidString: text).map { SaveIdentifier($0, isJoint: true) }
    }
    set { self.entries[StoreMetadata.jointSaveKey] = newValue.map { .string($0.uuid.uuidString) } }
  }
}
