public import FederatedModel

extension ManagedObject {
  private func relationship(_ key: String, toMany: Bool) throws -> Relationship {
    guard let property = self.entity.property(named: key) else {
      throw ManagedObjectError.unknownProperty(key, of: self.entity)
    }
    guard case .relationship(let relationship) = property, relationship.isToMany == toMany else {
      throw ManagedObjectError.wrongKind(
        key, of: self.entity, isNo: toMany ? "to-many relationship" : "to-one relationship")
    }
    return relationship
  }

  /// The destination of a to-one relationship, by name.
  public final func object(_ key: String) throws -> ManagedObject? {
    try self.toOne(try self.relationship(key, toMany: false))
  }

  /// The destinations of a to-many relationship, by name, in order where it is ordered.
  public final func objects(_ key: String) throws -> [ManagedObject] {
    try self.toMany(try self.relationship(key, toMany: true))
  }

  /// Sets a to-one relationship; nil takes the link away. The inverse follows at once.
  public final func set(_ key: String, to destination: ManagedObject?) throws {
    guard destination == nil, self.entity.relationship(named: key) == nil else {
      return try self.setToOne(try self.relationship(key, toMany: false), to: destination)
    }
    try self.set(key, to: Value.null)
  }

  /// Makes a to-many relationship what is given; an ordered one takes the order too.
  public final func set(_ key: String, to members: [ManagedObject]) throws {
    if self.entity.fetchedProperty(named: key) != nil {
      throw ManagedObjectError.readOnly(key, of: self.entity)
    }
    try self.setToMany(try self.relationship(key, toMany: true), to: members)
  }

  /// Adds an object to a to-many relationship, at the end of an ordered one. The list is not read for it.
  public final func add(_ member: ManagedObject, to key: String) throws {
    if self.entity.fetchedProperty(named: key) != nil {
      throw ManagedObjectError.readOnly(key, of: self.entity)
    }
    try self.addToMany(try self.relationship(key, toMany: true), member)
  }

  /// Takes an object out of a to-many relationship. The list is not read for it.
  public final func remove(_ member: ManagedObject, from key: String) throws {
    if self.entity.fetchedProperty(named: key) != nil {
      throw ManagedObjectError.readOnly(key, of: self.entity)
    }
    try self.removeFromMany(try self.relationship(key, toMany: true), member)
  }

  /// Puts an object at a place of an ordered relationship; one that is there already moves.
  public final func insert(_ member: ManagedObject, into key: String, at place: Int) throws {
    try self.insertIntoMany(try self.relationship(key, toMany: true), member, at: place)
  }

  /// Whether reading the relationship would ask a store. Never fires anything.
  public final func hasFault(forRelationshipNamed key: String) throws -> Bool {
    guard let property = self.entity.property(named: key) else {
      throw ManagedObjectError.unknownProperty(key, of: self.entity)
    }
    guard case .relationship(let relationship) = property else {
      throw ManagedObjectError.wrongKind(key, of: self.entity, isNo: "relationship")
    }
    guard relationship.isToMany else { return self.isFault && self.snapshot == nil }
    if self.isInserted { return false }
    return !(self.extras?.toMany.contains { $0.relationship === relationship && $0.isFired } ?? false)
  }

  /// The identifiers that a relationship leads to, without making their values readable.
  public final func objectIDs(forRelationshipNamed key: String) throws -> [ManagedObjectID] {
    guard let property = self.entity.property(named: key) else {
      throw ManagedObjectError.unknownProperty(key, of: self.entity)
    }
    guard case .relationship(let relationship) = property else {
      throw ManagedObjectError.wrongKind(key, of: self.entity, isNo: "relationship")
    }
    if relationship.isToMany { return try self.toMany(relationship).map(\.objectID) }
    if self.isFault { try self.fire() }
    return self.destinationID(relationship).map { [$0] } ?? []
  }
}
