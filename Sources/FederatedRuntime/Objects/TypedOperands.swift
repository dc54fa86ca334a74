public import FederatedModel

/// What typed conditions compare: an attribute, an attribute behind to-one relationships, or a number made of such.
///
/// ```swift
/// Fetch(Line.self).where { $0.price * 2 > 100 && $0.invoice.customerNumber == 7 }
/// ```
public protocol AttributeOperand<Content>: Sendable {
  associatedtype Content: AttributeValue
  /// The operand as it stands in a predicate.
  var operand: FetchExpression { get }
  /// How many elements of a to-many must compare; nil for one value.
  var quantifier: Quantifier? { get }
}

extension AttributeOperand {
  public var quantifier: Quantifier? { nil }
}

/// How many elements of a to-many must compare.
public enum Quantifier: Sendable, Hashable {
  case any, all, none
}

/// An operand that rows can be put in order by.
public protocol SortOperand<Content>: AttributeOperand {
  /// The key of a sort descriptor.
  var sortKey: String { get }
}

/// An attribute at the end of a path of to-one relationships.
public struct AttributePath<Content: AttributeValue>: SortOperand {
  let keys: [String]
  public var operand: FetchExpression { .keyPath(self.keys) }
  public var sortKey: String { self.keys.joined(separator: ".") }
}

/// A number that is made of other operands.
public struct ComputedOperand<Content: AttributeValue>: AttributeOperand {
  public let operand: FetchExpression
}

/// An attribute of the elements of a to-many relationship.
public struct QuantifiedAttribute<Content: AttributeValue>: AttributeOperand {
  let keys: [String]
  let elements: Quantifier
  public var operand: FetchExpression { .keyPath(self.keys) }
  public var quantifier: Quantifier? { self.elements }
}

extension AttributeKey: SortOperand {
  public var operand: FetchExpression { .keyPath([self.propertyName]) }
  public var sortKey: String { self.propertyName }
}

extension SourceKey: AttributeOperand {
  public var operand: FetchExpression { .path(.variable("FETCH_SOURCE"), self.path) }
}

extension FetchPredicate {
  /// A comparison as its quantifier has it; `NONE` is `NOT ANY`.
  static func comparing(
    _ left: FetchExpression, _ quantifier: Quantifier?, _ operator: Operator, _ right: FetchExpression,
    _ options: Options = []
  ) -> FetchPredicate {
    let modifier: Modifier =
      switch quantifier {
      case nil: .direct
      case .all?: .all
      case .any?, Quantifier.none?: .any
      }
    let term = FetchPredicate.comparison(.init(left, `operator`, right, modifier: modifier, options: options))
    return quantifier == Quantifier.none ? .not(term) : term
  }
}
