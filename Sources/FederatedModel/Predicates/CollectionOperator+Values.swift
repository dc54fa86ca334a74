extension CollectionOperator {
  /// What the operator makes of what the elements of a collection answered.
  ///
  /// nil counts as 0 in sums and averages, and everything else passes it over; a sum and an average without values
  /// are 0, unlike those of the function `average`, which then has none.
  /// Lists among the values are taken apart.
  /// - Throws: `predicateTypeMismatch` for values that cannot be added, or have no common order.
  public func combine(_ values: [Value]) throws -> Value {
    switch try self.combine(values.map { .value($0) }) {
    case .value(let value): value
    case .subject: .null
    case .collection(let elements, _): .list(elements.compactMap(\.scalar))
    }
  }

  func combine(_ answers: [PredicateOperand]) throws -> PredicateOperand {
    if self == .count { return .value(.int(Int64(answers.count))) }
    let found = answers.flatMap { $0.collectionElements ?? [$0] }
    switch self {
    case .count, .sum: return .value(try Statistics.sum(try Statistics.numbers(found, self.rawValue)))
    case .average where found.isEmpty: return .value(.int(0))
    case .average: return .value(try Statistics.average(try Statistics.numbers(found, self.rawValue)))
    case .minimum: return .value(try Statistics.extreme(found, self.rawValue, isWanted: { $0 < 0 }))
    case .maximum: return .value(try Statistics.extreme(found, self.rawValue, isWanted: { $0 > 0 }))
    case .unionOfObjects, .unionOfArrays: return .collection(Self.withoutNull(found), isOrdered: false)
    case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets:
      return .collection(try Statistics.distinct(Self.withoutNull(found)), isOrdered: false)
    }
  }

  private static func withoutNull(_ operands: [PredicateOperand]) -> [PredicateOperand] {
    operands.filter { $0.scalar?.isNull != true }
  }
}
