internal import FederatedModel
internal import FederatedStore

/// One SELECT, with what of its question it answers and what is left to memory.
struct CompiledSelect {
  var fragment: SQLFragment
  var lists: [KeyList]
  /// The parts of the predicate and order that the statement answers.
  var pushedTerms: [BoundPredicate] = []
  var memoryTerms: [BoundPredicate] = []
  /// The query's keys, when the statement answers them.
  var pushedKeys: LinkKeys?
  var pushesOrder = true
  /// What a query for columns or groups selects; nil for other queries, and where cells are not enough.
  var cells: CellPlan?
  /// Whether whole rows are needed for the columns.
  var needsRows = false
  /// Whether no row can match, so that nothing need be asked.
  var isNever = false

  /// Whether the statement answers the whole question.
  var isComplete: Bool { self.memoryTerms.isEmpty && self.pushesOrder && !self.needsRows }

  /// Whether no other table is looked into from row to row.
  var readsOneTable: Bool {
    !self.fragment.text.contains(" JOIN ") && !self.fragment.text.dropFirst().contains("SELECT")
  }
}

/// Turns a question into one SELECT.
///
/// Limits go into the statement only when the whole predicate and order do; else it answers every row that
/// the translatable terms admit, and memory does the rest.
struct SelectCompiler {
  let layout: TableLayout
  let model: ManagedObjectModel
  let store: StoreID
  /// Whether statements count the rows of their table that they go through.
  var countsVisits = false

  /// What of each row is selected.
  enum Columns {
    case rows(ReadPlan)
    case identities
    case count
    /// What columns or groups are made of; ungrouped, the statement answers rows where groups are wanted.
    case cells(StoreQuery.Shape, isGrouped: Bool)

    /// Whether rows come in an order.
    var areOrdered: Bool {
      switch self {
      case .rows, .identities, .cells(.values, _): true
      case .count, .cells: false
      }
    }
  }

  var context: CompilationContext {
    CompilationContext(layout: self.layout, model: self.model, store: self.store)
  }

  func compile(_ query: StoreQuery, _ place: EntityPlace, _ columns: Columns) -> CompiledSelect {
    let table = self.layout.tables[place.table]
    var compiler = PredicateCompiler(context: self.context)
    var scope = SQLScope(alias: CompilationContext.root, entity: query.entity)
    var select = CompiledSelect(fragment: SQLFragment(""), lists: [])
    var conditions = [self.entityCondition(query, place, table)]
    if self.countsVisits {
      conditions.insert(.test(SQLFragment("\(SQLFunctions.visit)(\(table.key.parts("t0")[0]))")), at: 0)
    }
    if let references = query.references {
      conditions.append(compiler.membership(of: table.key, "t0", in: references))
    }
    if let keys = query.keys {
      if let condition = compiler.condition(keys, table) {
        conditions.append(condition)
        select.pushedKeys = keys
      } else {
        select.memoryTerms.append(keys.predicate)
      }
    }
    for term in query.predicate?.conjuncts ?? [] {
      // A term that turns out not to be translatable must leave no join and no list behind.
      let before = (compiler, scope)
      if let condition = compiler.condition(term, in: &scope), scope.fits, condition.fits {
        conditions.append(condition)
        select.pushedTerms.append(term)
      } else {
        (compiler, scope) = before
        select.memoryTerms.append(term)
      }
    }
    var order: [String] = []
    for sort in query.order {
      let before = (compiler, scope)
      guard let text = compiler.order(sort, in: &scope), scope.fits else {
        (compiler, scope) = before
        select.pushesOrder = false
        break
      }
      order.append(text)
    }
    let rowsMatter = columns.areOrdered
    if !rowsMatter { select.pushesOrder = true }

    if case .cells(let shape, let isGrouped) = columns {
      let before = (compiler, scope)
      select.cells = CellPlan(shape, query.entity, &compiler, &scope)
      if !scope.fits { select.cells = nil }
      if select.cells == nil {
        (compiler, scope) = before
        select.needsRows = true
      } else if !isGrouped {
        select.cells = select.cells?.ungrouped
      }
    }
    let condition = SQLCondition.all(conditions)
    if case .never = condition { select.isNever = true }
    var fragment = SQLFragment(
      "SELECT \(select.cells?.text ?? self.text(columns, table)) FROM \(table.name.quotedName) AS t0\(scope.joinText)"
    )
    if case .test(let test) = condition { fragment = fragment + " WHERE " + test }
    if let terms = select.cells?.grouping?.terms, !terms.isEmpty {
      fragment.text += " GROUP BY \(terms.joined(separator: ", "))"
    }
    if rowsMatter {
      let key = table.key.reference("t0")
      // With a plus, the order of the keys no longer speaks for going through the whole table.
      let terms = (select.pushesOrder ? order : []) + [self.prefersIndex(query, select) ? "+\(key)" : key]
      fragment.text += " ORDER BY \(terms.joined(separator: ", "))"
      if select.isComplete, query.windowIsOfRows, query.limit != nil || query.offset > 0 {
        fragment =
          fragment
          + SQLFragment(
            " LIMIT ? OFFSET ?", [.int(query.limit.map(Int64.init) ?? -1), .int(Int64(query.offset))])
      }
    }
    select.fragment = fragment
    select.lists = compiler.context.lists
    if fragment.bindings.count > SelectCompiler.variableLimit {
      return self.unfiltered(query, select, columns, table, place)
    }
    return select
  }

