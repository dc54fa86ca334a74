internal import FederatedModel
internal import FederatedStore

/// What a question looks at in a row before it knows whether the row is wanted, and whether it leaves the row.
struct NeededColumns {
  /// Slots of attributes.
  private(set) var slots: Set<Int> = []
  /// To-ones whose identity is a column of the answer.
  private(set) var destinations: Set<Int> = []
  /// The entities that links lead to.
  private(set) var followed: Set<EntityID> = []

  /// What tells whether a row is chosen.
  static func ofChoice(_ query: StoreQuery) -> NeededColumns {
    var needed = NeededColumns()
    if let predicate = query.predicate { needed.add(predicate) }
    for attribute in query.keys?.attributes ?? [] { needed.slots.insert(attribute.slot) }
    return needed
  }

  /// What the order and the columns of the answer are made of, besides.
  static func ofAnswer(_ query: StoreQuery) -> NeededColumns {
    var needed = NeededColumns.ofChoice(query)
    if query.sorts { for sort in query.order { needed.add(sort.steps) } }
    for expression in query.shape.expressions {
      if case .path(.evaluatedObject, let steps) = expression, steps.count == 1,
        case .toOne(let relationship) = steps[0]
      {
        needed.destinations.insert(relationship.slot)
      } else {
        needed.add(expression)
      }
    }
    return needed
  }

  private mutating func add(_ predicate: BoundPredicate) {
    switch predicate {
    case .constant: return
    case .comparison(let comparison):
      self.add(comparison.left)
      self.add(comparison.right)
    case .and(let terms), .or(let terms): for term in terms { self.add(term) }
    case .not(let term): self.add(term)
    case .block(let bound): for operand in bound.operands { self.add(operand) }
    }
  }

  private mutating func add(_ expression: BoundExpression) {
    switch expression {
    case .constant, .evaluatedObject, .variable: return
    case .path(let root, let steps):
      self.add(root)
      self.add(steps)
    case .index(let list, let index):
      self.add(list)
      if case .at(let place) = index { self.add(place) }
    case .function(_, let operands), .aggregate(let operands): for operand in operands { self.add(operand) }
    case .subquery(let list, _, let predicate):
      self.add(list)
      self.add(predicate)
    case .conditional(let test, let yes, let no):
      self.add(test)
      self.add(yes)
      self.add(no)
    case .setOperation(_, let left, let right):
      self.add(left)
      self.add(right)
    }
  }

  /// Slots behind a link are of another entity; to count them here too costs a column at most.
  private mutating func add(_ steps: [BoundStep]) {
    for step in steps {
      switch step {
      case .attribute(let attribute): self.slots.insert(attribute.slot)
      case .toOne(let relationship), .toMany(let relationship): self.followed.insert(relationship.destination)
      case .identity, .length, .collectionOperator, .key: continue
      }
    }
  }
}
