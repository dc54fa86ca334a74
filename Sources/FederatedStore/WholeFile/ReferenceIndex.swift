/// Where the rows of one hierarchy are, by reference: an open-addressed table of two words an entry.
struct ReferenceIndex: Sendable {
  private struct Entry {
    var reference: Int64
    /// A packed ``RowPlace``, or `empty`.
    var place: UInt64
  }

  private static let empty = UInt64.max
  private var entries: [Entry] = []
  private var mask = 0
  private var shift: UInt64 = 64
  private(set) var count = 0

  subscript(reference: Int64) -> RowPlace? {
    if self.count == 0 { return nil }
    let entry = self.entries[self.slot(of: reference)]
    return entry.place == ReferenceIndex.empty ? nil : RowPlace(packed: entry.place)
  }

  /// All references, in no particular order.
  var references: [Int64] {
    self.entries.lazy.filter { $0.place != ReferenceIndex.empty }.map(\.reference)
  }

  /// Adds a reference.
  /// - Returns: false when it is there already; nothing is changed then.
  mutating func insert(_ reference: Int64, at place: RowPlace) -> Bool {
    if (self.count + 1) * 4 > self.entries.count * 3 { self.grow() }
    let slot = self.slot(of: reference)
    guard self.entries[slot].place == ReferenceIndex.empty else { return false }
    self.entries[slot] = Entry(reference: reference, place: place.packed)
    self.count += 1
    return true
  }

  /// Moves a reference that is there.
  mutating func move(_ reference: Int64, to place: RowPlace) {
    self.entries[self.slot(of: reference)].place = place.packed
  }

  mutating func remove(_ reference: Int64) {
    guard self.count > 0 else { return }
    var hole = self.slot(of: reference)
    guard self.entries[hole].place != ReferenceIndex.empty else { return }
    self.count -= 1
    // Entries behind the hole move up when the hole lies on their way from home.
    var next = (hole + 1) & self.mask
    while self.entries[next].place != ReferenceIndex.empty {
      let home = self.home(of: self.entries[next].reference)
      if (next - home) & self.mask >= (next - hole) & self.mask {
        self.entries[hole] = self.entries[next]
        hole = next
      }
      next = (next + 1) & self.mask
    }
    self.entries[hole].place = ReferenceIndex.empty
  }

  private func home(of reference: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: reference) &* 0x9e37_79b9_7f4a_7c15) >> self.shift)
  }

  /// The slot that holds the reference, or the empty one where it belongs.
  private func slot(of reference: Int64) -> Int {
    var slot = self.home(of: reference)
    while self.entries[slot].place != ReferenceIndex.empty, self.entries[slot].reference != reference {
      slot = (slot + 1) & self.mask
    }
    return slot
  }

  private mutating func grow() {
    let old = self.entries
    let size = max(16, old.count * 2)
    self.entries = [Entry](repeating: Entry(reference: 0, place: ReferenceIndex.empty), count: size)
    self.mask = size - 1
    self.shift = UInt64(64 - size.trailingZeroBitCount)
    for entry in old where entry.place != ReferenceIndex.empty {
      self.entries[self.slot(of: entry.reference)] = entry
    }
  }
}
