import FederatedModel

/// One object for each row of one entity: references to objects, found by integers in a few nanoseconds.
///
/// Open addressing with linear probing over unretained references. An object takes itself out when it goes, so
/// every reference in the table is to a living object.
final class IdentityTable {
  private struct Entry {
    var reference: Int64
    /// Nil marks an empty place.
    var object: Unmanaged<ManagedObject>?
  }

  @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>
  @exclusivity(unchecked) private var mask: Int
  @exclusivity(unchecked) private(set) var count = 0
  /// Kept so that the looks ahead are for something, and no optimizer leaves them out.
  @exclusivity(unchecked) private(set) var takenAhead = 0

  init() {
    self.mask = 7
    self.entries = IdentityTable.allocate(8)
  }

  deinit { self.entries.deallocate() }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    entries.initialize(repeating: Entry(reference: 0, object: nil), count: capacity)
    return entries
  }

  /// Fibonacci hashing of groups of eight: rows that follow one another share a cache line or two, while groups
  /// land far apart, so that runs stay short.
  @inline(__always) private func home(of reference: Int64) -> Int {
    let bits = UInt64(bitPattern: reference)
    let mixed = (bits >> 3) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: (mixed >> 20) << 3 | bits & 7) & self.mask
  }

  func object(_ reference: Int64, in store: StoreID) -> ManagedObject? {
    var place = self.home(of: reference)
    while let candidate = self.entries[place].object {
      if self.entries[place].reference == reference {
        let object = candidate.takeUnretainedValue()
        if object.objectID.store == store { return object }
      }
      place = (place + 1) & self.mask
    }
    return nil
  }

  /// Looks at the first place of each row, ahead of use.
  ///
  /// In a large table each look waits for memory. Looks that do not depend on one another wait at the same time, and
  /// whoever comes to these places next finds them at hand.
  func lookAhead(to rows: FetchedRows) {
    var taken = 0
    for row in rows {
      taken &+= self.entries[self.home(of: row.snapshot.reference)].object == nil ? 0 : 1
    }
    self.takenAhead = taken
  }

  /// - Precondition: no object with the same reference and store is in the table.
  func insert(_ object: ManagedObject) {
    if (self.count + 1) * 4 > (self.mask + 1) * 3 { self.grow(to: (self.mask + 1) * 2) }
    self.put(object.objectID.reference, Unmanaged.passUnretained(object))
    self.count += 1
  }

  func reserve(_ more: Int) {
    var capacity = self.mask + 1
    while (self.count + more) * 4 > capacity * 3 { capacity *= 2 }
    if capacity > self.mask + 1 { self.grow(to: capacity) }
  }

  private func put(_ reference: Int64, _ object: Unmanaged<ManagedObject>) {
    var place = self.home(of: reference)
    while self.entries[place].object != nil { place = (place + 1) & self.mask }
    self.entries[place] = Entry(reference: reference, object: object)
  }

  private func grow(to capacity: Int) {
    let (old, oldCapacity) = (self.entries, self.mask + 1)
    self.entries = IdentityTable.allocate(capacity)
    self.mask = capacity - 1
    for place in 0..<oldCapacity {
      if let object = old[place].object { self.put(old[place].reference, object) }
    }
    old.deallocate()
  }

  /// Takes out an object under the reference that it was put in with. Does nothing when it is not there.
  func remove(_ object: ManagedObject, reference: Int64) {
    let wanted = Unmanaged.passUnretained(object).toOpaque()
    var place = self.home(of: reference)
    while let candidate = self.entries[place].object {
      if candidate.toOpaque() == wanted {
        self.close(gapAt: place)
        self.count -= 1
        return
      }
      place = (place + 1) & self.mask
    }
  }

  /// Moves later entries of the run back, so that no run has a hole.
  private func close(gapAt start: Int) {
    var gap = start
    var place = (start + 1) & self.mask
    while self.entries[place].object != nil {
      let home = self.home(of: self.entries[place].reference)
      if (place - home) & self.mask >= (place - gap) & self.mask {
        self.entries[gap] = self.entries[place]
        gap = place
      }
      place = (place + 1) & self.mask
    }
    self.entries[gap] = Entry(reference: 0, object: nil)
  }

  /// All objects. The array retains them.
  var objects: [ManagedObject] {
    var objects: [ManagedObject] = []
    objects.reserveCapacity(self.count)
    for place in 0...self.mask {
      if let object = self.entries[place].object { objects.append(object.takeUnretainedValue()) }
    }
    return objects
  }

  /// Up to `limit` objects that pass a test, from the places around one object's own.
  func neighbours(of object: ManagedObject, limit: Int, where passes: (ManagedObject) -> Bool)
    -> [ManagedObject]
  {
    var found: [ManagedObject] = []
    let start = self.home(of: object.objectID.reference)
    for step in 0..<min(self.mask + 1, limit * 4) where found.count < limit {
      guard let candidate = self.entries[(start + step) & self.mask].object else { continue }
      let other = candidate.takeUnretainedValue()
      if other !== object, passes(other) { found.append(other) }
    }
    return found
  }
}
