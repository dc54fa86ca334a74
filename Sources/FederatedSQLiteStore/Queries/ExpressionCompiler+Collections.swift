internal import FederatedModel

/// Collections: the rows of to-many paths, filtered by subqueries, counted, added up.
extension PredicateCompiler {
  /// Whether some element of a collection passes a test.
  mutating func exists(
    _ collection: SQLCollection, in scope: inout SQLScope,
    _ test: (inout PredicateCompiler, SQLOperand, inout SQLScope) -> SQLCondition?
  ) -> SQLCondition? {
    guard var rows = self.open(collection, in: &scope), let condition = test(&self, rows.element, &scope)
    else { return nil }
    rows.conditions.append(condition)
    let frame = scope.pop()
    guard let from = self.from(frame, rows) else { return .never }
    return .test("EXISTS (SELECT 1" + from + ")")
  }

  /// `@count`, `@sum.key` and their kin, over the rows of a collection.
  mutating func gather(
    _ collectionOperator: CollectionOperator, _ steps: ArraySlice<BoundStep>, over collection: SQLCollection,
    in scope: inout SQLScope
  ) -> SQLOperand? {
    var collection = collection
    collection.rest += steps.map { .step($0) }
    switch collectionOperator {
    case .count: return self.gather(.count, over: collection, in: &scope)
    case .sum: return self.gather(.sum, over: collection, in: &scope)
    case .average: return self.gather(.average, over: collection, ofNothing: .zero, in: &scope)
    case .minimum: return self.gather(.min, over: collection, in: &scope)
    case .maximum: return self.gather(.max, over: collection, in: &scope)
    default: return nil
    }
  }

  /// What an average of no elements is: nil for the function, 0 for the collection operator.
  enum AverageOfNothing { case null, zero }

  /// A statistic over the elements of a collection.
  mutating func gather(
    _ function: FetchFunction, over collection: SQLCollection, ofNothing nothing: AverageOfNothing = .null,
    in scope: inout SQLScope
  ) -> SQLOperand? {
    guard let rows = self.open(collection, in: &scope) else { return nil }
    var answer = SQLExpression(fragment: SQLFragment("COUNT(*)"), kind: .int, bits: 64)
    if function != .count {
      guard let element = self.expression(rows.element),
        let statistic = self.statistic(function, of: element, ofNothing: nothing)
      else { return nil }
      answer = statistic
    }
    let frame = scope.pop()
    let from = self.from(frame, rows) ?? SQLFragment(" WHERE 0")
    answer.fragment = "(SELECT " + answer.fragment + from + ")"
    return .expression(answer)
  }

  /// SQLite's own extremes where its order of the cells is the language's; else the evaluator's code, which
  /// counts nil as 0 in sums and keeps whole numbers whole.
  private func statistic(
    _ function: FetchFunction, of element: SQLExpression, ofNothing nothing: AverageOfNothing
  ) -> SQLExpression? {
    var answer = element
    answer.isColumn = false
    switch (function, element.kind) {
    case (.min, .exact), (.max, .exact): break
    case (.min, let kind) where kind.isNumber || kind.isText || kind == .date:
      answer.fragment = "MIN(" + element.fragment + ")"
      return element.mayBeNaN ? nil : answer
    case (.max, let kind) where kind.isNumber || kind.isText || kind == .date:
      answer.fragment = "MAX(" + element.fragment + ")"
      return element.mayBeNaN ? nil : answer
    case (.sum, let kind) where kind.isNumber:
      (answer.kind, answer.bits) = (kind == .exact ? .exact : .number, kind.isWhole ? 128 : .max)
      answer.mayBeNaN = !kind.isWhole
    case (.average, let kind) where kind.isNumber, (.median, let kind) where kind.isNumber:
      (answer.kind, answer.bits) = (kind == .exact ? .exact : .number, .max)
      answer.mayBeNaN = !kind.isWhole
    default: return nil
    }
    let code = ValueFunctions.code(function, element.kind)
    let gathered = "\(ValueFunctions.gather)(\(code), " + element.fragment + ")"
    let isZero = function == .sum || (function == .average && nothing == .zero)
    answer.fragment = isZero ? "IFNULL(" + gathered + ", 0)" : gathered
    return answer
  }

