import FederatedModel

/// Predicate trees of archives.
extension ArchivedValue {
  /// - Parameter depth: how many levels may follow.
  /// - Throws: ``ModelFileError`` with `unsupportedObject` for a predicate that is not answered here.
  func predicate(depth: Int = ArchivedPredicateDepth.limit) throws(ModelFileError) -> FetchPredicate {
    guard depth > 0 else { throw self.tooDeep() }
    let depth = depth - 1
    switch try self.className() ?? "" {
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case "NSComparisonPredicate": return try self.comparison(depth)
    case "NSCompoundPredicate": return try self.compound(depth)
    case let name:
      throw self.error(
        .unsupportedObject,
        "The archive holds \(name.isEmpty ? "what is no predicate" : "a predicate of class \(name)"), "
          + "which is not answered here.")
    }
  }

  private func compound(_ depth: Int) throws(ModelFileError) -> FetchPredicate {
    var terms: [FetchPredicate] = []
    for term in try self.field("NSSubpredicates")?.elements() ?? [] {
      terms.append(try term.predicate(depth: depth))
    }
    switch try self.integer("NSCompoundPredicateType") ?? 0 {
    case 0:
      guard terms.count == 1 else { throw self.error(.malformedArchive, "NOT stands before one predicate.") }
      return .not(terms[0])
    case 1: return terms.count == 1 ? terms[0] : .and(terms)
    case 2: return terms.count == 1 ? terms[0] : .or(terms)
    case let type:
      throw self.error(.unsupportedObject, "\(type) is no kind of compound predicate.")
    }
  }

  private func comparison(_ depth: Int) throws(ModelFileError) -> FetchPredicate {
    let comparison = try self.required("NSPredicateOperator")
    let left = try self.required("NSLeftExpression").expression(depth: depth)
    let right = try self.required("NSRightExpression").expression(depth: depth)
    return .comparison(
      FetchPredicate.Comparison(
        left, try comparison.comparisonOperator(), right, modifier: try comparison.modifier(),
        options: try comparison.options()))
  }

  // MARK: The operator object

  private func comparisonOperator() throws(ModelFileError) -> FetchPredicate.Operator {
    let number = try self.required("NSOperatorType").integer()
    let isNegated = try self.flag("NSNegate")
    switch number {
    case 4, 5: return isNegated || number == 5 ? .notEqual : .equal
    case _ where isNegated: throw self.error(.unsupportedObject, "The operator \(number) is negated.")
    case 0: return .less
    case 1: return .lessOrEqual
    case 2: return .greater
    case 3: return .greaterOrEqual
    case 6: return .matches
    case 7: return .like
    case 8: return .beginsWith
    case 9: return .endsWith
    case 10: return .in
    case 99: return .contains
    case 100: return .between
    default: throw self.error(.unsupportedObject, "\(number) is no operator that is answered here.")
    }
  }

  private func modifier() throws(ModelFileError) -> FetchPredicate.Modifier {
    switch try self.integer("NSModifier") ?? 0 {
    case 0: return .direct
    case 1: return .all
    case 2: return .any
    case let number: throw self.error(.unsupportedObject, "\(number) is no modifier of a comparison.")
    }
  }

  /// Operators of texts call them flags, all others options.
  private func options() throws(ModelFileError) -> FetchPredicate.Options {
    let key = try self.field("NSOptions") == nil ? "NSFlags" : "NSOptions"
    let number = try self.integer(key) ?? 0
    let known = FetchPredicate.Options([
      .caseInsensitive, .diacriticInsensitive, .normalized, .localeSensitive,
    ])
    guard let bits = UInt8(exactly: number), known.rawValue & bits == bits else {
      throw self.error(.unsupportedObject, "\(number) are no options of a comparison that are answered here.")
    }
    return FetchPredicate.Options(rawValue: bits)
  }
}
