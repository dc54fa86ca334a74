package import FederatedModel
package import FederatedStore

/// The rows of a request, in order, each with the store that it came from.
///
/// One store's answer is held as it came; several answers are held side by side with an order over them.
package struct FetchedRows: RandomAccessCollection, Sendable {
  /// What one store answered, and which rows of it count.
  package struct Part: Sendable {
    package let store: StoreID
    package let rows: RowSet
    package let range: Range<Int>

    package init(store: StoreID, rows: RowSet, range: Range<Int>? = nil) {
      self.store = store
      self.rows = rows
      self.range = range ?? 0..<rows.count
    }
  }

  package let parts: [Part]
  /// Where each row is, part and row packed; nil when the parts follow one another as they are.
  fileprivate let places: [RowPlace]?
  /// The number of rows before each part; used when ``places`` is nil.
  fileprivate let starts: [Int]
  package let count: Int

  /// Rows of one part after another.
  package init(_ parts: [Part]) {
    self.parts = parts
    self.places = nil
    var starts: [Int] = []
    var count = 0
    for part in parts {
      starts.append(count)
      count += part.range.count
    }
    self.starts = starts
    self.count = count
  }

  /// Chosen rows in the order given; a place's block is the part's number, its row counts inside the part's rows.
  package init(_ parts: [Part], order places: [RowPlace]) {
    self.parts = parts
    self.places = places
    self.starts = []
    self.count = places.count
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { self.count }

  package func makeIterator() -> Iterator { Iterator(self) }

  package subscript(position: Int) -> FetchedRow {
    if let places = self.places {
      let place = places[position]
      let part = self.parts[place.block]
      return FetchedRow(store: part.store, snapshot: part.rows[place.row])
    }
    precondition(position >= 0 && position < self.count, "row \(position) of \(self.count)")
    var number = self.parts.count - 1
    while self.starts[number] > position { number -= 1 }
    let part = self.parts[number]
    return FetchedRow(
      store: part.store, snapshot: part.rows[part.range.lowerBound + position - self.starts[number]])
  }
}

extension FetchedRows {
  /// Walks through one block after another, without looking up the place of each row.
  package struct Iterator: IteratorProtocol {
    private let rows: FetchedRows
    /// The first row that is not in ``run``.
    private var position = 0
    private var run: Run?

    private struct Run {
      let store: StoreID
      let block: RowBlock
      var next: Int
      let end: Int
    }

    fileprivate init(_ rows: FetchedRows) { self.rows = rows }

    package mutating func next() -> FetchedRow? {
      if let run = self.run, run.next < run.end {
        self.run?.next += 1
        return FetchedRow(store: run.store, snapshot: run.block[run.next])
      }
      guard self.position < self.rows.count else { return nil }
      defer { self.position += 1 }
      if self.rows.places == nil, self.beginRun() { return self.next() }
      return self.rows[self.position]
    }

    /// - Returns: false where the rows do not lie one after another.
    private mutating func beginRun() -> Bool {
      var number = self.rows.parts.count - 1
      while self.rows.starts[number] > self.position { number -= 1 }
      let part = self.rows.parts[number]
      guard part.rows.isInOrderOfBlocks else { return false }
      let first = part.range.lowerBound + self.position - self.rows.starts[number]
      let place = part.rows.place(of: first)
      let block = part.rows.blocks[place.block]
      let end = Swift.min(block.count, place.row + part.range.upperBound - first)
      self.run = Run(store: part.store, block: block, next: place.row, end: end)
      self.position += end - place.row - 1
      return true
    }
  }
}

/// One row of a request's answer.
package struct FetchedRow: Sendable {
  package let store: StoreID
  package let snapshot: Snapshot

  package init(store: StoreID, snapshot: Snapshot) {
    self.store = store
    self.snapshot = snapshot
  }

  package var objectID: ManagedObjectID {
    ManagedObjectID(store: self.store, entity: self.snapshot.entity, reference: self.snapshot.reference)
  }
}
