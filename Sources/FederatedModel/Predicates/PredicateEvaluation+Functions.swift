/// Calls of functions.
extension PredicateEvaluation {
  func call(_ function: FetchFunction, _ operands: [PreparedOperand]) throws -> PredicateOperand {
    if function.isStatistic {
      return try function.statistic(of: Statistics.members(try operands.map { try self.operand($0) }))
    }
    let values = try operands.map { operand in
      let found = try self.operand(operand)
      guard let value = found.scalar else {
        throw FetchPredicateError(
          .predicateTypeMismatch, subject: function.rawValue, "takes single values, not \(found.kindName)")
      }
      return value
    }
    return .value(try ScalarFunction(function, now: self.now).answer(values))
  }
}

extension FetchFunction {
  /// What a statistic makes of the members of a collection.
  func statistic(of members: [PredicateOperand]) throws -> PredicateOperand {
    switch self {
    case .count: return .value(.int(Int64(members.count)))
    case .sum: return .value(try Statistics.sum(try Statistics.numbers(members, "sum")))
    case .average: return .value(try Statistics.average(try Statistics.numbers(members, "average")))
    case .min: return .value(try Statistics.extreme(members, "min", isWanted: { $0 < 0 }))
    case .max: return .value(try Statistics.extreme(members, "max", isWanted: { $0 > 0 }))
    case .median: return .value(try Statistics.median(members))
    case .stddev: return .value(try Statistics.deviation(members))
    default: return .collection(try Statistics.mode(members), isOrdered: true)
    }
  }

  /// What a statistic makes of plain values: the same as ``statistic(of:)``, for what gathers them elsewhere.
  package func statistic(ofValues values: [Value]) throws -> Value {
    try self.statistic(of: values.map { .value($0) }).scalar ?? .null
  }
}
