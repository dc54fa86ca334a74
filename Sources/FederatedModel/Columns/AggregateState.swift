import Foundation

/// What was gathered of one aggregate over some rows of a group: states of several stores are added together.
///
/// nil and NaN are passed over. What is read at the end does not depend on the order of the rows.
public enum AggregateState: Sendable {
  case count(Int)
  /// For sums and averages.
  case sum(ExactSum)
  /// For extremes: the least or greatest so far, ``Value/null`` before the first.
  case least(Value)
  case greatest(Value)
  /// For the median, the mode and the deviation: every value, and how often it occurs.
  case values([MatchKey: Occurrences])

  /// A value and how often it occurs.
  public struct Occurrences: Sendable, Hashable {
    public var value: Value
    public var count: Int

    public init(_ value: Value, count: Int = 1) {
      self.value = value
      self.count = count
    }
  }

  /// Nothing gathered yet.
  public init(_ aggregate: BoundAggregate) {
    switch aggregate.function {
    case .count: self = .count(0)
    case .min: self = .least(.null)
    case .max: self = .greatest(.null)
    case .median, .mode, .stddev: self = .values([:])
    default: self = .sum(ExactSum())
    }
  }

  /// Gathers the value that one row has.
  /// - Throws: `predicateTypeMismatch` for values that cannot be added, or have no order.
  public mutating func add(_ value: Value) throws(FetchPredicateError) {
    let value = value.asKey
    if value.isNull { return }
    switch self {
    case .count(let count): self = .count(count + 1)
    case .sum(var sum):
      self = .count(0)
      try sum.add(value)
      self = .sum(sum)
    case .least(let least): self = .least(try Self.extreme(least, value) { $0 < 0 })
    case .greatest(let greatest): self = .greatest(try Self.extreme(greatest, value) { $0 > 0 })
    case .values(var values):
      self = .count(0)
      Self.add(Occurrences(value), to: &values)
      self = .values(values)
    }
  }

  /// Adds what was gathered elsewhere for the same aggregate.
  public mutating func add(_ other: AggregateState) throws(FetchPredicateError) {
    switch (self, other) {
    case (.count(let a), .count(let b)): self = .count(a + b)
    case (.sum(var sum), .sum(let more)):
      sum.add(more)
      self = .sum(sum)
    case (.least(let a), .least(let b)):
      if !b.isNull { self = .least(try Self.extreme(a, b) { $0 < 0 }) }
    case (.greatest(let a), .greatest(let b)):
      if !b.isNull { self = .greatest(try Self.extreme(a, b) { $0 > 0 }) }
    case (.values(var values), .values(let more)):
      for occurrences in more.values { Self.add(occurrences, to: &values) }
      self = .values(values)
    default: preconditionFailure("states of different aggregates cannot be added")
    }
  }

  private static func extreme(
    _ best: Value, _ value: Value, isWanted: (Int) -> Bool
  ) throws(FetchPredicateError) -> Value {
    if best.isNull {
      _ = try value.order(value)
      return value
    }
    let order = try value.order(best) ?? 0
    return order == 0 ? best.representative(beside: value) : isWanted(order) ? value : best
  }

  private static func add(_ occurrences: Occurrences, to values: inout [MatchKey: Occurrences]) {
    let key = MatchKey(occurrences.value)
    guard let known = values[key] else {
      values[key] = occurrences
      return
    }
    values[key] = Occurrences(
      known.value.representative(beside: occurrences.value), count: known.count + occurrences.count)
  }
}

extension AggregateState {
  /// What the aggregate is worth.
  package func result(of aggregate: BoundAggregate) throws(FetchPredicateError) -> Value {
    switch self {
    case .count(let count): return .int(Int64(count))
    case .sum(let sum):
      return aggregate.function == .average ? try sum.average() : sum.sum(orNothing: aggregate.operand.zero)
    case .least(let value), .greatest(let value): return value
    case .values(let values):
      let sorted = values.values.sorted { SubjectOrder.order($0.value, $1.value) < 0 }
      switch aggregate.function {
      case .median: return try Self.median(sorted)
      case .mode: return Self.mode(sorted)
      default: return try Self.deviation(sorted)
      }
    }
  }

  private static func median(_ sorted: [Occurrences]) throws(FetchPredicateError) -> Value {
    let count = sorted.reduce(0) { $0 + $1.count }
    if count == 0 { return .null }
    let upper = self.value(at: count / 2, in: sorted)
    return count % 2 == 1
      ? upper : try Statistics.average([self.value(at: count / 2 - 1, in: sorted), upper])
  }

  private static func value(at place: Int, in sorted: [Occurrences]) -> Value {
    var passed = 0
    for occurrences in sorted {
      passed += occurrences.count
      if place < passed { return occurrences.value }
    }
    return .null
  }

  /// The values that occur most often, in their order; nil where there is none.
  private static func mode(_ sorted: [Occurrences]) -> Value {
    guard let most = sorted.map(\.count).max() else { return .null }
    return .list(sorted.filter { $0.count == most }.map(\.value))
  }

  /// The deviation of the values that were gathered; nil over none.
  func deviation() throws(FetchPredicateError) -> Value {
    guard case .values(let values) = self else { return .null }
    return try Self.deviation(values.values.map { $0 })
  }

  /// Of the population. The squares are added exactly, so their order does not matter.
  private static func deviation(_ sorted: [Occurrences]) throws(FetchPredicateError) -> Value {
    let count = Double(sorted.reduce(0) { $0 + $1.count })
    if count == 0 { return .null }
    var sum = ExactSum()
    for occurrences in sorted {
      var one = ExactSum()
      try one.add(occurrences.value)
      sum.add(one.multiplied(by: occurrences.count))
    }
    let mean = Arithmetic.double(try sum.average())
    if !mean.isFinite { return .double(.nan) }
    var squares = ExactSum()
    for occurrences in sorted {
      let distance = Arithmetic.double(try Arithmetic.calculate(.add, occurrences.value, .int(0))) - mean
      squares.add(Double(occurrences.count) * (distance * distance))
    }
    return .double((Arithmetic.double(squares.sum(orNothing: .double(0))) / count).squareRoot())
  }
}

extension Value {
  /// The value as the key of a group has it: NaN counts as nil, and the two zeros are one.
  package var asKey: Value {
    switch self {
    case .double(let double): double.isNaN ? .null : double == 0 ? .double(0) : self
    case .decimal(let decimal): decimal.isNaN ? .null : self
    case .date(let date):
      date.timeIntervalSinceReferenceDate.isNaN
        ? .null
        : date.timeIntervalSinceReferenceDate == 0 ? .date(.init(timeIntervalSinceReferenceDate: 0)) : self
    default: self
    }
  }

  /// Which of two equal values stands for both, whichever came first.
  package func representative(beside other: Value) -> Value { other.kindRank < self.kindRank ? other : self }

  private var kindRank: Int {
    switch self {
    case .bool: 0
    case .int: 1
    case .decimal: 2
    case .double: 3
    case .string: 4
    case .uri: 5
    default: 6
    }
  }
}
