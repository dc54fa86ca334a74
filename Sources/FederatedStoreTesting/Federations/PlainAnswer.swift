import FederatedModel

/// What a question comes to: rows by number, lines, a count, or the code of an error.
enum QuestionOutcome: Equatable, CustomStringConvertible {
  case rows([Int])
  case count(Int)
  case lines([String])
  case refused(String)

  var description: String {
    switch self {
    case .rows(let numbers): "rows \(numbers)"
    case .count(let count): "the count \(count)"
    case .lines(let lines): "lines\n" + lines.map { "    " + $0 }.joined(separator: "\n")
    case .refused(let code): "the error \(code)"
    }
  }

  /// A line of dictionary results, the same for the same values wherever they come from. Of the two zeros either may be
  /// answered.
  static func line(_ values: [String: Value], _ number: (ManagedObjectID) -> Int?) -> String {
    values.filter { !$0.value.isNull }.sorted { $0.key < $1.key }.map { name, value in
      let text =
        if case .object(let id) = value { "row \(number(id) ?? -1)" } else { "\(value.asKey)" }
      return "\(name): \(text)"
    }.joined(separator: ", ")
  }
}

/// Answers questions over generated rows in the plainest way: each row is judged, rows are sorted by a plain comparison,
/// windows are slices, groups are dictionaries.
struct PlainAnswer {
  private let table: PlainTable
  private let model: ManagedObjectModel
  private let identifiers: [String: Value]

  init(_ table: PlainTable) {
    self.table = table
    self.model = table.model
    self.identifiers = Dictionary(
      uniqueKeysWithValues: table.numbers.map { ("row\($0)", .object(table.identifier(of: $0))) })
  }

  /// How many rows there are without the condition.
  func everything(_ question: GeneratedQuestion) -> Int {
    self.table.rows(of: question.entity, includingSubentities: question.includesSubentities).count
  }

  /// The rows that the condition chooses, in no order.
  /// - Throws: ``FetchPredicateError`` when it has no answer.
  func chosen(by question: GeneratedQuestion) throws -> [PlainRow] {
    let bound = try question.predicate.substituting(self.identifiers).bound(
      to: question.entity, in: self.model)
    let prepared = try PreparedPredicate(bound)
    return try self.table.rows(of: question.entity, includingSubentities: question.includesSubentities)
      .filter { try prepared.evaluate($0) }
  }

  /// - Parameter rank: which of two rows comes first that no sort key tells apart.
  func outcome(
    of question: GeneratedQuestion, chosen: [PlainRow], rank: (Int) -> Int
  ) throws -> QuestionOutcome {
    switch question.shape {
    case .count: return .count(self.window(chosen, question).count)
    case .objects, .identifiers:
      return .rows(self.window(self.sorted(chosen, question.sorts, rank), question).map(\.number))
    case .columns(let columns, let isDistinct):
      let rows = self.sorted(chosen, question.sorts, rank)
      let expressions = try columns.map { ($0.name, try self.expression($0, question.entity)) }
      var seen: Set<[MatchKey]> = []
      var lines: [[String: Value]] = []
      for row in rows {
        let values = try expressions.map { try $0.1.evaluate(row).plainValue }
        if isDistinct, !seen.insert(values.map { MatchKey($0.asKey) }).inserted { continue }
        lines.append(Dictionary(uniqueKeysWithValues: zip(expressions.map(\.0), values)))
      }
      return .lines(self.window(lines, question).map(self.line))
    case .groups(let keys, let aggregates, let having):
      return .lines(
        try self.window(self.groups(of: chosen, question, keys, aggregates, having), question).map(self.line))
    }
  }

  private func line(_ values: [String: Value]) -> String {
    QuestionOutcome.line(values) { Int($0.reference) }
  }

  private func expression(_ column: FetchColumn, _ entity: Entity) throws -> BoundExpression {
    switch column {
    case .property(let name):
      try FetchExpression.keyPath(name.split(separator: ".").map(String.init)).bound(
        to: entity, in: self.model)
    case .expression(let description): try description.expression.bound(to: entity, in: self.model)
    }
  }

  private func window<Element>(_ elements: [Element], _ question: GeneratedQuestion) -> ArraySlice<Element> {
    let rest = elements.dropFirst(question.offset)
    return question.limit == 0 ? rest : rest.prefix(question.limit)
  }

  private func sorted(
    _ rows: [PlainRow], _ sorts: [FetchSortDescriptor], _ rank: (Int) -> Int
  ) -> [PlainRow] {
    let keyed = rows.map { row in (row, sorts.map { row.value(at: $0.key) }) }
    return keyed.sorted { a, b in
      for (place, sort) in sorts.enumerated() {
        let order = PlainOrder.compare(a.1[place], b.1[place], by: sort.comparison)
        if order != 0 { return sort.ascending ? order < 0 : order > 0 }
      }
      return rank(a.0.number) < rank(b.0.number)
    }.map(\.0)
  }

  // MARK: Groups

  private func groups(
    of rows: [PlainRow], _ question: GeneratedQuestion, _ keys: [String],
    _ aggregates: [ExpressionDescription], _ having: FetchPredicate?
  ) throws -> [[String: Value]] {
    var members: [[Value]: [PlainRow]] = [:]
    for row in rows { members[keys.map { row.value(at: $0).asKey }, default: []].append(row) }
    if keys.isEmpty { members[[]] = rows }
    var lines: [(key: [Value], values: [String: Value])] = []
    for (key, rows) in members {
      var values = Dictionary(uniqueKeysWithValues: zip(keys, key))
      for aggregate in aggregates {
        guard
          case .function(let function, let operands) = try aggregate.expression.bound(
            to: question.entity, in: self.model)
        else { preconditionFailure("an aggregate is a function") }
        let bound = BoundAggregate(function, of: operands[0])
        var state = AggregateState(bound)
        for row in rows { try state.add(try operands[0].evaluate(row).plainValue) }
        values[aggregate.name] = try state.result(of: bound)
      }
      let subject = KeyedSubject(values.mapValues { .value($0) })
      if try having?.evaluate(subject) ?? true { lines.append((key, values)) }
    }
    return lines.sorted { a, b in
      for sort in question.sorts {
        let order = SubjectOrder.order(a.values[sort.key] ?? .null, b.values[sort.key] ?? .null)
        if order != 0 { return sort.ascending ? order < 0 : order > 0 }
      }
      for (a, b) in zip(a.key, b.key) {
        let order = SubjectOrder.order(a, b)
        if order != 0 { return order < 0 }
      }
      return false
    }.map(\.values)
  }
}

extension PredicateOperand {
  /// The operand as dictionary results have it.
  fileprivate var plainValue: Value {
    switch self {
    case .value(let value): value
    case .subject(let subject): subject.predicateIdentity.map { .object($0) } ?? .null
    case .collection(let elements, _): .list(elements.map(\.plainValue))
    }
  }
}
