import Foundation

/// Sums, extremes and their kin over the values of a collection.
///
/// In sums and averages nil counts as 0, as the tradition has it; everything else passes nil over. Integers
/// and decimals are added exactly. An empty collection has the sum 0 and no average, extreme, median,
/// mode or deviation.
enum Statistics {
  /// The values of a collection, or of the operands of a call.
  static func members(_ operands: [PredicateOperand]) -> [PredicateOperand] {
    if operands.count == 1, let elements = operands[0].elements { return elements }
    return operands
  }

  /// The numbers among the members; nil as 0.
  static func numbers(_ members: [PredicateOperand], _ name: String) throws(FetchPredicateError) -> [Value] {
    var numbers: [Value] = []
    for member in members {
      switch member.scalar {
      case .null: numbers.append(.int(0))
      case .bool(let bool): numbers.append(.int(bool ? 1 : 0))
      case .int(let int): numbers.append(.int(int))
      case .double(let double): numbers.append(.double(double))
      case .decimal(let decimal): numbers.append(.decimal(decimal))
      default: throw self.refused(member, name)
      }
    }
    return numbers
  }

  private static func refused(_ member: PredicateOperand, _ name: String) -> FetchPredicateError {
    FetchPredicateError(.predicateTypeMismatch, subject: name, "takes numbers, not \(member.kindName)")
  }

  static func sum(_ numbers: [Value]) throws(FetchPredicateError) -> Value {
    // Members of a set come in any order, and the sum must not depend on it. Whole numbers are added apart, since
    // half way they may leave 64 bits; the others from the least to the greatest.
    var whole = Int128(0)
    var others: [Value] = []
    for number in numbers {
      if case .int(let int) = number { whole += Int128(int) } else { others.append(number) }
    }
    others.sort { a, b in self.order(a, b) < 0 }
    var rest = others.first
    for number in others.dropFirst() {
      rest = try rest.map { sum throws(FetchPredicateError) in try Arithmetic.calculate(.add, sum, number) }
    }
    let sum = self.value(of: whole, withDecimal: rest.map(self.isDecimal) ?? false)
    return try rest.map { rest throws(FetchPredicateError) in try Arithmetic.calculate(.add, sum, rest) }
      ?? sum
  }

  private static func order(_ a: Value, _ b: Value) -> Int {
    ExactNumber(a).flatMap { x in ExactNumber(b).flatMap { x.order($0) } } ?? 0
  }

  private static func isDecimal(_ value: Value) -> Bool { if case .decimal = value { true } else { false } }

  private static func value(of whole: Int128, withDecimal: Bool) -> Value {
    if let int = Int64(exactly: whole) { return .int(int) }
    return withDecimal
      ? .decimal(Decimal(string: whole.description, locale: nil) ?? .nan) : .double(Double(whole))
  }

  static func average(_ numbers: [Value]) throws(FetchPredicateError) -> Value {
    if numbers.isEmpty { return .null }
    let sum = try self.sum(numbers)
    if case .decimal = sum { return try Arithmetic.calculate(.divide, sum, .int(Int64(numbers.count))) }
    return .double(Arithmetic.double(sum) / Double(numbers.count))
  }

  /// The least or greatest member; nil is passed over.
  static func extreme(
    _ members: [PredicateOperand], _ name: String, isWanted: (Int) -> Bool
  ) throws(FetchPredicateError) -> Value {
    var best = Value.null
    for member in members {
      guard let value = member.scalar else {
        throw FetchPredicateError(.predicateTypeMismatch, subject: name, "\(member.kindName) has no order")
      }
      if value.isNull { continue }
      if best.isNull {
        _ = try value.order(value)
        best = value
      } else if let order = try value.order(best), isWanted(order) {
        best = value
      }
    }
    return best
  }

  static func median(_ members: [PredicateOperand]) throws(FetchPredicateError) -> Value {
    var sorted = try self.numbers(members.filter { $0.scalar?.isNull != true }, "median")
    sorted.sort { a, b in self.order(a, b) < 0 }
    if sorted.isEmpty { return .null }
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return sorted[middle] }
    return try self.average([sorted[middle - 1], sorted[middle]])
  }

  /// The members that occur most often, in order of first occurrence.
  static func mode(_ members: [PredicateOperand]) throws -> [PredicateOperand] {
    var counts: [(member: PredicateOperand, count: Int)] = []
    for member in members where member.scalar?.isNull != true {
      if let place = try counts.firstIndex(where: { try $0.member.equals(member, []) }) {
        counts[place].count += 1
      } else {
        counts.append((member, 1))
      }
    }
    let most = counts.map(\.count).max() ?? 0
    return counts.filter { $0.count == most }.map(\.member)
  }

  /// Of the population: divided by the number of members.
  static func deviation(_ members: [PredicateOperand]) throws(FetchPredicateError) -> Value {
    let numbers = try self.numbers(members.filter { $0.scalar?.isNull != true }, "stddev").map(
      Arithmetic.double)
    if numbers.isEmpty { return .null }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    return .double(
      (numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)).squareRoot())
  }

  /// The members without repetition, in order of first occurrence.
  static func distinct(_ members: [PredicateOperand]) throws -> [PredicateOperand] {
    var seen: Set<MatchKey> = []
    var kept: [PredicateOperand] = []
    for member in members {
      guard let value = member.scalar else {
        kept.append(member)
        continue
      }
      if seen.insert(MatchKey(value)).inserted { kept.append(member) }
    }
    return kept
  }
}
