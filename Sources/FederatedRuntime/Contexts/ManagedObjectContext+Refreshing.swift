import FederatedModel
internal import FederatedStore

extension ManagedObjectContext {
  /// Forgets what was read of an object, so that the next read asks its store again. Fetched arrays go in any case.
  ///
  /// - Parameter mergeChanges: false drops the object's unsaved edits and makes it a fault; its unsaved links are
  ///   taken back at both ends. True keeps them over the row as it is stored now; an object without edits becomes a
  ///   fault.
  ///
  /// An object that was never saved has nothing to go back to and keeps its values.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    guard object.home.context === self else { return }
    self.refresh([object], mergeChanges: mergeChanges)
  }

  /// Refreshes every object of the context, keeping unsaved edits.
  public func refreshAll() {
    self.recent.removeAll()
    self.refresh(self.registeredObjects, mergeChanges: true)
  }

  /// Refreshes objects, keeping unsaved edits.
  func refreshMerging(_ objects: [ManagedObject]) { self.refresh(objects, mergeChanges: true) }

  private func refresh(_ objects: [ManagedObject], mergeChanges: Bool) {
    var keeping: [ManagedObject] = []
    for object in objects {
      object.dropFetchedArrays()
      if object.isInserted { continue }
      object.flags.subtract(
        object.isDeleted && object.changedPlace < 0 ? [.inaccessible, .deleted] : .inaccessible)
      if mergeChanges && object.hasChanges {
        keeping.append(object)
      } else if object.isDeleted {
        object.turnIntoFault()
        self.followAgain(object)
      } else {
        self.dropEdits(of: object)
      }
    }
    guard !keeping.isEmpty else { return }
    do {
      let rows = try self.reading { try $0.rows(for: keeping.map(\.objectID)) }
      for (object, row) in zip(keeping, rows) {
        guard let row else { continue }
        self.refresh(object, from: row)
        if object.isDeleted { self.followAgain(object) }
      }
    } catch {
      self.keep(error)
    }
  }

  /// A deleted object may have links by now that its delete rules know nothing of.
  func followAgain(_ object: ManagedObject) {
    guard object.isDeleted, object.changedPlace >= 0, object.flags.contains(.propagated),
      object.flags.insert(.followedAgain).inserted
    else { return }
    self.undone.append(object)
  }

  /// Its links go back at both ends; what leads to deleted objects stays cleared.
  private func dropEdits(of object: ManagedObject) {
    do {
      let severed = object.hasChanges ? try object.takeBackLinks() : SeveredLinks()
      self.forgetChanges(of: object)
      object.turnIntoFault()
      try object.sever(severed)
    } catch {
      self.keep(error)
      self.forgetChanges(of: object)
      object.turnIntoFault()
    }
  }

  /// Takes the stored row over; edits stay above it.
  func refresh(_ object: ManagedObject, from row: Snapshot) {
    if object.isInserted { return }
    object.snapshot = row
    object.dropFetchedArrays()
    for list in object.extras?.toMany ?? [] { list.forgetBase() }
  }

  /// The object has nothing to save any more.
  private func forgetChanges(of object: ManagedObject) {
    object.flags.subtract([.updated, .deleted, .propagated, .chosen, .followedAgain])
    object.home.removeChanged(object)
  }

  /// Takes back everything unsaved: new objects leave, deleted ones come back, edits go. Asks no store.
  public func rollback() {
    self.undone = []
    self.cascades = [:]
    for object in self.changedObjects {
      if object.isInserted {
        self.expel(object)
        continue
      }
      self.forgetChanges(of: object)
      object.dropFetchedArrays()
      for list in object.extras?.toMany ?? [] { list.dropPending() }
      object.extras?.transients = [:]
      if object.standing >= 0 {
        object.dropEdits(standing: object.snapshot == nil ? ManagedObject.fault : ManagedObject.plain)
      }
    }
    self.replacedIDs = [:]
  }
}
