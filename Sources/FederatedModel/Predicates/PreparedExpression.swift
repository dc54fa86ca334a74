public import Foundation

/// A bound expression made ready for one run over many subjects.
public struct PreparedExpression: Sendable {
  private let operand: PreparedOperand
  private let now: Date

  /// - Parameter now: what `now()` answers.
  /// - Throws: `invalidRegularExpression` or `invalidRange`, for an expression made by hand.
  public init(_ expression: BoundExpression, now: Date = Date()) throws(FetchPredicateError) {
    self.operand = try PreparedOperand(expression)
    self.now = now
  }

  /// What the expression is worth for a subject: an object as its identifier, a collection as a list.
  /// - Throws: ``FetchPredicateError`` when it has no answer, or what the subject throws when it cannot be read.
  public func value(of subject: some PredicateSubject) throws -> Value {
    try PredicateEvaluation(subject: subject, now: self.now).operand(self.operand).value
  }
}
