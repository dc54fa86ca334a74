import Foundation

/// Equality and order of values as predicates and sort keys have them, in every store.
///
/// Numbers of all kinds compare by what they are worth, exactly. Text compares by Unicode scalars; a URI is
/// its absolute text. nil equals nil alone and has no order. NaN equals nothing and has no order.
extension Value {
  /// Whether a predicate calls the two values equal.
  ///
  /// Values of unlike kinds are not equal. (A predicate refuses to compare a date with a number; this does not.)
  public func matches(_ other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.int(let a), .int(let b)): a == b
    case (.string(let a), .string(let b)), (.uri(let a), .uri(let b)), (.string(let a), .uri(let b)),
      (.uri(let a), .string(let b)):
      a.utf8.elementsEqual(b.utf8)
    case (.date(let a), .date(let b)): a.timeIntervalSinceReferenceDate == b.timeIntervalSinceReferenceDate
    case (.data(let a), .data(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.matches($1) }
    default:
      if let a = ExactNumber(self), let b = ExactNumber(other) { a.order(b) == 0 } else { false }
    }
  }

  /// How the value stands to another: below 0 when it comes first, 0 when they are equal, above 0 when it
  /// comes after; nil when one of them is nil or NaN.
  /// - Throws: `predicateTypeMismatch` for values that have no common order.
  public func order(_ other: Value) throws(FetchPredicateError) -> Int? {
    switch (self, other) {
    case (.null, _), (_, .null): return nil
    case (.int(let a), .int(let b)): return a < b ? -1 : a == b ? 0 : 1
    case (.string(let a), .string(let b)), (.uri(let a), .uri(let b)), (.string(let a), .uri(let b)),
      (.uri(let a), .string(let b)):
      return StringMatching.scalarOrder(a, b)
    case (.date(let a), .date(let b)):
      let (a, b) = (a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
      return a < b ? -1 : a == b ? 0 : a > b ? 1 : nil
    default:
      guard let a = ExactNumber(self), let b = ExactNumber(other) else {
        throw FetchPredicateError(
          .predicateTypeMismatch, subject: self.description,
          "has no order with \(other): \(self.kindName) against \(other.kindName)")
      }
      return a.order(b)
    }
  }

  /// What the value is, for messages.
  var kindName: String {
    switch self {
    case .null: "nil"
    case .bool: "a boolean"
    case .int: "an integer"
    case .double: "a floating-point number"
    case .decimal: "a decimal"
    case .string: "a string"
    case .date: "a date"
    case .data: "data"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .object: "an object"
    case .list: "a list"
    }
  }
}

/// A value that hashes and compares as ``Value/matches(_:)`` does: a key of link indexes and of `IN` lists.
///
/// NaN is equal to itself here, so that it can be a member of a set; ask ``isMatchable`` first.
public struct MatchKey: Hashable, Sendable {
  private let canonical: Value

  public init(_ value: Value) { self.canonical = MatchKey.canonical(value) }

  /// Whether the value equals itself: everything but NaN.
  public var isMatchable: Bool {
    switch self.canonical {
    case .double(let double): !double.isNaN
    case .decimal(let decimal): !decimal.isNaN
    case .date(let date): !date.timeIntervalSinceReferenceDate.isNaN
    default: true
    }
  }

  private static func canonical(_ value: Value) -> Value {
    switch value {
    case .int, .string: value
    case .uri(let text): .string(text)
    case .date(let date) where date.timeIntervalSinceReferenceDate == 0:
      .date(Date(timeIntervalSinceReferenceDate: 0))
    case .list(let values): .list(values.map(MatchKey.canonical))
    default: ExactNumber(value)?.canonical ?? value
    }
  }
}
