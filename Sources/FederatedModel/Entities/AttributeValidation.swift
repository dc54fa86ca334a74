/// What a value must keep to be saved: bounds, a pattern, conditions. A value that is nil keeps all of them.
///
/// ```swift
/// AttributeDescription("code", .string).length(2...8).matching("[A-Z]+")
/// AttributeDescription("age", .integer16).range(0...150)
///   .satisfying("SELF >= 18 OR guardian != nil", else: "A minor needs a guardian.")
/// ```
public struct AttributeValidation: Hashable, Sendable {
  /// The least number, the earliest date, or the least length of a text, all inclusive; null is no bound.
  ///
  /// Lengths are counted in UTF-16 units: one for most letters, two for most emoji.
  public var minimum: Value = .null
  /// The greatest number, the latest date, or the greatest length of a text; null is no bound.
  public var maximum: Value = .null
  /// A regular expression that the whole text must match, as `MATCHES` reads it.
  public var pattern: String?
  /// Conditions of the value, in the order in which their breaches are told.
  public var conditions: [ValidationCondition] = []
  public init() {}
}

/// A predicate that must hold when an object is saved, and what is said when it does not.
///
/// `SELF` is the value of the attribute; every other key is one of the object that has it.
public struct ValidationCondition: Hashable, Sendable {
  /// The predicate's text, parsed when the model is frozen.
  public var format: String
  /// What the error says to whoever set the value.
  public var message: String

  public init(_ format: String, message: String) {
    self.format = format
    self.message = message
  }

  /// Takes the predicate as a value.
  public init(_ predicate: FetchPredicate, message: String) {
    self.init(predicate.description, message: message)
  }
}

extension AttributeDescription {
  /// The attribute with inclusive bounds of a number or a date.
  public func range(_ bounds: ClosedRange<some ValueConvertible & Comparable>) -> AttributeDescription {
    self.minimum(bounds.lowerBound).maximum(bounds.upperBound)
  }

  /// The attribute with a least number or an earliest date.
  public func minimum(_ bound: some ValueConvertible) -> AttributeDescription {
    self.validated { $0.minimum = bound.value }
  }

  /// The attribute with a greatest number or a latest date.
  public func maximum(_ bound: some ValueConvertible) -> AttributeDescription {
    self.validated { $0.maximum = bound.value }
  }

  /// The attribute with a least and a greatest length of its text, in UTF-16 units.
  public func length(_ bounds: ClosedRange<Int>) -> AttributeDescription {
    self.minimumLength(bounds.lowerBound).maximumLength(bounds.upperBound)
  }

  /// The attribute with a least length of its text, in UTF-16 units.
  public func minimumLength(_ length: Int) -> AttributeDescription {
    self.validated { $0.minimum = .int(Int64(length)) }
  }

  /// The attribute with a greatest length of its text, in UTF-16 units.
  public func maximumLength(_ length: Int) -> AttributeDescription {
    self.validated { $0.maximum = .int(Int64(length)) }
  }

  /// The attribute with a pattern that its whole text must match.
  public func matching(_ pattern: String) -> AttributeDescription {
    self.validated { $0.pattern = pattern }
  }

  /// The attribute with one more condition.
  public func satisfying(_ format: String, else message: String) -> AttributeDescription {
    self.validated { $0.conditions.append(ValidationCondition(format, message: message)) }
  }

  private func validated(_ change: (inout AttributeValidation) -> Void) -> AttributeDescription {
    var attribute = self
    change(&attribute.validation)
    return attribute
  }
}

extension RelationshipDescription {
  /// The relationship with a least and a greatest number of destinations; an optional one may also have none.
  public func count(_ bounds: ClosedRange<Int>) -> RelationshipDescription {
    var relationship = self
    relationship.minCount = bounds.lowerBound
    relationship.maxCount = bounds.upperBound
    return relationship
  }

  /// The relationship with a least number of destinations; an optional one may also have none.
  public func count(_ bounds: PartialRangeFrom<Int>) -> RelationshipDescription {
    var relationship = self
    relationship.minCount = bounds.lowerBound
    return relationship
  }
}
