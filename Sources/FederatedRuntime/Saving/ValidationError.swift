public import FederatedModel

/// One value of one object that breaks a rule of the model.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  /// The object that breaks the rule.
  public let object: ManagedObjectID
  public let entity: String
  public let property: String?
  /// The rule; each has a heading in the documentation.
  public let rule: Rule
  /// What is wrong and what to do.
  public let detail: String

  /// A stable name for each rule.
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    case missingMandatoryValue, valueTooSmall, valueTooLarge, stringTooShort, stringTooLong, patternMismatch
    case dateTooEarly, dateTooLate
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
      case .stringTooLong: 1660
      case .stringTooShort: 1670
      case .patternMismatch: 1680
      case .wrongType, .custom: 1550
      }
    }
  }

  public init(
    _ rule: Rule, object: ManagedObjectID, entity: String, property: String?, _ detail: String
  ) {
    self.rule = rule
    self.object = object
    self.entity = entity
    self.property = property
    self.detail = detail
  }

  public var description: String {
    [self.entity, self.property].compactMap(\.self).joined(separator: ".") + ": " + self.detail
  }
}
