public import FederatedModel

/// A stored row that answers a predicate.
public struct SnapshotSubject: PredicateSubject {
  public let row: Snapshot
  private let source: any RowSource

  public init(_ row: Snapshot, in source: any RowSource) {
    self.row = row
    self.source = source
  }

  public func attribute(_ attribute: BoundAttribute) throws -> Value {
    guard let kind = attribute.type.slotKind else { return .null }
    return self.row.value(attribute.slot, kind, store: self.source.store)
  }

  /// A destination that is in no row of the store counts as nil.
  public func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)? {
    guard let destination = self.row.destination(relationship.slot) else { return nil }
    let identity = RowIdentity(entity: destination.entity, reference: destination.reference)
    return try self.source.row(identity).map { SnapshotSubject($0, in: self.source) }
  }

  public func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject] {
    let owner = RowIdentity(entity: self.row.entity, reference: self.row.reference)
    return try self.source.related(relationship, of: owner).compactMap { identity in
      try self.source.row(identity).map { SnapshotSubject($0, in: self.source) }
    }
  }

  public func operand(forKey key: String) throws -> PredicateOperand {
    let entity = self.source.model[self.row.entity].name
    throw FetchPredicateError(
      .keyPathNotFetchable, entity: entity, subject: key,
      "a store cannot answer this key; ask for a stored property of \(entity)")
  }

  public func passes(_ test: AttributeTest) throws -> Bool { try self.row.passes(test) }

  public var predicateIdentity: ManagedObjectID? {
    ManagedObjectID(store: self.source.store, entity: self.row.entity, reference: self.row.reference)
  }
}

extension RowIdentity {
  /// Who the row is.
  @inlinable public init(_ row: Snapshot) {
    self.init(entity: row.entity, reference: row.reference)
  }
}
