internal import FederatedModel
internal import FederatedStore

/// A SELECT of the rows of one key, compiled once and run again with other keys.
///
/// A link that is read owner by owner asks one question again and again, and only the key is another. Compiling
/// it anew, looking its text up and making a reader would cost more than the look-up itself.
final class KeyedSelect {
  private let question: StoreQuery
  private let attributes: [BoundAttribute]
  /// What runs it; nil when one statement does not answer the question, so that nobody tries again.
  let runner: Runner?

  init(_ question: StoreQuery, _ keys: LinkKeys, _ runner: Runner?) {
    self.question = question
    self.attributes = keys.attributes
    self.runner = runner
  }

  /// Whether the query asks the same but for the key's values.
  func answers(_ query: StoreQuery, _ keys: LinkKeys) -> Bool {
    self.question.entity == query.entity && self.question.limit == query.limit
      && self.question.offset == query.offset
      && self.question.includesSubentities == query.includesSubentities
      && self.attributes == keys.attributes && self.question.order == query.order
      && self.question.predicate == query.predicate
  }

  /// A statement that answers the question whole, and what reads its rows.
  struct Runner {
    let statement: Statement
    let readsOneTable: Bool
    let reader: RowReader
    /// The columns of the key. Their values are the first bindings.
    let columns: [ColumnOperand]
    /// What the statement binds behind the key.
    let rest: [SQLValue]
  }
}

extension SQLiteReadScope {
  /// The rows of a query for one key, by a statement that other keys use too.
  /// - Returns: nil for other queries, and where one statement is not enough.
  func rowsOfKey(_ query: StoreQuery, _ place: EntityPlace) throws(StoreError) -> RowSet? {
    guard let keys = query.keys, keys.keys.count == 1, case .rows = query.shape, query.references == nil,
      self.measured == nil, !self.countsVisits
    else { return nil }
    let connection = try self.reading()
    if let known = connection.keyedSelect(where: { $0.answers(query, keys) }) {
      guard let runner = known.runner, !runner.statement.isInUse,
        let cells = self.cells(of: keys.keys[0], runner.columns)
      else { return nil }
      return try self.rows(of: runner, cells, connection)
    }
    let compiler = PredicateCompiler(context: self.sqlite.compiler.context)
    guard let columns = compiler.columns(of: keys), let cells = self.cells(of: keys.keys[0], columns) else {
      return nil
    }
    let runner = try self.runner(of: query, place, columns, cells, connection)
    connection.keep(KeyedSelect(query, keys, runner))
    return try runner.map { (runner) throws(StoreError) in try self.rows(of: runner, cells, connection) }
  }

  /// The key as the columns would hold it; nil for one that is not compared with `=`.
  private func cells(of key: [Value], _ columns: [ColumnOperand]) -> [SQLValue]? {
    var cells: [SQLValue] = []
    cells.reserveCapacity(columns.count)
    for (column, value) in zip(columns, key) {
      let constant = ColumnConstant(value, for: column, store: self.store, model: self.sqlite.model)
      guard case .value(let cell)? = constant else { return nil }
      cells.append(cell)
    }
    return cells
  }

  /// - Returns: nil when the question takes more than one statement.
  private func runner(
    of query: StoreQuery, _ place: EntityPlace, _ columns: [ColumnOperand], _ cells: [SQLValue],
    _ connection: Connection
  ) throws(StoreError) -> KeyedSelect.Runner? {
    let plan = self.sqlite.plan(of: query, place)
    let select = self.sqlite.compiler.compile(query, place, .rows(plan))
    guard select.isComplete, !select.isNever, select.lists.isEmpty, select.pushedKeys != nil,
      select.fragment.bindings.starts(with: cells)
    else { return nil }
    return KeyedSelect.Runner(
      statement: try connection.ownStatement(select.fragment.text), readsOneTable: select.readsOneTable,
      reader: RowReader(plan, file: self.sqlite.url), columns: columns,
      rest: Array(select.fragment.bindings.dropFirst(cells.count)))
  }

  private func rows(
    of runner: KeyedSelect.Runner, _ key: [SQLValue], _ connection: Connection
  ) throws(StoreError) -> RowSet {
    self.sqlite.counters.count(statements: 1)
    try connection.countQuestion(scans: runner.readsOneTable)
    let (statement, reader) = (runner.statement, runner.reader)
    statement.begin()
    defer { statement.reset() }
    for (index, cell) in key.enumerated() { try statement.bind(cell, at: index + 1) }
    for (index, cell) in runner.rest.enumerated() { try statement.bind(cell, at: key.count + index + 1) }
    do {
      while try statement.step() { try reader.read(statement) }
    } catch {
      // The reader is used again, and must not hold rows of a run that failed.
      _ = reader.finish()
      throw error
    }
    self.sqlite.counters.count(rowsRead: reader.count)
    return reader.finish()
  }
}