  /// Whether an index should find the rows, although they have to be sorted then. In a window the first rows of a table
  /// may be all that is looked at.
  private func prefersIndex(_ query: StoreQuery, _ select: CompiledSelect) -> Bool {
    query.order.isEmpty && query.limit == nil && query.offset == 0
      && select.pushedTerms.contains { $0.isOpenRange(ofIndexIn: self.model[query.entity], self.model) }
  }

  /// The most bindings that SQLite takes in one statement unless it was built otherwise.
  static let variableLimit = 32_766

  /// Everything in memory: for predicates with more constants than a statement may have.
  private func unfiltered(
    _ query: StoreQuery, _ compiled: CompiledSelect, _ columns: Columns, _ table: Table, _ place: EntityPlace
  ) -> CompiledSelect {
    var plain = query
    plain.predicate = nil
    plain.limit = nil
    plain.offset = 0
    plain.order = []
    var select = self.compile(plain, place, columns)
    select.memoryTerms += query.predicate?.conjuncts ?? []
    select.pushesOrder = query.order.isEmpty
    return select
  }

  private func text(_ columns: Columns, _ table: Table) -> String {
    switch columns {
    case .rows(let plan): return plan.columnsText
    case .count: return "COUNT(*)"
    case .cells: return "1"
    case .identities:
      return table.key.reference("t0") + (table.discriminator.map { ", " + $0.number("t0") } ?? "")
    }
  }

  /// Leaves out rows of the table's other entities.
  private func entityCondition(_ query: StoreQuery, _ place: EntityPlace, _ table: Table) -> SQLCondition {
    let wanted = query.includesSubentities ? place.family : (place.holdsRows ? [place.entity] : [])
    guard let discriminator = table.discriminator else { return wanted.isEmpty ? .never : .always }
    if query.includesSubentities, place.familyFillsTable, !place.family.isEmpty { return .always }
    let numbers = wanted.compactMap { self.layout[$0]?.discriminatorValue }.sorted()
    if numbers.isEmpty { return .never }
    return .test(SQLFragment(discriminator.condition("t0", numbers)))
  }
}

extension BoundPredicate {
  /// The terms of the top-level AND.
  var conjuncts: [BoundPredicate] {
    if case .and(let terms) = self { return terms.flatMap(\.conjuncts) }
    return [self]
  }
}

