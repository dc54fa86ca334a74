extension FetchedPropertyPlan {
  /// Why a stored question has no plan, in words.
  struct Refusal: Error, Hashable {
    let reason: String
  }

  /// Splits a condition into keys to look up and a rest that is the same for every source.
  ///
  /// A key is a term `attribute == $FETCH_SOURCE.path` of the top-level AND, either side first, without
  /// options or modifier. A rest that mentions `$FETCH_SOURCE` differs from source to source: no plan.
  static func analyse(
    _ predicate: FetchPredicate?, destination: String, source: String, in index: DraftIndex
  ) -> Result<FetchedPropertyPlan, Refusal> {
    guard let predicate else {
      return .failure(Refusal(reason: "the question has no condition, so every source sees the same rows"))
    }
    var keys: [Key] = []
    var residual: [FetchPredicate] = []
    for term in self.terms(of: predicate) {
      if let key = self.key(of: term, destination: destination, source: source, in: index) {
        if !keys.contains(key) { keys.append(key) }
      } else if term.freeVariables.contains("FETCH_SOURCE") {
        return .failure(
          Refusal(
            reason: "the term (\(term)) depends on the source, and is no equality between an attribute of "
              + "\(destination) and a path of to-one steps from $FETCH_SOURCE to an attribute"))
      } else {
        residual.append(term)
      }
    }
    guard !keys.isEmpty else {
      return .failure(Refusal(reason: "no term mentions $FETCH_SOURCE, so every source sees the same rows"))
    }
    let rest: FetchPredicate? =
      switch residual.count {
      case 0: nil
      case 1: residual[0]
      default: .and(residual)
      }
    return .success(FetchedPropertyPlan(keys: keys, residual: rest))
  }

  /// An AND inside an AND adds its terms to it.
  private static func terms(of predicate: FetchPredicate) -> [FetchPredicate] {
    if case .and(let terms) = predicate { terms.flatMap(self.terms(of:)) } else { [predicate] }
  }

  private static func key(
    of term: FetchPredicate, destination: String, source: String, in index: DraftIndex
  ) -> Key? {
    guard case .comparison(let comparison) = term, comparison.operator == .equal,
      comparison.modifier == .direct, comparison.options.isEmpty
    else { return nil }
    for (one, other) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
      guard let attribute = self.attribute(one, of: destination, in: index),
        case .path(.variable("FETCH_SOURCE"), let path) = other,
        self.endsInAttribute(path, from: source, in: index)
      else { continue }
      return Key(attribute: attribute, sourcePath: path)
    }
    return nil
  }

  /// The stored attribute of the destination that an operand names by itself.
  private static func attribute(
    _ expression: FetchExpression, of destination: String, in index: DraftIndex
  ) -> String? {
    let name: String
    switch expression {
    case .keyPath(let keys) where keys.count == 1: name = keys[0]
    case .path(.evaluatedObject, let keys) where keys.count == 1: name = keys[0]
    default: return nil
    }
    guard let attribute = index.property(named: name, of: destination)?.property as? AttributeDescription,
      !attribute.isTransient, attribute.type.slotKind != nil
    else { return nil }
    return name
  }

  private static func endsInAttribute(_ path: [String], from source: String, in index: DraftIndex) -> Bool {
    var entity = source
    for (place, key) in path.enumerated() {
      let property = index.property(named: key, of: entity)?.property
      if property is AttributeDescription { return place == path.count - 1 }
      guard let relationship = property as? RelationshipDescription, !relationship.isToMany else {
        return false
      }
      entity = relationship.destination
    }
    return false
  }
}
