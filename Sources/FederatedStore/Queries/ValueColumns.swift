public import FederatedModel

/// Which columns of its rows a query wants.
public struct ValueColumns: Sendable, Hashable {
  /// What is read or computed of each row. A to-one is its destination's identifier, as stored.
  public var columns: [BoundExpression]
  /// Whether a row is left out when an earlier one has equal values. Offset and limit count what is left.
  ///
  /// Values are equal as predicates have it; NaN counts as nil here, and of the two zeros either may be answered.
  public var isDistinct: Bool

  public init(_ columns: [BoundExpression], isDistinct: Bool = false) {
    self.columns = columns
    self.isDistinct = isDistinct
  }
}

/// Values of rows, line after line.
public struct ValueRows: Sendable {
  /// The number of columns.
  public let width: Int
  /// The number of lines.
  public private(set) var count = 0
  private var values: [Value] = []

  public init(width: Int) { self.width = width }

  /// Adds a line.
  /// - Precondition: there is one value for each column.
  public mutating func append(_ line: some Collection<Value>) {
    precondition(line.count == self.width, "a line of \(line.count) values for \(self.width) columns")
    self.values.append(contentsOf: line)
    self.count += 1
  }

  /// The values of a line.
  public subscript(line: Int) -> ArraySlice<Value> {
    precondition(line >= 0 && line < self.count, "line \(line) of \(self.count)")
    return self.values[line * self.width..<(line + 1) * self.width]
  }
}

/// Lines that were seen, by their values.
public struct DistinctLines: Sendable {
  private var seen: Set<[MatchKey]> = []

  public init() {}

  /// Remembers a line.
  /// - Returns: whether no line with equal values was remembered before.
  public mutating func insert(_ line: some Collection<Value>) -> Bool {
    self.seen.insert(line.map { MatchKey($0.asKey) }).inserted
  }
}

extension StoreQuery {
  /// Whether offset and limit count rows; else they count what is made of all rows.
  package var windowIsOfRows: Bool {
    switch self.shape {
    case .rows, .identities, .count: true
    case .values(let columns): !columns.isDistinct
    case .groups: false
    }
  }

  /// A query for columns or groups in two steps: the rows that it is about, and what is left to make of them.
  package var overRows: (rows: StoreQuery, rest: StoreQuery) {
    var rows = self
    rows.shape = .rows
    rows.offset = 0
    rows.limit = self.windowIsOfRows ? self.reach : nil
    if case .groups = self.shape { rows.order = [] }
    var rest = StoreQuery(entity: self.entity, shape: self.shape)
    rest.offset = self.offset
    rest.limit = self.limit
    return (rows, rest)
  }
}

extension StoreQuery.Shape {
  /// What columns and groups are made of; nothing for other shapes.
  package var expressions: [BoundExpression] {
    switch self {
    case .rows, .identities, .count: []
    case .values(let columns): columns.columns
    case .groups(let grouping): grouping.keys + grouping.aggregates.map(\.operand)
    }
  }
}
