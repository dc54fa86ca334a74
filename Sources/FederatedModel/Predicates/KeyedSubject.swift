/// A subject without an entity: values, subjects and collections by key. A key that is missing is nil.
///
/// ```swift
/// let ada = KeyedSubject(["name": "Ada", "friends": [.keyed(["age": 41]), .keyed(["age": 45])]])
/// try FetchPredicate(format: "ANY friends.age > 42").evaluate(ada)
/// ```
public struct KeyedSubject: PredicateSubject {
  public var values: [String: PredicateOperand]

  public init(_ values: [String: PredicateOperand]) { self.values = values }

  public func operand(forKey key: String) throws -> PredicateOperand { self.values[key] ?? .null }

  public func attribute(_ attribute: BoundAttribute) throws -> Value {
    self.values[attribute.name]?.scalar ?? .null
  }

  public func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)? {
    if case .subject(let subject)? = self.values[relationship.name] { subject } else { nil }
  }

  public func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject] {
    (self.values[relationship.name]?.elements ?? []).compactMap {
      if case .subject(let subject) = $0 { subject } else { nil }
    }
  }

  public var predicateIdentity: ManagedObjectID? { nil }
}

/// An operand is itself a subject, so that a predicate can be asked of a plain value: `SELF BEGINSWITH 'a'`.
extension PredicateOperand: PredicateSubject {
  public var predicateOperand: PredicateOperand { self }

  public var predicateIdentity: ManagedObjectID? {
    if case .object(let id)? = self.scalar { id } else { nil }
  }

  public func operand(forKey key: String) throws -> PredicateOperand { try self.answer(.key(key)) }

  public func attribute(_ attribute: BoundAttribute) throws -> Value {
    guard case .subject(let subject) = self else { return try self.refuse(attribute.name) }
    return try subject.attribute(attribute)
  }

  public func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)? {
    guard case .subject(let subject) = self else { return try self.refuse(relationship.name) }
    return try subject.toOne(relationship)
  }

  public func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject] {
    guard case .subject(let subject) = self else { return try self.refuse(relationship.name) }
    return try subject.toMany(relationship)
  }

  private func refuse<Answer>(_ key: String) throws(FetchPredicateError) -> Answer {
    throw FetchPredicateError(.unknownKeyPath, subject: key, "\(self.kindName) has no properties")
  }
}

extension PredicateOperand {
  /// A subject that answers keys with these values.
  public static func keyed(_ values: [String: PredicateOperand]) -> PredicateOperand {
    .subject(KeyedSubject(values))
  }
}

extension PredicateOperand: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  public init(integerLiteral value: Int64) { self = .value(.int(value)) }
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
  public init(nilLiteral: ()) { self = .value(.null) }
  public init(arrayLiteral elements: PredicateOperand...) { self = .collection(elements, isOrdered: true) }
}
