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
  /// The tests that the predicate is, or begins with as an AND: asked without any detour.
  @usableFromInline let tests: [AttributeTest]
  /// What is left behind the tests; nil when there is nothing.
  private let rest: PreparedNode?
  @usableFromInline let hasRest: Bool

  /// - Throws: `invalidRegularExpression` or `invalidRange`, for a bound predicate made by hand.
  public init(_ predicate: BoundPredicate, now: Date = Date()) throws(FetchPredicateError) {
    self.predicate = predicate
    self.now = now
    (self.tests, self.rest) = try PreparedNode(predicate).leadingTests
    self.hasRest = self.rest != nil
  }

  /// Whether the predicate holds for a subject.
  /// - Throws: ``FetchPredicateError`` when it has no answer, or what the subject throws when it cannot be read.
  @inlinable public func evaluate(_ subject: some PredicateSubject) throws -> Bool {
    for test in self.tests where !(try subject.passes(test)) { return false }
    return self.hasRest ? try self.evaluateRest(subject) : true
  }

  @usableFromInline func evaluateRest(_ subject: some PredicateSubject) throws -> Bool {
    guard let rest = self.rest else { return true }
    return try PredicateEvaluation(subject: subject, now: self.now).holds(rest)
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
