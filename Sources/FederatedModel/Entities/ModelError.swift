/// Every rule that a model breaks, all at once.
public struct ModelError: Error, Sendable, CustomStringConvertible {
  public let breaches: [Breach]

  /// One broken rule.
  public struct Breach: Hashable, Sendable, CustomStringConvertible {
    public let rule: Rule
    /// Nil when the breach concerns the model as a whole.
    public let entity: String?
    public let property: String?
    /// What is wrong and what to do, without the place.
    public let detail: String

    public init(_ rule: Rule, entity: String? = nil, property: String? = nil, _ detail: String) {
      self.rule = rule
      self.entity = entity
      self.property = property
      self.detail = detail
    }

    public var description: String {
      let place = [self.entity, self.property].compactMap(\.self).joined(separator: ".")
      return place.isEmpty ? self.detail : "\(place): \(self.detail)"
    }
  }

  /// A stable name for each rule; each has a heading in the documentation.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    case emptyName, duplicateEntity, duplicateProperty, namesDifferOnlyByCase, reservedName
    case unsupportedProperty
    case unknownParent, inheritanceCycle, redefinedProperty
    case unknownDestination, unknownInverse, inverseMismatch
    case undefinedTypeNotTransient, defaultOfWrongType, unregisteredCodec, duplicateCodec
    case unknownComposite, duplicateComposite
    case invalidFetchedProperty, unknownFetchedEntity, invalidPredicate, unknownKeyPath, keyPathNotFetchable
    case toManyKeyNeedsModifier, unboundVariable
    case invalidUniquenessConstraint, invalidIndex, unknownConfigurationMember, duplicateConfiguration
    case invalidTemplate, duplicateTemplate, invalidCounts, invalidValidation
    /// A problem of a model that was read (``ManagedObjectModel/problems``): a value in the file that is none here.
    case unreadableValue
    /// A warning (``ManagedObjectModel/warnings``), never a reason to refuse a model.
    case unlikeLinkTypes
  }

  public init(breaches: [Breach]) { self.breaches = breaches }

  public var description: String {
    "The model breaks \(self.breaches.count) rule\(self.breaches.count == 1 ? "" : "s"):\n"
      + self.breaches.map { "  - \($0)" }.joined(separator: "\n")
  }
}
