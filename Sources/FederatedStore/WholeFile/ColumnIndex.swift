internal import FederatedModel

/// Which column: the entity that declares it, and its slot there and in every descendant.
struct ColumnKey: Hashable, Sendable {
  var entity: EntityID
  var slot: Int
}

/// An equality index over one column: hash of a value to references of rows that may hold it.
///
/// Whoever looks up verifies: a hash is shared by several values, and an entry may be older than its row.
/// A base of packed buckets, and the entries that saves added on top of it.
final class ColumnIndex: Sendable {
  /// Bucket `b` is `entries[starts[b] ..< starts[b + 1]]`, ascending.
  private let starts: [UInt32]
  private let entries: [Int64]
  private let shift: UInt64
  private let added: [UInt64: [Int64]]
  private let addedCount: Int

  private init(
    starts: [UInt32], entries: [Int64], shift: UInt64, added: [UInt64: [Int64]], addedCount: Int
  ) {
    self.starts = starts
    self.entries = entries
    self.shift = shift
    self.added = added
    self.addedCount = addedCount
  }

  /// Indexes rows that come in ascending reference.
  convenience init(_ rows: RowSet, slot: Int, kind: SlotKind) {
    let bits = max(4, Int.bitWidth - rows.count.leadingZeroBitCount)
    let shift = UInt64(64 - bits)
    var starts = [UInt32](repeating: 0, count: (1 << bits) + 1)
    var hashes: [UInt64] = []
    hashes.reserveCapacity(rows.count)
    for row in rows {
      let hash = ColumnHash.of(row, slot: slot, kind: kind)
      hashes.append(hash)
      starts[Int(hash >> shift) + 1] += 1
    }
    for bucket in 1..<starts.count { starts[bucket] += starts[bucket - 1] }
    var next = starts
    var entries = [Int64](repeating: 0, count: rows.count)
    for (index, hash) in hashes.enumerated() {
      let bucket = Int(hash >> shift)
      entries[Int(next[bucket])] = rows[index].reference
      next[bucket] += 1
    }
    self.init(starts: starts, entries: entries, shift: shift, added: [:], addedCount: 0)
  }

  /// Calls for every row that may hold a value of that hash, ascending and each once.
  func forEach<Failure: Error>(
    hash: UInt64, _ body: (Int64) throws(Failure) -> Void
  ) throws(Failure) {
    let bucket = Int(hash >> self.shift)
    let base = self.entries[Int(self.starts[bucket])..<Int(self.starts[bucket + 1])]
    guard let added = self.added[hash] else {
      for reference in base { try body(reference) }
      return
    }
    var last: Int64?
    for reference in (base + added).sorted() where reference != last {
      try body(reference)
      last = reference
    }
  }

  /// The most rows that a look-up of the hash can meet.
  func candidateCount(hash: UInt64) -> Int {
    let bucket = Int(hash >> self.shift)
    return Int(self.starts[bucket + 1] - self.starts[bucket]) + (self.added[hash]?.count ?? 0)
  }

  /// The index with more entries; nil when they have become so many that a new one is better made.
  func adding(_ rows: [(hash: UInt64, reference: Int64)]) -> ColumnIndex? {
    if rows.isEmpty { return self }
    let count = self.addedCount + rows.count
    guard count <= 256 + self.entries.count / 4 else { return nil }
    var added = self.added
    for row in rows { added[row.hash, default: []].append(row.reference) }
    return ColumnIndex(
      starts: self.starts, entries: self.entries, shift: self.shift, added: added, addedCount: count)
  }
}

/// The indexes of one version of a table, each made when it is first asked for.
final class ColumnIndexes: Sendable {
  private struct State {
    var columns: [ColumnKey: ColumnIndex] = [:]
    var mergedPlaces: [EntityID: [RowPlace]] = [:]
  }
  private let state: Lock<State>

  init() { self.state = Lock(State()) }
  private init(columns: [ColumnKey: ColumnIndex]) { self.state = Lock(State(columns: columns)) }

  func index(of column: ColumnKey, in table: RowTable) -> ColumnIndex {
    if let made = self.state.withLock({ $0.columns[column] }) { return made }
    let rows = table.rows(of: column.entity)
    let index = ColumnIndex(rows, slot: column.slot, kind: table.kind(of: column))
    self.state.withLock { $0.columns[column] = index }
    return index
  }

  /// The places of an entity and its subentities in one ascending list.
  func merged(_ entity: EntityID, _ make: () -> [RowPlace]) -> [RowPlace] {
    if let made = self.state.withLock({ $0.mergedPlaces[entity] }) { return made }
    let places = make()
    self.state.withLock { $0.mergedPlaces[entity] = places }
    return places
  }

  /// The indexes of the next version: those made so far, with the rows that a save writes.
  func following(_ changes: ChangeSet, model: ManagedObjectModel) -> ColumnIndexes {
    var columns = self.state.withLock { $0.columns }
    for (column, index) in columns {
      var added: [(hash: UInt64, reference: Int64)] = []
      let kind = model.kind(of: column)
      let family = model[column.entity].family
      for block in changes.inserted where family.contains(block.entity) {
        for row in 0..<block.count {
          added.append((ColumnHash.of(block[row], slot: column.slot, kind: kind), block[row].reference))
        }
      }
      for images in changes.updated where family.contains(images.after.entity) {
        for row in 0..<images.after.count {
          let before = ColumnHash.of(images.before[row], slot: column.slot, kind: kind)
          let after = ColumnHash.of(images.after[row], slot: column.slot, kind: kind)
          if before != after { added.append((after, images.after[row].reference)) }
        }
      }
      columns[column] = index.adding(added)
    }
    return ColumnIndexes(columns: columns)
  }
}

extension RowTable {
  func kind(of column: ColumnKey) -> SlotKind { self.model.kind(of: column) }
}

extension ManagedObjectModel {
  func kind(of column: ColumnKey) -> SlotKind {
    guard let found = self[column.entity].layout.columns.first(where: { $0.slot == column.slot }) else {
      preconditionFailure("\(self[column.entity].name) has no column in slot \(column.slot)")
    }
    return found.kind
  }
}
