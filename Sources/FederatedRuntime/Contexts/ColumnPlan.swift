import FederatedModel

/// The columns of a dictionary request, resolved: what stores are asked, and what is made of their answer.
///
/// Without groups, expressions are asked of rows. With groups, they are asked of lines that begin with the keys and go on
/// with the aggregates, so a column may mix both: `sum(paid) / count(SELF)`.
struct ColumnPlan {
  struct Column {
    let name: String
    let expression: BoundExpression
    let resultType: AttributeType?
  }

  struct Sort {
    let expression: BoundExpression
    let ascending: Bool
    let comparison: FetchSortDescriptor.Comparison
    let comparator: SortComparator?
  }

  let columns: [Column]
  /// Nil when every row is a line of its own.
  let grouping: BoundGrouping?
  let having: BoundPredicate?
  let order: [Sort]
  let isDistinct: Bool

  /// - Throws: ``ManagedObjectError`` for columns that are none, ``FetchPredicateError`` for expressions that cannot be
  ///   asked.
  init(_ request: FetchRequest, _ entity: Entity, in model: ManagedObjectModel) throws {
    let names = ColumnNames(request, entity, model)
    let wanted = names.columns
    try names.checkDistinctness()
    let expressions = try wanted.map { try names.expression(of: $0) }
    let keys = try names.keys(expressions)
    let having = try names.havingPredicate()
    let sorts = try request.sortDescriptors.map { sort in
      Sort(
        expression: try names.expression(ofSort: sort), ascending: sort.ascending,
        comparison: sort.comparison,
        comparator: sort.comparator)
    }
    self.isDistinct = request.returnsDistinctResults && request.propertiesToFetch != nil
    let groups = !keys.isEmpty || expressions.contains(where: \.holdsAggregate)
    if !groups {
      guard having == nil else {
        throw ManagedObjectError(
          .invalidArgument, entity: entity.name,
          "a having condition is about groups; set propertiesToGroupBy, or put the condition into the predicate"
        )
      }
      if let sort = zip(request.sortDescriptors, sorts).first(where: { $0.1.expression.holdsAggregate })?.0 {
        throw ManagedObjectError(
          .invalidArgument, entity: entity.name, property: sort.key, "only groups are sorted by an aggregate")
      }
    }
    var lift = AggregateLift(entity, keys: keys)
    self.columns = try zip(wanted, expressions).map { column, expression in
      let lifted = groups ? try lift.lifted(expression, "column", column.name) : expression
      if lifted.isManyValued {
        throw ManagedObjectError(
          .invalidArgument, entity: entity.name, property: column.name,
          "has many values, and a column has one for each row; count or gather them, as @count and @sum do")
      }
      guard case .expression(let description) = column else {
        return Column(name: column.name, expression: lifted, resultType: nil)
      }
      return Column(name: column.name, expression: lifted, resultType: description.resultType)
    }
    guard groups else {
      (self.grouping, self.having, self.order) = (nil, nil, sorts)
      return
    }
    self.having = try having.map { try lift.lifted($0) }
    self.order = try zip(request.sortDescriptors, sorts).map { descriptor, sort in
      Sort(
        expression: try lift.lifted(sort.expression, "sort key", descriptor.key), ascending: sort.ascending,
        comparison: sort.comparison, comparator: sort.comparator)
    }
    self.grouping = BoundGrouping(keys: keys, aggregates: lift.aggregates)
  }

  /// The order as stores take it; nil when something computed is sorted by.
  var storeOrder: [BoundSort]? {
    var sorts: [BoundSort] = []
    for sort in self.order {
      guard case .path(.evaluatedObject, let steps) = sort.expression, steps.isSortPath else { return nil }
      sorts.append(
        BoundSort(
          steps: steps, ascending: sort.ascending, comparison: sort.comparison, comparator: sort.comparator))
    }
    return sorts
  }
}

extension [BoundStep] {
  /// To-ones that end in an attribute or in the object itself.
  fileprivate var isSortPath: Bool {
    self.dropLast().allSatisfy { if case .toOne = $0 { true } else { false } }
      && self.last.map { step in
        switch step {
        case .attribute, .identity: true
        default: false
        }
      } ?? false
  }
}

extension BoundExpression {
  /// Whether the expression is a statistic over one value of each row.
  var isAggregate: Bool {
    guard case .function(let function, let operands) = self, function.isStatistic, operands.count == 1 else {
      return false
    }
    return !operands[0].isManyValued && operands[0].readsRow && !operands[0].hasFreeVariable
  }

  /// Whether an aggregate stands somewhere in the expression.
  var holdsAggregate: Bool {
    var holds = false
    _ = self.replacing { part in
      holds = holds || part.isAggregate
      return holds ? part : nil
    }
    return holds
  }
}

/// Turns expressions over rows into expressions over the lines of groups.
struct AggregateLift {
  private let entity: Entity
  private let keys: [BoundExpression]
  private(set) var aggregates: [BoundAggregate] = []

  init(_ entity: Entity, keys: [BoundExpression]) {
    self.entity = entity
    self.keys = keys
  }

  /// - Parameters:
  ///   - kind: what the expression is, for messages.
  ///   - name: its name, for messages.
  /// - Throws: `invalidArgument` for something of a row that is neither grouped nor aggregated.
  mutating func lifted(_ expression: BoundExpression, _ kind: String, _ name: String) throws
    -> BoundExpression
  {
    try expression.replacing { try self.line($0, kind, name) }
  }

  mutating func lifted(_ predicate: BoundPredicate) throws -> BoundPredicate {
    try predicate.replacing { try self.line($0, "having condition", nil) }
  }

  private mutating func line(_ part: BoundExpression, _ kind: String, _ name: String?) throws
    -> BoundExpression?
  {
    if let key = self.keys.firstIndex(of: part) { return .column(key) }
    if part.isAggregate, case .function(let function, let operands) = part {
      guard !operands[0].holdsAggregate else {
        throw ManagedObjectError(
          .invalidArgument, entity: self.entity.name, property: name,
          "an aggregate stands inside another one; give the inner one a column of its own")
      }
      return .column(self.keys.count + self.number(of: BoundAggregate(function, of: operands[0])))
    }
    let read: String
    switch part {
    case .evaluatedObject: read = "SELF"
    case .path(.evaluatedObject, let steps): read = steps.compactMap(\.name).joined(separator: ".")
    default: return nil
    }
    throw ManagedObjectError(
      .invalidArgument, entity: self.entity.name, property: name ?? read,
      "the \(kind) needs \(read) of each row, and there is one line for each group; "
        + "add it to propertiesToGroupBy, or aggregate it, as max(\(read)) does")
  }

  private mutating func number(of aggregate: BoundAggregate) -> Int {
    if let known = self.aggregates.firstIndex(of: aggregate) { return known }
    self.aggregates.append(aggregate)
    return self.aggregates.count - 1
  }
}

extension BoundStep {
  fileprivate var name: String? {
    switch self {
    case .attribute(let attribute): attribute.name
    case .toOne(let relationship), .toMany(let relationship): relationship.name
    case .identity: "objectID"
    case .length: "length"
    case .collectionOperator(let gathering): gathering.rawValue
    case .key(let key): key
    }
  }
}
