import FederatedModel

/// What a context holds unsaved, kept over an attempt to save it, so that a refusal leaves everything as it was.
///
/// A merge moves values, links, identifiers and deletions of many objects before it is known whether the stores take
/// the result. Made when a policy is asked for the first time, since most saves meet no conflict.
struct ContextMemento {
  private let homes: [Home]
  private let objects: [Kept]
  private let undone: [ManagedObject]
  private let watched: [ManagedObject]
  private let assignments: [ObjectIdentifier: StoreID]
  private let replacedIDs: [ManagedObjectID: ManagedObjectID]
  private let cascades: [ObjectIdentifier: [ManagedObject]]

  private struct Home {
    let home: ObjectHome
    let edits: EditRows.Contents
    let changed: [ManagedObject?]
  }

  private struct Kept {
    let object: ManagedObject
    let home: ObjectHome
    let id: ManagedObjectID
    let snapshot: Snapshot?
    let standing: Int32
    let flags: ObjectFlags
    let extras: Extras?
  }

  private struct Extras {
    let extras: ObjectExtras
    let fetched: [FetchedArray]
    let lists: [(list: ToManyList, contents: ToManyList.Contents)]
    let transients: [String: Value]

    init(_ extras: ObjectExtras) {
      self.extras = extras
      self.fetched = extras.fetched
      self.lists = extras.toMany.map { ($0, $0.contents) }
      self.transients = extras.transients
    }

    func restored() -> ObjectExtras {
      self.extras.fetched = self.fetched
      self.extras.toMany = self.lists.map(\.list)
      for (list, contents) in self.lists { list.contents = contents }
      self.extras.transients = self.transients
      return self.extras
    }
  }

  init(_ context: ManagedObjectContext) {
    let homes = context.allHomes
    self.homes = homes.map { Home(home: $0, edits: $0.edits.contents, changed: $0.changed) }
    self.objects = homes.flatMap { home in
      home.table.objects.map { object in
        Kept(
          object: object, home: home, id: object.objectID, snapshot: object.snapshot,
          standing: object.standing, flags: object.flags, extras: object.extras.map(Extras.init))
      }
    }
    self.undone = context.undone
    self.watched = context.watched
    self.assignments = context.assignments
    self.replacedIDs = context.replacedIDs
    self.cascades = context.cascades
  }

  /// Makes the context what it was. Objects that came in since stay, as faults.
  func restore(_ context: ManagedObjectContext) {
    self.forgetNewcomers(of: context)
    self.restoreRegistration(in: context)
    for kept in self.objects {
      kept.object.snapshot = kept.snapshot
      kept.object.standing = kept.standing
      kept.object.flags = kept.flags
      kept.object.extras = kept.extras?.restored()
    }
    for home in self.homes {
      home.home.edits.contents = home.edits
      home.home.restore(changed: home.changed)
    }
    context.undone = self.undone
    context.watched = self.watched
    context.assignments = self.assignments
    context.replacedIDs = self.replacedIDs
    context.cascades = self.cascades
  }

  private func forgetNewcomers(of context: ManagedObjectContext) {
    let known = Set(self.objects.map { ObjectIdentifier($0.object) })
    for home in context.allHomes {
      for object in home.table.objects where !known.contains(ObjectIdentifier(object)) {
        if object.isInserted {
          context.expel(object)
        } else {
          home.removeChanged(object)
          object.dropEdits(standing: ManagedObject.fault)
          object.snapshot = nil
          object.extras = nil
          object.flags = []
        }
      }
    }
  }

  /// Objects that left come back, and each is found under the identifier that it had.
  private func restoreRegistration(in context: ManagedObjectContext) {
    let moved = self.objects.filter { $0.object.home !== $0.home || $0.object.objectID != $0.id }
    for kept in moved { kept.home.table.remove(kept.object, reference: kept.object.objectID.reference) }
    for kept in moved {
      kept.object.home = kept.home
      kept.object.objectID = kept.id
      context.register(kept.object, in: kept.home)
    }
  }
}
