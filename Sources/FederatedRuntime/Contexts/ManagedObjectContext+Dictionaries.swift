public import FederatedModel
internal import FederatedStore

extension ManagedObjectContext {
  /// The saved rows that a request finds, or groups of them, as values by name. Unsaved changes take no part.
  ///
  /// The columns are the request's `propertiesToFetch`, or every attribute; a to-one answers an identifier, and nil is
  /// left out. An aggregate, such as `sum(total)`, is taken over all rows, or over each group of
  /// `propertiesToGroupBy`; then `havingPredicate`, order, `returnsDistinctResults`, offset and limit are about groups.
  /// Without an order, groups come in the order of their keys.
  ///
  /// ```swift
  /// var request = FetchRequest("Invoice", order: [.descending("total")], limit: 10)
  /// request.propertiesToFetch = ["customerNumber", .expression(try ExpressionDescription("total", "sum(total)"))]
  /// request.propertiesToGroupBy = ["customerNumber"]
  /// request.havingPredicate = try FetchPredicate(format: "total > 1000")
  /// let best = try context.dictionaries(for: request)
  /// ```
  /// - Throws: ``ManagedObjectError`` for a column that is neither attribute nor to-one, or is not grouped among groups,
  ///   ``FetchPredicateError`` for an expression that cannot be asked, ``StoreError`` from a store.
  public func dictionaries(for request: FetchRequest) throws -> [[String: Value]] {
    try self.throwKeptError()
    try self.check(request, answers: .dictionaries)
    let (lines, plan) = try self.lines(for: request)
    return (0..<lines.count).map { number in
      var values: [String: Value] = [:]
      for (column, value) in zip(plan.columns, lines[number]) where !value.isNull {
        values[column.name] = value
      }
      return values
    }
  }

  /// How many dictionaries ``dictionaries(for:)`` would answer.
  func dictionaryCount(for request: FetchRequest) throws -> Int {
    if request.propertiesToGroupBy?.isEmpty != false, !request.returnsDistinctResults,
      request.propertiesToFetch == nil, request.havingPredicate == nil
    {
      let fetch = try ResolvedFetch(try self.withoutLinks(request), in: self)
      return try self.reading { try $0.count(fetch.bound(under: nil)) }
    }
    return try self.lines(for: request).lines.count
  }

  private func lines(for request: FetchRequest) throws -> (lines: ValueRows, plan: ColumnPlan) {
    let request = try self.withoutLinks(request)
    var rows = request
    // Columns may be sorted by, which rows do not have.
    rows.sortDescriptors = []
    let fetch = try ResolvedFetch(rows, in: self)
    let plan = try ColumnPlan(request, fetch.entity, in: self.model)
    var bound = fetch.unwindowed(under: nil)
    let finish = ColumnFinish(plan, fetch)
    if let grouping = plan.grouping {
      return (try finish.lines(of: try self.reading { try $0.groups(bound, grouping) }), plan)
    }
    let expressions = plan.columns.map(\.expression)
    if let order = plan.storeOrder {
      bound = fetch.bound(under: nil)
      bound.order = order
      let columns = ValueColumns(expressions, isDistinct: plan.isDistinct)
      return (try finish.typed(try self.reading { try $0.values(bound, columns) }), plan)
    }
    let columns = ValueColumns(expressions + plan.order.map(\.expression))
    return (try finish.sorted(try self.reading { try $0.values(bound, columns) }), plan)
  }
}
