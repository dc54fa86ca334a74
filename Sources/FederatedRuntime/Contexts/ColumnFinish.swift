import FederatedModel
import FederatedStore

/// Makes the lines of a dictionary request from what all stores together have answered.
struct ColumnFinish {
  private let plan: ColumnPlan
  private let fetch: ResolvedFetch

  init(_ plan: ColumnPlan, _ fetch: ResolvedFetch) {
    self.plan = plan
    self.fetch = fetch
  }

  /// Groups as lines: aggregates finished, the condition on groups asked, then order, distinctness and window.
  func lines(of table: GroupTable) throws -> ValueRows {
    let having = try self.plan.having.map { try PreparedPredicate($0) }
    var groups: [LineSubject] = []
    for group in table.groups {
      var line = group.keys
      for (aggregate, state) in zip(table.grouping.aggregates, group.states) {
        line.append(try state.result(of: aggregate))
      }
      let subject = LineSubject(line[...])
      if try having?.evaluate(subject) ?? true { groups.append(subject) }
    }
    let keys = table.grouping.keys.count
    groups.sort { a, b in
      for (a, b) in zip(a.values.prefix(keys), b.values.prefix(keys)) {
        let order = SubjectOrder.order(a, b)
        if order != 0 { return order < 0 }
      }
      return false
    }
    let expressions = try (self.plan.columns.map(\.expression) + self.plan.order.map(\.expression)).map {
      try PreparedExpression($0)
    }
    var lines = ValueRows(width: expressions.count)
    for group in groups { lines.append(try expressions.map { try $0.value(of: group) }) }
    return try self.sorted(lines)
  }

  /// Lines that end with what they are sorted by, sorted and without it; ties stay as they are.
  func sorted(_ lines: ValueRows) throws -> ValueRows {
    let width = self.plan.columns.count
    let order = SubjectOrder(
      self.plan.order.enumerated().map { number, sort in
        BoundSort(
          steps: [.attribute(.column(width + number))], ascending: sort.ascending,
          comparison: sort.comparison,
          comparator: sort.comparator)
      })
    let limit = self.fetch.request.fetchLimit
    var window = LineWindow(
      width: width, offset: self.fetch.request.fetchOffset, limit: limit == 0 ? nil : limit,
      isDistinct: self.plan.isDistinct)
    for subject in try order.sorted((0..<lines.count).map { LineSubject(lines[$0]) }) {
      if window.isFull { break }
      window.append(subject.values.prefix(width))
    }
    return try self.typed(window.rows)
  }

  /// The lines with each column in the kind that it was asked in.
  func typed(_ lines: ValueRows) throws -> ValueRows {
    if self.plan.columns.allSatisfy({ $0.resultType == nil }) { return lines }
    var typed = ValueRows(width: lines.width)
    for number in 0..<lines.count {
      typed.append(try zip(self.plan.columns, lines[number]).map { try self.typed($1, as: $0) })
    }
    return typed
  }

  private func typed(_ value: Value, as column: ColumnPlan.Column) throws -> Value {
    guard let type = column.resultType else { return value }
    switch (type, value) {
    case (.double, .int(let int)), (.float, .int(let int)): return .double(Double(int))
    default: break
    }
    if let normalized = type.normalized(value) { return normalized }
    throw ManagedObjectError(
      .wrongType, entity: self.fetch.entity.name, property: column.name,
      "the result \(value) cannot be kept as \(type) without loss; choose another resultType, or round it in the "
        + "expression")
  }
}