  // MARK: Rows

  /// The rows of a subquery whose frame has been entered.
  struct Rows {
    /// What ties the first row to its owner.
    let link: String
    var conditions: [SQLCondition] = []
    /// What each row is asked for.
    var element: SQLOperand
  }

  /// ` FROM … WHERE …`; nil when there can be no row.
  private func from(_ frame: SQLFrame, _ rows: Rows) -> SQLFragment? {
    guard let table = self.context.layout.table(of: frame.entity) else { return nil }
    var text = SQLFragment(
      " FROM \(table.name.quotedName) AS \(frame.alias)\(frame.joinText) WHERE \(rows.link)"
        + (table.ownRows(frame.alias).map { " AND " + $0 } ?? ""))
    for condition in rows.conditions {
      switch condition {
      case .always: continue
      case .never: return nil
      case .test(let fragment): text = text + " AND " + fragment
      }
    }
    return text
  }

  /// Enters a subquery over the rows of a collection; the caller leaves it.
  /// - Returns: nil when the relationship is not in the file, or SQL cannot say a stage of the way.
  private mutating func open(_ collection: SQLCollection, in scope: inout SQLScope) -> Rows? {
    let alias = self.context.alias()
    guard let link = self.link(collection.relationship, from: collection.owner, to: alias) else { return nil }
    let destination = collection.relationship.destination
    let frame = scope.push(SQLFrame(alias: alias, entity: destination))
    var rows = Rows(link: link, element: .row(SQLRow(entity: destination, alias: alias, frame: frame)))
    for (index, stage) in collection.rest.enumerated() {
      let isLast = index == collection.rest.count - 1
      switch (stage, rows.element) {
      case (.filter(let variable, let predicate), _):
        scope.bind(variable, to: rows.element)
        defer { scope.unbind() }
        guard let condition = self.condition(predicate, in: &scope) else { return nil }
        rows.conditions.append(condition)
      case (.step(.toMany(let relationship)), .row(let row)):
        guard let next = self.join(relationship, to: row, &rows.conditions, in: &scope) else { return nil }
        rows.element = .row(next)
      case (.step(let step), _):
        guard let next = self.follow(step, from: rows.element, isLast: isLast, in: &scope) else { return nil }
        rows.element = next
      }
    }
    return rows
  }

  /// A second to-many: its rows are joined to those of the first. A missing row answers with one nil, as it
  /// does in memory.
  private mutating func join(
    _ relationship: BoundRelationship, to row: SQLRow, _ conditions: inout [SQLCondition],
    in scope: inout SQLScope
  ) -> SQLRow? {
    let alias = self.context.alias()
    guard let link = self.link(relationship, from: row, to: alias),
      let table = self.context.layout.table(of: relationship.destination),
      let owner = self.context.layout.table(of: row.entity)?.key.parts(row.alias)[0]
    else { return nil }
    scope.join(alias, of: table, on: link, in: row.frame, keepsOwner: row.isNullable)
    if row.isNullable {
      let key = table.key.parts(alias)[0]
      conditions.append(.test(SQLFragment("(\(owner) IS NULL OR \(key) IS NOT NULL)")))
    }
    return SQLRow(
      entity: relationship.destination, alias: alias, frame: row.frame, isNullable: row.isNullable)
  }

  /// What ties the rows of a to-many, under an alias, to their owner.
  private mutating func link(_ relationship: BoundRelationship, from owner: SQLRow, to alias: String)
    -> String?
  {
    guard let table = self.context.layout.table(of: relationship.destination),
      let key = self.context.layout.table(of: owner.entity)?.key.parts(owner.alias),
      let place = self.context.layout[relationship.entity],
      place.relationships.indices.contains(relationship.index)
    else { return nil }
    switch place.relationships[relationship.index] {
    case .none, .column: return nil
    case .inverse(_, let back, _): return back.matches(alias, key)
    case .join(let join):
      let pair = self.context.alias()
      let members = join.member.parts(pair).joined(separator: ", ")
      return "\(table.key.row(alias)) IN (SELECT \(members) FROM \(join.table.quotedName) AS \(pair) WHERE "
        + "\(join.owner.matches(pair, key)))"
    }
  }
}
