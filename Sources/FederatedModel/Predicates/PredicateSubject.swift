/// What a predicate can be asked about: a row, a managed object, a dictionary.
///
/// One evaluator serves all of them, so an answer cannot depend on where the subject lives.
public protocol PredicateSubject {
  /// The value of a stored attribute, or of a key of a subject without an entity.
  func attribute(_ attribute: BoundAttribute) throws -> Value
  /// The destination of a to-one; nil when there is none.
  func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)?
  /// The destinations of a to-many, in order where it is ordered.
  func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject]
  /// What a key means for a subject that has no entity, or a key that no store knows (fetched, transient).
  func operand(forKey key: String) throws -> PredicateOperand
  /// Who the subject is; nil for subjects without identity.
  var predicateIdentity: ManagedObjectID? { get }

  /// What `SELF` is: the subject, unless it stands for a plain value or a collection.
  var predicateOperand: PredicateOperand { get }
  /// Whether a stored attribute passes a test against constants.
  ///
  /// The default reads the attribute boxed. A subject over a ``Snapshot`` answers `snapshot.passes(test)`,
  /// which allocates nothing.
  func passes(_ test: AttributeTest) throws -> Bool
}

extension PredicateSubject {
  public var predicateOperand: PredicateOperand { .subject(self) }

  public func passes(_ test: AttributeTest) throws -> Bool {
    try test.accepts(try self.attribute(test.attribute))
  }
}

/// What a step of a key path arrives at.
public enum PredicateOperand {
  case value(Value)
  case subject(any PredicateSubject)
  case collection([PredicateOperand], isOrdered: Bool)
}
