internal import FederatedModel
internal import FederatedStore

extension SQLiteReadScope {
  func explain(_ query: StoreQuery) throws(StoreError) -> StoreExplanation {
    try self.explain(query, by: self.sqlite.compiler)
  }

  /// The answer comes from statements that count what they visit, as long as SQLite goes about them as about
  /// the plain ones.
  func run(
    explaining query: StoreQuery
  ) throws(StoreError) -> (answer: StoreAnswer, explanation: StoreExplanation) {
    var explanation = try self.explain(query)
    let connection = try self.reading()
    _ = connection.takeVisits()
    self.countsVisits = true
    defer {
      self.countsVisits = false
      self.measured = nil
    }
    self.countsVisits = try self.explain(query, by: self.compiler).plan == explanation.plan
    self.measured = StoreWork()
    let answer = try self.run(query)
    let visited = connection.takeVisits()
    self.measured?.rowsReturned = answer.rowCount
    self.measured?.rowsVisited = self.countsVisits ? visited : nil
    explanation.work = self.measured
    return (answer, explanation)
  }

  /// What compiles the statement of a query; never those of rows that its evaluation in memory leads to.
  var compiler: SelectCompiler {
    if !self.countsVisits { return self.sqlite.compiler }
    var compiler = self.sqlite.compiler
    compiler.countsVisits = true
    return compiler
  }

  // MARK: Counting

  func willMeasure(_ statement: Statement) {
    if self.measured == nil { return }
    for counter in [Statement.Counter.fullScanSteps, .sorts, .automaticIndexRows] {
      _ = statement.take(counter)
    }
  }

  func didRead(_ rows: Int, _ statement: Statement) {
    self.sqlite.counters.count(rowsRead: rows)
    guard var work = self.measured else { return }
    work.statements += 1
    work.rowsRead += rows
    work.fullScanSteps = (work.fullScanSteps ?? 0) + statement.take(.fullScanSteps)
    work.sorts = (work.sorts ?? 0) + statement.take(.sorts)
    work.automaticIndexRows = (work.automaticIndexRows ?? 0) + statement.take(.automaticIndexRows)
    self.measured = work
  }

  // MARK: The statement

  private func explain(
    _ query: StoreQuery, by compiler: SelectCompiler
  ) throws(StoreError) -> StoreExplanation {
    if query.shape.gathering != nil { return try self.explain(columns: query, by: compiler) }
    let place = try self.sqlite.place(of: query.entity)
    var select = compiler.compile(query, place, self.columns(of: query, place))
    if select.isNever { return StoreExplanation(statement: "nothing: no row can match") }
    let isComplete = select.isComplete
    if !isComplete { select = compiler.compile(query, place, .rows(self.sqlite.plan(of: query, place))) }
    var explanation = try self.explain(select)
    if query.sorts { explanation.order = select.pushesOrder ? .statement : .memory }
    if query.hasWindow {
      explanation.window = isComplete && query.shape != .count ? .statement : .memory
    }
    return explanation
  }

  /// Goes the ways of ``columns(_:_:_:)``.
  private func explain(
    columns query: StoreQuery, by compiler: SelectCompiler
  ) throws(StoreError) -> StoreExplanation {
    let place = try self.sqlite.place(of: query.entity)
    var select = compiler.compile(query, place, .cells(query.shape, isGrouped: true))
    if select.isNever { return StoreExplanation(statement: "nothing: no row can match") }
    guard let plan = select.cells, select.pushesOrder else {
      var explanation = try self.explain(query.overRows.rows, by: compiler)
      explanation.inMemory += query.shape.steps(after: nil)
      if query.hasWindow, !query.windowIsOfRows { explanation.window = .memory }
      return explanation
    }
    guard select.memoryTerms.isEmpty else {
      var steps = query.choosingRows
      // Whichever rows they will be, the statement is the same.
      steps.rest.references = [0]
      var explanation = try self.explain(steps.chosen, by: compiler)
      explanation.following = try self.explain(columns: steps.rest, by: compiler).statement
      explanation.inMemory += query.shape.steps(after: plan)
      if query.hasWindow { explanation.window = .memory }
      return explanation
    }
    if case .groups = query.shape, plan.grouping == nil {
      select = compiler.compile(query, place, .cells(query.shape, isGrouped: false))
    }
    var explanation = try self.explain(select)
    explanation.inMemory += query.shape.steps(after: plan)
    if query.sorts { explanation.order = .statement }
    if query.hasWindow { explanation.window = query.windowIsOfRows ? .statement : .memory }
    return explanation
  }

  private func explain(_ select: CompiledSelect) throws(StoreError) -> StoreExplanation {
    let connection = try self.reading()
    let lists = try self.fill(select.lists, connection)
    defer { self.release(lists) }
    let text = self.text(select, lists)
    var plan: [String] = []
    try connection.query("EXPLAIN QUERY PLAN " + text, select.fragment.bindings) { (row) throws(StoreError) in
      plan.append(row.string(3) ?? "")
    }
    var explanation = StoreExplanation(
      statement: text, bindings: select.fragment.bindings.map(\.value),
      pushed: select.pushedTerms.map { "\($0)" }, inMemory: select.memoryTerms.map { "\($0)" },
      index: self.index(in: plan))
    if let keys = select.pushedKeys { explanation.pushed.append(keys.summary) }
    explanation.tabledValues = select.lists.reduce(0) { $0 + $1.values.count }
    explanation.plan = plan
    return explanation
  }

  /// The index by which SQLite finds the rows of the entity's own table.
  private func index(in plan: [String]) -> String? {
    for step in plan {
      let words = step.split(separator: " ", maxSplits: 3)
      guard words.count == 4, words[1] == CompilationContext.root, words[2] == "USING" else { continue }
      return String(words[3])
    }
    return nil
  }
}

extension StoreQuery.Shape {
  /// What memory makes of the rows of a statement that selects the cells of a plan; nil selects whole rows.
  fileprivate func steps(after plan: CellPlan?) -> [String] {
    guard let plan else { return self.gathering.map { [$0] } ?? [] }
    switch self {
    case .rows, .identities, .count: return []
    case .values(let columns):
      let computed = zip(columns.columns, plan.expressions).filter { plan.cellPlace(of: $1) == nil }
      return computed.map { "\($0.0)" } + (columns.isDistinct ? ["distinct lines"] : [])
    case .groups: return plan.grouping == nil ? ["groups"] : []
    }
  }
}
