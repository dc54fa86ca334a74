extension BoundPredicate {
  /// The destinations of links that the predicate reads something of, beside their identity: what it answers can
  /// change when objects of these entities do.
  package var followedEntities: Set<EntityID> {
    var found: Set<EntityID> = []
    self.collectFollowed(into: &found)
    return found
  }

  fileprivate func collectFollowed(into found: inout Set<EntityID>) {
    switch self {
    case .constant: return
    case .comparison(let comparison):
      comparison.left.collectFollowed(into: &found, isRead: false)
      comparison.right.collectFollowed(into: &found, isRead: false)
    case .and(let terms), .or(let terms):
      for term in terms { term.collectFollowed(into: &found) }
    case .not(let term): term.collectFollowed(into: &found)
    case .block(let bound):
      for operand in bound.operands { operand.collectFollowed(into: &found, isRead: false) }
    }
  }
}

extension BoundSort {
  /// The destinations of the links on the way to what is sorted by.
  package var followedEntities: Set<EntityID> {
    var found: Set<EntityID> = []
    BoundStep.collectFollowed(self.steps, into: &found, isRead: false)
    return found
  }
}

extension BoundExpression {
  /// - Parameter isRead: whether something around the expression reads more than the identity of its objects.
  fileprivate func collectFollowed(into found: inout Set<EntityID>, isRead: Bool) {
    switch self {
    case .constant, .evaluatedObject, .variable: return
    case .path(let root, let steps):
      root.collectFollowed(into: &found, isRead: true)
      BoundStep.collectFollowed(steps, into: &found, isRead: isRead)
    case .index(let list, let index):
      list.collectFollowed(into: &found, isRead: isRead)
      if case .at(let place) = index { place.collectFollowed(into: &found, isRead: isRead) }
    case .function(_, let arguments):
      for argument in arguments { argument.collectFollowed(into: &found, isRead: isRead) }
    case .aggregate(let elements):
      for element in elements { element.collectFollowed(into: &found, isRead: isRead) }
    case .subquery(let list, _, let predicate):
      list.collectFollowed(into: &found, isRead: true)
      predicate.collectFollowed(into: &found)
    case .conditional(let test, let yes, let no):
      test.collectFollowed(into: &found)
      yes.collectFollowed(into: &found, isRead: isRead)
      no.collectFollowed(into: &found, isRead: isRead)
    case .setOperation(_, let left, let right):
      left.collectFollowed(into: &found, isRead: isRead)
      right.collectFollowed(into: &found, isRead: isRead)
    }
  }
}

extension BoundStep {
  fileprivate static func collectFollowed(
    _ steps: [BoundStep], into found: inout Set<EntityID>, isRead: Bool
  ) {
    for (place, step) in steps.enumerated() where isRead || place < steps.count - 1 {
      switch step {
      case .toOne(let relationship), .toMany(let relationship): found.insert(relationship.destination)
      case .attribute, .identity, .length, .collectionOperator, .key: continue
      }
    }
  }
}
