public import FederatedModel

/// One value of one object that breaks a rule of the model, or of the object's class.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  /// The object that breaks the rule.
  public let object: ManagedObjectID
  public let entity: String
  /// The property that breaks the rule; nil when it is the object as a whole.
  public let property: String?
  /// The value that was refused; null where there is none, or too many.
  public let value: Value
  /// The text of the condition that does not hold; nil for every other rule.
  public let predicate: String?
  /// The rule; each has a heading in the documentation.
  public let rule: Rule
  /// What is wrong and what to do. For a condition of the model it is the model's own message.
  public let detail: String
  /// What a class's own validation threw, when that was an error of its own kind.
  public let underlying: (any Error)?

  /// A stable name for each rule.
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    case missingMandatoryValue, valueTooSmall, valueTooLarge, stringTooShort, stringTooLong, patternMismatch
    case dateTooEarly, dateTooLate, invalidDate, invalidURI, conditionFailed, invalidRule
    case tooFewDestinations, tooManyDestinations, deniedDelete, wrongType, custom

    /// The number that the tradition gives.
    public var legacyCode: Int {
      switch self {
      case .missingMandatoryValue: 1570
      case .tooFewDestinations: 1580
      case .tooManyDestinations: 1590
      case .deniedDelete: 1600
      case .valueTooLarge: 1610
      case .valueTooSmall: 1620
      case .dateTooLate: 1630
      case .dateTooEarly: 1640
      case .invalidDate: 1650
      case .stringTooLong: 1660
      case .stringTooShort: 1670
      case .patternMismatch: 1680
      case .invalidURI: 1690
      case .conditionFailed, .invalidRule, .wrongType, .custom: 1550
      }
    }
  }

  public init(
    _ rule: Rule, object: ManagedObjectID, entity: String, property: String?, value: Value = .null,
    predicate: String? = nil, underlying: (any Error)? = nil, _ detail: String
  ) {
    self.rule = rule
    self.object = object
    self.entity = entity
    self.property = property
    self.value = value
    self.predicate = predicate
    self.underlying = underlying
    self.detail = detail
  }

  public var description: String {
    [self.entity, self.property].compactMap(\.self).joined(separator: ".") + ": " + self.detail
  }
}

extension Sequence<ValidationError> {
  /// What is thrown for breaches: an error of a class's own kind unchanged when it is alone, else all of them.
  var combined: (any Error)? {
    let all = Array(self)
    if all.isEmpty { return nil }
    if all.count == 1, let own = all[0].underlying { return own }
    return SaveError.invalid(all)
  }
}
