import FederatedModel

extension ManagedObjectContext {
  /// Follows the delete rules of deleted objects: cascades, clears links that led to them. A save does this first.
  ///
  /// Until then a deleted object's links stand, so a child can still be given to another parent. Nothing happens
  /// twice: a second call without new deletions does nothing.
  /// - Throws: what a store threw when a deleted object's links were read.
  public func processPendingChanges() throws {
    while !self.undone.isEmpty {
      let batch = self.undone
      self.undone = []
      for (place, object) in batch.enumerated() where object.home.context === self && object.isDeleted {
        do {
          try self.propagate(object)
        } catch {
          self.undone = Array(batch[place...]) + self.undone
          throw error
        }
      }
      for object in batch where object.home.context === self && object.isInserted && object.isDeleted {
        self.expel(object)
      }
    }
  }

  private func propagate(_ object: ManagedObject) throws {
    if object.flags.contains(.propagated), !object.flags.contains(.followedAgain) { return }
    if !object.isInserted {
      do {
        try object.fire()
      } catch let error as ManagedObjectError where error.code == .inaccessibleFault {
        // The row is gone already: there is nothing to delete and nothing to follow.
        object.markPropagated()
        object.home.removeChanged(object)
        return
      }
    }
    for relationship in object.entity.relationships where !relationship.isTransient {
      switch relationship.description.deleteRule {
      case .noAction, .deny: break
      case .cascade:
        for destination in try self.destinations(of: object, relationship) {
          if !destination.isDeleted { self.markDeleted(destination) }
          if destination.isDeleted {
            self.cascades[ObjectIdentifier(destination), default: []].append(object)
          }
        }
      case .nullify:
        guard let inverse = object.inverse(of: relationship) else { break }
        for destination in try self.destinations(of: object, relationship) where !destination.isDeleted {
          try self.unlink(destination, inverse, from: object)
        }
      }
    }
    object.markPropagated()
  }

  /// A destination whose row is gone has no link to clear.
  func unlink(_ destination: ManagedObject, _ inverse: Relationship, from object: ManagedObject)
    throws
  {
    do {
      try destination.unlinkInverse(inverse, from: object)
    } catch let error as ManagedObjectError where error.code == .inaccessibleFault {
      return
    }
  }

  func destinations(of object: ManagedObject, _ relationship: Relationship) throws -> [ManagedObject] {
    if relationship.isToMany { return try object.toMany(relationship) }
    return try object.toOne(relationship).map { [$0] } ?? []
  }
}

extension ManagedObject {
  fileprivate final func markPropagated() {
    self.flags.insert(.propagated)
    self.flags.remove(.followedAgain)
  }
}
