import FederatedModel

/// A member of a pass as predicates ask it: its own values as the stores have them, unless they are edited; what links
/// lead to as the context has it.
struct MemberSubject: PredicateSubject {
  let member: EntityPass.Member
  let context: ManagedObjectContext

  private var object: ManagedObject {
    switch self.member {
    case .object(let object): object
    case .row(let row):
      self.context.object(
        for: row.snapshot, store: row.store, home: self.context.home(row.snapshot.entity))
    }
  }

  func attribute(_ attribute: BoundAttribute) throws -> Value { try self.member.value(attribute) }
  func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)? {
    try self.object.toOne(relationship)
  }
  func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject] {
    try self.object.toMany(relationship)
  }
  func operand(forKey key: String) throws -> PredicateOperand { try self.object.operand(forKey: key) }
  var predicateIdentity: ManagedObjectID? { self.member.objectID }
}

/// The terms of a condition, made ready to be asked one by one of many members.
struct MemberTerms {
  let conditions: [FetchPredicate]
  private let prepared: [PreparedPredicate]
  /// The relationships that the terms lead through.
  private let paths: [String]
  private let context: ManagedObjectContext

  /// - Throws: ``FetchPredicateError`` for a term that cannot be asked of the destination.
  init(_ conditions: [FetchPredicate], of destination: Entity, in context: ManagedObjectContext) throws {
    self.conditions = conditions
    self.prepared = try conditions.map {
      try PreparedPredicate(try $0.bound(to: destination, in: context.model))
    }
    self.paths = Set(
      conditions.flatMap {
        $0.keyPaths.compactMap { destination.relationshipPath(of: $0, in: context.model) }
      }
    ).sorted()
    self.context = context
  }

  /// Brings what the terms read through relationships, by the set.
  func prepare(_ members: [EntityPass.Member], of pass: EntityPass) throws {
    if self.paths.isEmpty || members.isEmpty { return }
    try self.context.prefetchRelationships(self.paths, for: pass.objects(of: members))
  }

  /// Which of the terms a member passes.
  func verdicts(on member: EntityPass.Member) throws -> [Bool] {
    let subject = MemberSubject(member: member, context: self.context)
    var verdicts: [Bool] = []
    for term in self.prepared {
      do { verdicts.append(try term.evaluate(subject)) } catch let error as FetchPredicateError {
        // A read does not ask a term behind one that the row fails, so that one may have no answer.
        if !verdicts.contains(false) { throw error }
        verdicts.append(false)
      }
    }
    return verdicts
  }

  /// Whether a member passes all of them.
  func hold(for member: EntityPass.Member) throws -> Bool {
    let subject = MemberSubject(member: member, context: self.context)
    return try self.prepared.allSatisfy { try $0.evaluate(subject) }
  }
}
