internal import FederatedModel

/// The explicit lists of one to-many: owner's reference to destinations, in order.
///
/// A base of packed lists, and the lists changed since on top of it, so that versions share the base.
struct LinkLists: Sendable {
  /// The place in `offsets` is the row number of the packed place.
  private var owners = ReferenceIndex()
  private var offsets: [Int] = [0]
  private var destinations: [RowIdentity] = []
  /// Lists that replace those of the base. Empty lists count as none.
  private var changed: [Int64: [RowIdentity]] = [:]

  var isEmpty: Bool { self.owners.count == 0 && self.changed.isEmpty }

  subscript(owner: Int64) -> [RowIdentity] {
    get {
      if let list = self.changed[owner] { return list }
      guard let place = self.owners[owner] else { return [] }
      return Array(self.destinations[self.offsets[place.row]..<self.offsets[place.row + 1]])
    }
    set { self.changed[owner] = newValue }
  }

  /// Adds a list to the base while it is first filled.
  mutating func append(_ list: some Collection<RowIdentity>, of owner: Int64) {
    if list.isEmpty { return }
    guard self.owners.insert(owner, at: RowPlace(block: 0, row: self.offsets.count - 1)) else {
      self.changed[owner] = self[owner] + list
      return
    }
    self.destinations.append(contentsOf: list)
    self.offsets.append(self.destinations.count)
  }

  /// The owners that have a list, in no particular order.
  var ownersWithLists: [Int64] {
    let base = self.owners.references.filter { self.changed[$0] == nil }
    return base + self.changed.lazy.filter { !$0.value.isEmpty }.map(\.key)
  }

  /// Packs the changed lists into the base when they have become many.
  mutating func packIfNeeded() {
    guard self.changed.count > 64 + self.owners.count / 4 else { return }
    var packed = LinkLists()
    for owner in self.ownersWithLists.sorted() { packed.append(self[owner], of: owner) }
    self = packed
  }
}
