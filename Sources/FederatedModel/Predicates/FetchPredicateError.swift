/// Why a predicate cannot be parsed into a question, bound to an entity, or answered.
///
/// A predicate that cannot be answered always throws; it never answers false instead.
public struct FetchPredicateError: Error, Sendable, Hashable, CustomStringConvertible {
  public let code: Code
  /// The entity that the predicate was bound to, when there is one.
  public let entity: String?
  /// The key path, variable, function or construct in question.
  public let subject: String
  /// What is wrong and what to do.
  public let detail: String

  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// A key that the entity does not have.
    case unknownKeyPath
    /// A transient or fetched property in a predicate or order that a store must answer.
    case keyPathNotFetchable
    /// A to-many path under an operator that takes one value.
    case toManyKeyNeedsModifier
    /// `ANY`, `ALL` or `NONE` over something that is no collection.
    case collectionExpected
    case predicateTypeMismatch
    case unboundVariable
    case unsupportedConstruct
    case unsupportedFunction
    case invalidRegularExpression
    case invalidRange
    case recursiveFetchedProperty
  }

  public init(_ code: Code, entity: String? = nil, subject: String, _ detail: String) {
    self.code = code
    self.entity = entity
    self.subject = subject
    self.detail = detail
  }

  public var description: String {
    (self.entity.map { "\($0): " } ?? "") + "\(self.subject): \(self.detail)"
  }
}

/// The name that Foundation has too; say ``FetchPredicateError``.
public typealias PredicateError = FetchPredicateError
