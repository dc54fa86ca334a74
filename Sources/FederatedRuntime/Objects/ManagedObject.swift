public import FederatedModel

/// One row as an object of one context: values, links, unsaved edits.
///
/// A context hands out one object for each row. Objects are not Sendable; the compiler keeps them, like their
/// context, in one place. What crosses to another task is ``objectID``.
///
/// ```swift
/// let invoice = try context.insert("Invoice")
/// try invoice.set("total", to: 3)
/// print(try invoice.value("total"))
/// ```
///
/// Subclass it for hooks (``awakeFromInsert()`` and its kin) and for typed properties (``TypedObject``).
/// An object never reads its context in `deinit`.
open class ManagedObject {
  // No access to these is ever held over a call, so the run-time check of exclusive access has nothing to find.
  @exclusivity(unchecked) @usableFromInline final var home: ObjectHome
  /// Who the object is. Temporary until the first save, or ``ManagedObjectContext/obtainPermanentIDs(for:)``.
  @exclusivity(unchecked) public final internal(set) var objectID: ManagedObjectID
  /// The row as last fetched or saved. Nil when none is at hand.
  @exclusivity(unchecked) @usableFromInline final var snapshot: Snapshot?
  /// Where the values stand: a row of ``ObjectHome/edits``, or one of the two constants below.
  @exclusivity(unchecked) @usableFromInline final var standing: Int32
  /// Place among ``ObjectHome/changed``; -1 for none.
  @exclusivity(unchecked) final var changedPlace: Int32 = -1
  @exclusivity(unchecked) final var flags: ObjectFlags = []
  /// What few objects have: fetched arrays, to-many lists, transient values.
  @exclusivity(unchecked) final var extras: ObjectExtras?

  /// The values are those of the snapshot.
  @usableFromInline static let plain: Int32 = -1
  /// Nothing was read yet; a snapshot may be at hand all the same.
  @usableFromInline static let fault: Int32 = -2

  /// Made by a context only.
  public required init(_ seed: ObjectSeed) {
    self.home = seed.home
    self.objectID = seed.objectID
    self.snapshot = seed.snapshot
    self.standing = ManagedObject.fault
  }

  deinit {
    guard let context = self.home.context else { return }
    context.forget(self)
  }

  // MARK: Hooks

  /// Called once, after the defaults are set, when the object is inserted.
  open func awakeFromInsert() {}
  /// Called when a fault becomes an object with values, before the read that made it one returns. Edits made here
  /// do not count as changes of others.
  ///
  /// Faults that are read here awake first, and so on 32 deep. One that is read deeper has its values at once and
  /// awakes later, before the read that began it all returns: a chain of any length ends.
  open func awakeFromFetch() {}
  /// Called before a save, and again until no object changes any more. Values may be set here.
  open func willSave() {}
  /// Called after a save. Edits made here are unsaved.
  open func didSave() {}
  /// Called by ``ManagedObjectContext/delete(_:)``, each time.
  open func prepareForDeletion() {}
  /// Called before the object becomes a fault.
  open func willTurnIntoFault() {}
  /// Called after the object became a fault; transient values are gone.
  open func didTurnIntoFault() {}
  /// Checks the object before a save that inserts, updates or deletes it. Throw a ``ValidationError`` to refuse.
  open func validate(for change: ObjectChange) throws {}
  /// A computed value under a key. The generic accessors ask here before they look at stored values.
  /// - Returns: nil when the key is not computed.
  open func customValue(forKey key: String) throws -> Value? { nil }
}

/// What a save does to an object.
public enum ObjectChange: Sendable, Hashable {
  case insert, update, delete
}

/// What a context makes an object from.
public struct ObjectSeed {
  let home: ObjectHome
  let objectID: ManagedObjectID
  let snapshot: Snapshot?
}

struct ObjectFlags: OptionSet {
  let rawValue: UInt16
  static let inserted = ObjectFlags(rawValue: 1)
  static let updated = ObjectFlags(rawValue: 2)
  static let deleted = ObjectFlags(rawValue: 4)
  /// The delete rules of its relationships have been followed.
  static let propagated = ObjectFlags(rawValue: 8)
  /// Its row was found to be gone.
  static let inaccessible = ObjectFlags(rawValue: 16)
  /// ``ManagedObject/awakeFromFetch()`` is running: links are set as they are, without upkeep.
  static let awaking = ObjectFlags(rawValue: 32)
  /// ``ManagedObject/prepareForDeletion()`` is running.
  static let preparing = ObjectFlags(rawValue: 64)
  /// ``ManagedObject/awakeFromFetch()`` is due: too many others were running when the object was read.
  static let waiting = ObjectFlags(rawValue: 128)
  /// Deleted for its own sake, not only because a rule deletes it with another.
  static let chosen = ObjectFlags(rawValue: 256)
  /// The delete rules are to be followed once more; what they did stands meanwhile.
  static let followedAgain = ObjectFlags(rawValue: 512)
}

extension ManagedObject: Hashable {
  /// Two references are equal when they are to one object.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
