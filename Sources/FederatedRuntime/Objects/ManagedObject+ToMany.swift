import FederatedModel

extension ManagedObject {
  final func ensureToManyList(_ relationship: Relationship) -> ToManyList {
    if let list = self.extras?.toMany.first(where: { $0.relationship === relationship }) { return list }
    let list = ToManyList(relationship, base: self.isInserted ? [] : nil)
    self.ensureExtras().toMany.append(list)
    return list
  }

  /// The list of a to-many, for a reader: an object whose row is gone has none.
  final func toManyList(_ relationship: Relationship) throws -> ToManyList {
    if self.flags.contains(.inaccessible) { throw ManagedObjectError.inaccessible(self) }
    return self.ensureToManyList(relationship)
  }

  /// The destinations of a to-many, edits included, in order where it is ordered.
  final func toMany(_ relationship: Relationship) throws -> [ManagedObject] {
    try self.toManyList(relationship).visible(of: self)
  }

  final func addToMany(_ relationship: Relationship, _ member: ManagedObject) throws {
    try self.checkLink(relationship, to: member)
    guard try self.toManyList(relationship).recordAdd(member) else { return self.markChanged() }
    self.markChanged()
    if let inverse = self.inverse(of: relationship) {
      try member.linkInverse(inverse, to: self, from: relationship)
    }
  }

  final func removeFromMany(_ relationship: Relationship, _ member: ManagedObject) throws {
    try self.checkLink(relationship, to: member)
    guard try self.toManyList(relationship).recordRemove(member) else { return }
    self.markChanged()
    if let inverse = self.inverse(of: relationship) {
      try member.unlinkInverse(inverse, from: self)
    }
  }

  /// Makes the list what is given: the difference is added and removed, with upkeep.
  final func setToMany(_ relationship: Relationship, to members: [ManagedObject]) throws {
    for member in members { try self.checkLink(relationship, to: member) }
    let old = try self.toMany(relationship)
    var seen: Set<ObjectIdentifier> = []
    let wanted = members.filter { seen.insert(ObjectIdentifier($0)).inserted }
    let known = Set(old.map(ObjectIdentifier.init))
    for member in old where !seen.contains(ObjectIdentifier(member)) {
      try self.removeFromMany(relationship, member)
    }
    for member in wanted where !known.contains(ObjectIdentifier(member)) {
      try self.addToMany(relationship, member)
    }
    if relationship.isOrdered, try self.toMany(relationship) != wanted {
      try self.toManyList(relationship).put(inOrder: wanted)
    }
    self.markChanged()
  }

  /// Puts a member at a place of an ordered list, adding it when it is not there yet.
  final func insertIntoMany(_ relationship: Relationship, _ member: ManagedObject, at place: Int) throws {
    guard relationship.isOrdered else {
      throw ManagedObjectError.wrongKind(relationship.name, of: self.entity, isNo: "ordered relationship")
    }
    try self.checkLink(relationship, to: member)
    var members = try self.toMany(relationship)
    members.removeAll { $0 === member }
    guard (0...members.count).contains(place) else {
      throw ManagedObjectError(
        .invalidArgument, entity: self.entity.name, property: relationship.name, object: self.objectID,
        "place \(place) is outside a list of \(members.count)")
    }
    members.insert(member, at: place)
    try self.setToMany(relationship, to: members)
  }
}
