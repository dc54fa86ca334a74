public import FederatedModel

/// Predicates over objects in memory see edits, computed values and fetched properties by key.
extension ManagedObject: PredicateSubject {
  /// What a fetch judges: edits, but no computed values, which stores do not have. An object must not leave an answer
  /// or enter it because something of it is unsaved.
  public final func attribute(_ attribute: BoundAttribute) throws -> Value {
    guard let own = self.entity.attribute(named: attribute.name) else { return .null }
    return try self.unlessGone { try self.attributeValue(own) } ?? .null
  }

  public final func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)? {
    guard let own = self.entity.relationship(named: relationship.name) else { return nil }
    return try self.unlessGone { try self.toOne(own) } ?? nil
  }

  public final func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject] {
    guard let own = self.entity.relationship(named: relationship.name) else { return [] }
    return try self.unlessGone { try self.toMany(own) } ?? []
  }

  /// A link may lead to a row that is gone: everything of it is nil, as it is for stores.
  private func unlessGone<Result>(_ read: () throws -> Result) throws -> Result? {
    do { return try read() } catch let error as ManagedObjectError
      where error.code == .inaccessibleFault && error.object == self.objectID
    {
      return nil
    }
  }

  public final func operand(forKey key: String) throws -> PredicateOperand {
    if let custom = try self.customValue(forKey: key) { return .value(custom) }
    return try self.storedOperand(forKey: key)
  }

  /// The same without asking ``customValue(forKey:)``.
  final func storedOperand(forKey key: String) throws -> PredicateOperand {
    switch self.entity.property(named: key) {
    case .attribute(let attribute)?: return .value(try self.attributeValue(attribute))
    case .relationship(let relationship)? where relationship.isToMany:
      return .collection(
        try self.toMany(relationship).map { .subject($0) }, isOrdered: relationship.isOrdered)
    case .relationship(let relationship)?:
      return try self.toOne(relationship).map { .subject($0) } ?? .value(.null)
    case .fetched(let property)?:
      return .collection(try self.fetched(property).map { .subject($0) }, isOrdered: true)
    case nil where key == "objectID" || key.uppercased() == "SELF": return .subject(self)
    case nil: throw ManagedObjectError.unknownProperty(key, of: self.entity)
    }
  }

  public final var predicateIdentity: ManagedObjectID? { self.objectID }
}
