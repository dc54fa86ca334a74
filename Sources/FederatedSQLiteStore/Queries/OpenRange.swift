internal import FederatedModel
internal import FederatedStore

extension BoundPredicate {
  /// Whether the term asks for everything above or below a constant, of an attribute that an index begins with.
  ///
  /// SQLite takes such a range for a quarter of the table, and rather goes through all rows, in the order of their keys,
  /// than to sort what the index finds. Whoever declares an index means it to be used.
  func isOpenRange(ofIndexIn entity: Entity, _ model: ManagedObjectModel) -> Bool {
    guard case .comparison(let comparison) = self, comparison.options.isEmpty else { return false }
    switch comparison.operator {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: break
    default: return false
    }
    let name: String
    switch (comparison.left.ownAttribute, comparison.left, comparison.right.ownAttribute, comparison.right) {
    case (let attribute?, _, _, .constant): name = attribute.name
    case (_, .constant, let attribute?, _): name = attribute.name
    default: return false
    }
    // The order of decimals takes more than a comparison of cells, which no index finds.
    guard let attribute = entity.attribute(named: name), attribute.type != .decimal else { return false }
    return model[attribute.declaringEntity].beginsIndex(with: name) || entity.beginsIndex(with: name)
  }
}

extension BoundExpression {
  /// The attribute that the expression is; nil for others, and for those behind a relationship.
  fileprivate var ownAttribute: BoundAttribute? {
    guard case .path(.evaluatedObject, let steps) = self, steps.count == 1,
      case .attribute(let attribute) = steps[0]
    else { return nil }
    return attribute
  }
}

extension Entity {
  /// Whether an index of the entity finds rows by the attribute alone.
  fileprivate func beginsIndex(with name: String) -> Bool {
    self.attribute(named: name)?.description.isIndexed == true
      || self.description.uniquenessConstraints.contains { $0.first == name }
      || self.description.compoundIndexes.contains { $0.first == name }
      || self.description.indexes.contains { index in
        index.partialPredicateFormat == nil && index.elements.first?.property == name
          && index.elements.allSatisfy { $0.kind == "Binary" }
      }
  }
}
