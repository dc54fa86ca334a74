import Foundation

/// How rows are put together: what they are grouped by, and what is gathered of each group.
public struct BoundGrouping: Hashable, Sendable {
  /// One group for each combination of values. None at all make one group of all rows, even of no rows.
  public var keys: [BoundExpression]
  public var aggregates: [BoundAggregate]

  public init(keys: [BoundExpression], aggregates: [BoundAggregate]) {
    self.keys = keys
    self.aggregates = aggregates
  }
}

/// One statistic over the rows of a group.
public struct BoundAggregate: Hashable, Sendable {
  /// `count`, `sum`, `average`, `min`, `max`, `median`, `mode` or `stddev`.
  public var function: FetchFunction
  /// What it is taken of, in each row. nil and NaN are passed over.
  public var operand: BoundExpression

  public init(_ function: FetchFunction, of operand: BoundExpression) {
    self.function = function
    self.operand = operand
  }
}

extension BoundAttribute {
  private static let answer = EntityID(Int(UInt32.max))

  /// A column of an answer, as an attribute of subjects that are lines of answers.
  package static func column(_ number: Int) -> BoundAttribute {
    BoundAttribute(name: "column \(number)", entity: self.answer, slot: number, type: .undefined)
  }

  /// Whether this is a ``column(_:)``.
  package var isColumn: Bool { self.entity == BoundAttribute.answer }
}

extension BoundExpression {
  /// What a column of an answer is worth.
  package static func column(_ number: Int) -> BoundExpression {
    .path(.evaluatedObject, [.attribute(.column(number))])
  }

  /// What a sum over no rows is: a zero of the kind that a sum over some would have.
  package var zero: Value {
    guard case .path(_, let steps) = self, case .attribute(let attribute)? = steps.last else {
      return .int(0)
    }
    switch attribute.type {
    case .decimal: return .decimal(0)
    case .double, .float: return .double(0)
    default: return .int(0)
    }
  }
}

/// One line of an answer, whose columns stand where ``BoundAttribute/column(_:)`` says.
package struct LineSubject: PredicateSubject {
  package let values: ArraySlice<Value>

  package init(_ values: ArraySlice<Value>) { self.values = values }

  package func attribute(_ attribute: BoundAttribute) throws -> Value {
    self.values[self.values.startIndex + attribute.slot]
  }

  package func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)? {
    throw self.refusal(relationship.name)
  }

  package func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject] {
    throw self.refusal(relationship.name)
  }

  package func operand(forKey key: String) throws -> PredicateOperand { throw self.refusal(key) }

  package var predicateIdentity: ManagedObjectID? { nil }

  private func refusal(_ key: String) -> FetchPredicateError {
    FetchPredicateError(.keyPathNotFetchable, subject: key, "is no column of the answer")
  }
}
