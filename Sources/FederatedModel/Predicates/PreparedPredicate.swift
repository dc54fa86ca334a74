public import Foundation

/// A bound predicate made ready for one run over many subjects.
///
/// Patterns are compiled, lists hashed and constants folded once; `now()` is one instant for the whole run.
/// The commonest comparisons, an attribute or a path of to-ones against a constant, become ``AttributeTest``s.
///
/// ```swift
/// let predicate = try PreparedPredicate(bound)
/// let chosen = try rows.filter { try predicate.evaluate($0) }
/// ```
public final class PreparedPredicate: Sendable {
  public let predicate: BoundPredicate
  /// What `now()` answers.
  public let now: Date
  private let root: PreparedNode

  /// - Throws: `invalidRegularExpression` or `invalidRange`, for a bound predicate made by hand.
  public init(_ predicate: BoundPredicate, now: Date = Date()) throws(FetchPredicateError) {
    self.predicate = predicate
    self.now = now
    self.root = try PreparedNode(predicate)
  }

  /// Whether the predicate holds for a subject.
  /// - Throws: ``FetchPredicateError`` when it has no answer, or what the subject throws when it cannot be read.
  public func evaluate(_ subject: some PredicateSubject) throws -> Bool {
    try PredicateEvaluation(subject: subject, now: self.now).holds(self.root)
  }
}

extension BoundPredicate {
  /// Whether the predicate holds for one subject. For many subjects, make a ``PreparedPredicate`` once.
  /// - Throws: ``FetchPredicateError`` when it has no answer, or what the subject throws when it cannot be read.
  public func evaluate(_ subject: some PredicateSubject, now: Date = Date()) throws -> Bool {
    try PreparedPredicate(self, now: now).evaluate(subject)
  }
}

extension FetchPredicate {
  /// Whether the predicate holds for a subject that has no entity, or that answers keys by name.
  ///
  /// ```swift
  /// try FetchPredicate(format: "age BETWEEN {20, 40}").evaluate(KeyedSubject(["age": 34]))
  /// ```
  /// - Throws: ``FetchPredicateError`` when it has no answer, or what the subject throws when it cannot be read.
  public func evaluate(_ subject: any PredicateSubject, now: Date = Date()) throws -> Bool {
    try self.boundToKeys().evaluate(subject, now: now)
  }
}

extension BoundExpression {
  /// What the operand is for one subject.
  /// - Throws: ``FetchPredicateError`` when it has no answer, or what the subject throws when it cannot be read.
  public func evaluate(_ subject: some PredicateSubject, now: Date = Date()) throws -> PredicateOperand {
    try PredicateEvaluation(subject: subject, now: now).operand(PreparedOperand(self))
  }
}
