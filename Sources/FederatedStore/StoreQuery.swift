public import FederatedModel

/// What a store is asked: plain data, constants only.
public struct StoreQuery: Sendable, Hashable {
  public var entity: EntityID
  public var includesSubentities = true
  /// Bound to ``entity``. Nil asks for every row.
  public var predicate: BoundPredicate?
  /// Only rows with these references; nil for all. In `rows` answers order and duplicates are the store's.
  public var references: [Int64]?
  /// Only rows whose columns equal one of these keys; nil for all.
  public var keys: LinkKeys?
  /// Rows that compare equal come in the store's own order: ascending reference.
  public var order: [BoundSort] = []
  public var offset = 0
  /// Nil is no limit.
  public var limit: Int?
  public var shape = Shape.rows

  /// How many of the first matching rows reach to the window's end; nil when it has none.
  public var reach: Int? { self.limit?.addingWithoutOverflow(self.offset) }

  /// What is answered of the rows. Only a store with ``StoreCapabilities/columns`` is asked for columns and groups.
  public enum Shape: Sendable, Hashable {
    case rows, identities, count
    /// Columns of the rows, computed ones among them, in the query's order and window.
    case values(ValueColumns)
    /// Groups of all rows that match, with what is gathered of each; order and window of the query have no meaning.
    case groups(BoundGrouping)
  }

  public init(entity: EntityID, shape: Shape = .rows) {
    self.entity = entity
    self.shape = shape
  }
}

/// A set of keys and the columns they match: how many sources of one link are asked for at once.
///
/// A row matches when, for some key, every column equals that key's value by the rules of predicates;
/// nil equals nil.
public struct LinkKeys: Sendable, Hashable {
  public var attributes: [BoundAttribute]
  /// Each key has one value for each attribute.
  public var keys: [[Value]]

  public init(attributes: [BoundAttribute], keys: [[Value]]) {
    self.attributes = attributes
    self.keys = keys
  }
}

/// Who a row is inside its store.
@frozen public struct RowIdentity: Sendable, Hashable, Codable {
  /// The concrete entity.
  public let entity: EntityID
  public let reference: Int64

  @inlinable public init(entity: EntityID, reference: Int64) {
    self.entity = entity
    self.reference = reference
  }
}

/// What a store answers, in the shape that the query asked for.
public enum StoreAnswer: Sendable {
  case rows(RowSet)
  case identities([RowIdentity])
  case count(Int)
  case values(ValueRows)
  case groups(GroupTable)
}

/// Rows in order. A query over an entity with subentities answers several blocks and an order over them.
public struct RowSet: Sendable, RandomAccessCollection {
  public let blocks: [RowBlock]
  /// Where each row is, block and row packed; nil when the blocks follow one another as they are.
  @usableFromInline let places: [UInt64]?
  /// The number of rows before each block; used when ``places`` is nil.
  @usableFromInline let starts: [Int]
  public let count: Int

  /// The rows of the blocks, one block after another.
  public init(_ blocks: [RowBlock]) {
    self.blocks = blocks
    self.places = nil
    var starts: [Int] = []
    var count = 0
    for block in blocks {
      starts.append(count)
      count += block.count
    }
    self.starts = starts
    self.count = count
  }

  /// Chosen rows of the blocks, in the order given.
  public init(_ blocks: [RowBlock], order: [RowPlace]) {
    self.blocks = blocks
    self.places = order.map(\.packed)
    self.starts = []
    self.count = order.count
  }

  /// The rows at the positions given, in that order.
  public func choosing(_ positions: some Collection<Int>) -> RowSet {
    RowSet(self.blocks, order: positions.map { self.place(of: $0) })
  }

  /// In which of the blocks a row is, and where there.
  public func place(of position: Int) -> RowPlace {
    if let places = self.places { return RowPlace(packed: places[position]) }
    precondition(position >= 0 && position < self.count, "row \(position) of \(self.count)")
    var low = 0
    var high = self.starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if self.starts[middle] <= position { low = middle } else { high = middle }
    }
    return RowPlace(block: low, row: position - self.starts[low])
  }

  /// Whether the rows are those of one block after another.
  package var isInOrderOfBlocks: Bool { self.places == nil }

  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { self.count }

  public subscript(position: Int) -> Snapshot {
    let place = self.place(of: position)
    return self.blocks[place.block][place.row]
  }
}

/// Where a row is among several blocks.
@frozen public struct RowPlace: Sendable, Hashable {
  public let packed: UInt64
  @inlinable public init(packed: UInt64) { self.packed = packed }
  @inlinable public init(block: Int, row: Int) { self.packed = UInt64(block) << 32 | UInt64(row) }
  @inlinable public var block: Int { Int(self.packed >> 32) }
  @inlinable public var row: Int { Int(self.packed & 0xFFFF_FFFF) }
}

/// The destinations of one relationship for many owners, in the order in which the owners were given.
public struct RelatedRows: Sendable, Hashable {
  /// One more entry than owners: the destinations of owner `i` are `offsets[i] ..< offsets[i + 1]`.
  public var offsets: [Int]
  /// Ordered relationships in their order, others in the store's.
  public var destinations: [RowIdentity]

  public init(offsets: [Int] = [0], destinations: [RowIdentity] = []) {
    self.offsets = offsets
    self.destinations = destinations
  }

  public subscript(owner: Int) -> ArraySlice<RowIdentity> {
    self.destinations[self.offsets[owner]..<self.offsets[owner + 1]]
  }

  /// Adds the next owner's destinations.
  public mutating func append(_ next: some Sequence<RowIdentity>) {
    self.destinations.append(contentsOf: next)
    self.offsets.append(self.destinations.count)
  }
}

extension Int {
  /// The sum, or the greatest integer where it would be more: for numbers of rows.
  package func addingWithoutOverflow(_ other: Int) -> Int {
    let (sum, isOver) = self.addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}