extension LinkKeys {
  /// The same condition as a predicate.
  fileprivate var predicate: BoundPredicate {
    let paths = self.attributes.map { BoundExpression.path(.evaluatedObject, [.attribute($0)]) }
    func comparison(
      _ path: BoundExpression, _ operator: FetchPredicate.Operator, _ value: Value
    ) -> BoundPredicate {
      .comparison(.init(path, `operator`, .constant(value), modifier: .direct, options: []))
    }
    if paths.count == 1 { return comparison(paths[0], .in, .list(self.keys.map { $0[0] })) }
    return .or(self.keys.map { key in .and(zip(paths, key).map { comparison($0, .equal, $1) }) })
  }
}

extension PredicateCompiler {
  /// The columns that keys match; nil when the file does not have one of them.
  func columns(of keys: LinkKeys, _ alias: String = CompilationContext.root) -> [ColumnOperand]? {
    var columns: [ColumnOperand] = []
    for attribute in keys.attributes {
      guard let place = self.context.layout[attribute.entity]?.column(slot: attribute.slot) else {
        return nil
      }
      columns.append(ColumnOperand(place, alias: alias, type: attribute.type))
    }
    return columns
  }

  /// Rows whose columns equal one of the keys.
  /// - Returns: nil when SQLite would not compare one of them as the language does.
  mutating func condition(_ keys: LinkKeys, _ table: Table) -> SQLCondition? {
    guard let columns = self.columns(of: keys) else { return .never }
    var tuples: [SQLValue] = []
    var seen: Set<[SQLValue]> = []
    nextKey: for key in keys.keys {
      var tuple: [SQLValue] = []
      for (column, value) in zip(columns, key) {
        switch ColumnConstant(value, for: column, store: self.context.store, model: self.context.model) {
        case .null?: tuple.append(.null)
        case .value(let cell)?: tuple.append(cell)
        case .never?: continue nextKey
        case nil where column.encoding != .prefixedBlob: continue nextKey
        case nil: return nil
        }
      }
      if seen.insert(tuple).inserted { tuples += tuple }
    }
    if columns.count == 1 {
      let cells = tuples.filter { $0 != .null }
      let isNull: SQLCondition =
        cells.count < tuples.count ? .test(SQLFragment("\(columns[0].sql) IS NULL")) : .never
      return .any([self.membership(of: columns[0].equalitySQL(to: cells), cells: cells), isNull])
    }
    if tuples.isEmpty { return .never }
    if tuples.count == columns.count {
      return .all(
        zip(columns, tuples).map { column, cell in
          .test(
            cell == .null
              ? SQLFragment("\(column.sql) IS NULL")
              : SQLFragment("\(column.equalitySQL(to: [cell])) = ?", [cell]))
        })
    }
    let list = self.context.table(for: KeyList(width: columns.count, values: tuples))
    let matches = (self.columns(of: keys, "r") ?? []).enumerated().map { "k.v\($0) IS \($1.equalitySQL)" }
    let (own, others) = (table.key.row("t0"), table.key.parts("r").joined(separator: ", "))
    return .test(
      SQLFragment(
        "\(own) IN (SELECT \(others) FROM \(list) AS k JOIN \(table.name.quotedName) AS r ON "
          + "\(matches.joined(separator: " AND ")))"))
  }

  /// One term of ORDER BY; nil when SQLite's order is not the language's.
  mutating func order(_ sort: BoundSort, in scope: inout SQLScope) -> String? {
    guard sort.comparator == nil,
      case .column(let column)? = self.operand(
        sort.steps[...], from: scope.entity, alias: scope.alias, in: &scope),
      column.encoding.isSortable
    else { return nil }
    let sql: String
    switch (column.encoding, sort.comparison) {
    case (.decimal, _): sql = "\(SQLFunctions.decimalKey)(\(column.sql))"
    case (.text, _) where column.type != .string: sql = column.sql
    case (.text, .caseInsensitive):
      sql = "\(TextFunctions.orderKey)(\(column.sql), \(FetchPredicate.Options.caseInsensitive.rawValue))"
    case (.text, .localized), (.text, .localizedCaseInsensitive), (.text, .localizedStandard):
      sql = "\(column.sql) COLLATE \(TextFunctions.collation(sort.comparison))"
    default: sql = column.sql
    }
    return "\(sql)\(sort.ascending ? "" : " DESC")"
  }
}
