import Foundation

/// Puts subjects in order by sort keys, the same in every store.
///
/// nil comes before everything, last when descending; NaN counts as nil. Texts compare as their sort key
/// says, other values by ``Value/order(_:)``, UUIDs and data by their bytes.
public struct SubjectOrder: Sendable {
  public let sorts: [BoundSort]

  public init(_ sorts: [BoundSort]) { self.sorts = sorts }

  /// What one subject is sorted by, read once.
  public struct SortKey: Sendable {
    fileprivate let values: [Value]
  }

  /// Reads what a subject is sorted by.
  /// - Throws: what the subject throws when it cannot be read.
  public func key(of subject: some PredicateSubject) throws -> SortKey {
    SortKey(values: try self.sorts.map { try self.value($0, of: subject) })
  }

  /// What a subject is sorted by for which there is nothing to read: every value is nil.
  package var keyOfNothing: SortKey { SortKey(values: self.sorts.map { _ in .null }) }

  /// Below 0 when the first comes before the second, 0 when no sort key tells them apart.
  /// - Throws: `predicateTypeMismatch` for values without a common order.
  public func compare(_ a: SortKey, _ b: SortKey) throws(FetchPredicateError) -> Int {
    for (index, sort) in self.sorts.enumerated() {
      let order = try self.order(a.values[index], b.values[index], sort)
      if order != 0 { return sort.ascending ? order : -order }
    }
    return 0
  }

  /// Below 0 when the first comes before the second, 0 when no sort key tells them apart.
  public func compare(_ a: some PredicateSubject, _ b: some PredicateSubject) throws -> Int {
    for sort in self.sorts {
      let order = try self.order(try self.value(sort, of: a), try self.value(sort, of: b), sort)
      if order != 0 { return sort.ascending ? order : -order }
    }
    return 0
  }

  public func areInIncreasingOrder(_ a: some PredicateSubject, _ b: some PredicateSubject) throws -> Bool {
    try self.compare(a, b) < 0
  }

  /// Sorts. Subjects that no sort key tells apart keep their order.
  public func sorted<Subject: PredicateSubject>(_ subjects: [Subject]) throws -> [Subject] {
    if self.sorts.isEmpty { return subjects }
    let keys = try subjects.map { try self.key(of: $0) }
    let order = try subjects.indices.sorted { a, b in
      let order = try self.compare(keys[a], keys[b])
      return order != 0 ? order < 0 : a < b
    }
    return order.map { subjects[$0] }
  }

  private func value(_ sort: BoundSort, of subject: some PredicateSubject) throws -> Value {
    var operand = PredicateOperand.null
    for (index, step) in sort.steps.enumerated() {
      operand = index == 0 ? try subject.answer(step) : try operand.answer(step)
    }
    guard let value = operand.scalar else {
      throw FetchPredicateError(
        .toManyKeyNeedsModifier, subject: "order",
        "a sort key leads to \(operand.kindName), which has no order")
    }
    if case .string(let text) = value, sort.comparison == .caseInsensitive, sort.comparator == nil {
      return .string(StringMatching.orderKey(text, .caseInsensitive))
    }
    return value.isNaN ? .null : value
  }

  private func order(_ a: Value, _ b: Value, _ sort: BoundSort) throws(FetchPredicateError) -> Int {
    switch (a, b) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    default:
      if let comparator = sort.comparator { return comparator.compare(a, b) }
      return try self.order(a, b, sort.comparison)
    }
  }

  private func order(
    _ a: Value, _ b: Value, _ comparison: FetchSortDescriptor.Comparison
  ) throws(FetchPredicateError) -> Int {
    switch (a, b) {
    case (.string(let a), .string(let b)):
      // Texts for the case-insensitive order are folded already.
      return comparison == .caseInsensitive
        ? StringMatching.scalarOrder(a, b) : StringMatching.order(a, b, by: comparison)
    case (.data(let a), .data(let b)): return a.lexicographicallyPrecedes(b) ? -1 : a == b ? 0 : 1
    case (.uuid(let a), .uuid(let b)):
      return withUnsafeBytes(of: a.uuid) { a in withUnsafeBytes(of: b.uuid) { StringMatching.order(a, $0) } }
    case (.object(let a), .object(let b)):
      return a == b
        ? 0 : (a.store.rawValue, a.entity, a.reference) < (b.store.rawValue, b.entity, b.reference) ? -1 : 1
    default: return try a.order(b) ?? 0
    }
  }
}

extension SubjectOrder {
  /// One order of all values, for answers that come without a sort key: unlike kinds by kind.
  package static func order(_ a: Value, _ b: Value) -> Int {
    let (left, right) = (a.family, b.family)
    if left != right { return left < right ? -1 : 1 }
    if case (.list(let a), .list(let b)) = (a, b) {
      for (left, right) in zip(a, b) {
        let order = self.order(left, right)
        if order != 0 { return order }
      }
      return a.count < b.count ? -1 : a.count == b.count ? 0 : 1
    }
    do { return try SubjectOrder([]).order(a, b, .scalar) } catch {
      preconditionFailure("values of one family have an order: \(error)")
    }
  }
}

extension Value {
  /// Values of one family have an order among themselves.
  fileprivate var family: Int {
    switch self {
    case .null: 0
    case .bool, .int, .double, .decimal: 1
    case .string, .uri: 2
    case .date: 3
    case .data: 4
    case .uuid: 5
    case .object: 6
    case .list: 7
    }
  }

  fileprivate var isNaN: Bool {
    switch self {
    case .double(let double): double.isNaN
    case .decimal(let decimal): decimal.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}
