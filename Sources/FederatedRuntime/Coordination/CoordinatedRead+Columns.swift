import FederatedModel
import FederatedStore

/// Columns and groups over all stores that a request goes to.
extension CoordinatedRead {
  func values(_ request: BoundRequest, _ columns: ValueColumns) throws -> ValueRows {
    try self.noting(request, .columns, rows: \.count) { try self.chosen(columns, of: request) }
  }

  private func chosen(_ columns: ValueColumns, of request: BoundRequest) throws -> ValueRows {
    let stores = try self.stores(for: request)
    if stores.count == 1 { return try self.values(request.query(.values(columns)), columns, from: stores[0]) }
    return request.order.isEmpty
      ? try self.concatenation(of: request, columns, from: stores)
      : try self.merge(of: request, columns, from: stores)
  }

  func groups(_ request: BoundRequest, _ grouping: BoundGrouping) throws -> GroupTable {
    try self.noting(request, .groups, rows: \.groups.count) { try self.gathered(grouping, of: request) }
  }

  private func gathered(_ grouping: BoundGrouping, of request: BoundRequest) throws -> GroupTable {
    var whole = request
    whole.order = []
    whole.offset = 0
    whole.limit = nil
    let query = whole.query(.groups(grouping))
    var table = GroupTable(grouping)
    for store in try self.stores(for: request) {
      if case .groups(let groups) = try self.columnAnswer(query, from: store) { try table.add(groups) }
    }
    return table
  }

  private func values(
    _ query: StoreQuery, _ columns: ValueColumns, from store: StoreID
  ) throws -> ValueRows {
    guard case .values(let rows) = try self.columnAnswer(query, from: store) else {
      return ValueRows(width: columns.columns.count)
    }
    return rows
  }

  /// A store that does not make columns and groups is asked for rows, and they are made here.
  private func columnAnswer(_ query: StoreQuery, from store: StoreID) throws -> StoreAnswer {
    if try self.attached.require(store).capabilities.contains(.columns) {
      return try self.answer(query, from: store)
    }
    let steps = query.overRows
    guard case .rows(let rows) = try self.answer(steps.rows, from: store) else { return .count(0) }
    let source = try self.source(of: store)
    try source.prefetch(query.shape.paths, from: rows)
    return try Self.rethrowingPredicates { try InMemoryQuery(steps.rest, source: source).run(over: rows) }
  }

  /// Without an order, the lines of the store attached first come first.
  private func concatenation(
    of request: BoundRequest, _ columns: ValueColumns, from stores: [StoreID]
  ) throws -> ValueRows {
    var whole = request
    whole.offset = 0
    whole.limit = columns.isDistinct ? nil : request.limit?.addingWithoutOverflow(request.offset)
    var lines = LineWindow(request, columns)
    for store in stores where !lines.isFull {
      let rows = try self.values(whole.query(.values(columns)), columns, from: store)
      for line in 0..<rows.count { lines.append(rows[line]) }
    }
    return lines.rows
  }

  /// Each store's lines come with what they are sorted by, and one order is made of all.
  private func merge(
    of request: BoundRequest, _ columns: ValueColumns, from stores: [StoreID]
  ) throws -> ValueRows {
    let sorts = request.order.map { BoundExpression.path(.evaluatedObject, $0.steps) }
    let wide = ValueColumns(columns.columns + sorts)
    var whole = request
    whole.offset = 0
    whole.limit = columns.isDistinct ? nil : request.limit?.addingWithoutOverflow(request.offset)
    let width = columns.columns.count
    let answers = try stores.map { try self.values(whole.query(.values(wide)), wide, from: $0) }
    let subjects = answers.flatMap { rows in (0..<rows.count).map { LineSubject(rows[$0]) } }
    let order = SubjectOrder(
      request.order.enumerated().map { number, sort in
        BoundSort(
          steps: [.attribute(.column(width + number))], ascending: sort.ascending,
          comparison: sort.comparison,
          comparator: sort.comparator)
      })
    var lines = LineWindow(request, columns)
    for subject in try order.sorted(subjects) {
      if lines.isFull { break }
      lines.append(subject.values.prefix(width))
    }
    return lines.rows
  }
}

/// Lines one after another: repeated ones left out where they must be, then offset and limit.
struct LineWindow {
  private(set) var rows: ValueRows
  private var skipped: Int
  private let limit: Int
  private var seen: DistinctLines?

  init(width: Int, offset: Int, limit: Int?, isDistinct: Bool) {
    self.rows = ValueRows(width: width)
    self.skipped = offset
    self.limit = limit ?? .max
    self.seen = isDistinct ? DistinctLines() : nil
  }

  init(_ request: BoundRequest, _ columns: ValueColumns) {
    self.init(
      width: columns.columns.count, offset: request.offset, limit: request.limit,
      isDistinct: columns.isDistinct)
  }

  var isFull: Bool { self.rows.count >= self.limit }

  mutating func append(_ line: some Collection<Value>) {
    if self.isFull || self.seen?.insert(line) == false { return }
    if self.skipped > 0 { self.skipped -= 1 } else { self.rows.append(line) }
  }
}

extension StoreQuery.Shape {
  /// The paths from the rows to what the columns are made of.
  fileprivate var paths: [[BoundStep]] {
    var paths: [[BoundStep]] = []
    for expression in self.expressions {
      _ = expression.replacing { part in
        if case .path(.evaluatedObject, let steps) = part { paths.append(steps) }
        return nil
      }
    }
    return paths
  }
}
