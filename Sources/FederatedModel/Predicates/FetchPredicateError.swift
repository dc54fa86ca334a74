/// Why a predicate cannot be parsed into a question, bound to an entity, or answered.
///
/// A predicate that cannot be answered always throws; it never answers false instead.
public struct FetchPredicateError: Error, Sendable, Hashable, CustomStringConvertible {
  public var code: Code { self.content.code }
  /// The entity that the predicate was bound to, when there is one.
  public var entity: String? { self.content.entity }
  /// The key path, variable, function or construct in question.
  public var subject: String { self.content.subject }
  /// What is wrong and what to do.
  public var detail: String { self.content.detail }

  private let content: Content

  /// By reference, so that every function that may throw it needs room for one word only.
  private final class Content: Sendable {
    let code: Code
    let entity: String?
    let subject: String
    let detail: String

    init(_ code: Code, _ entity: String?, _ subject: String, _ detail: String) {
      self.code = code
      self.entity = entity
      self.subject = subject
      self.detail = detail
    }
  }

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
    self.content = Content(code, entity, subject, detail)
  }

  public static func == (left: FetchPredicateError, right: FetchPredicateError) -> Bool {
    left.code == right.code && left.entity == right.entity && left.subject == right.subject
      && left.detail == right.detail
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.code)
    hasher.combine(self.subject)
  }

  public var description: String {
    (self.entity.map { "\($0): " } ?? "") + "\(self.subject): \(self.detail)"
  }
}
