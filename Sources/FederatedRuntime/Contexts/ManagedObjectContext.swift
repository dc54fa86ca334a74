public import FederatedModel
internal import FederatedStore

/// The unit of work: one object for each row, unsaved changes, and the save that ends them.
///
/// A context is not Sendable; the compiler confines it, with all its objects, to the place where it was made.
/// Any number of contexts share one coordinator. Between contexts only identifiers travel.
///
/// ```swift
/// let context = ManagedObjectContext(coordinator: coordinator)
/// for customer in try context.fetch(FetchRequest("Customer", limit: 5)) {
///   print(try customer.value("name"))
/// }
/// ```
///
/// Objects do not keep their context alive. Clean objects that nobody refers to leave it by themselves; changed
/// ones are held until they are saved.
public final class ManagedObjectContext {
  /// Where the context reads and saves.
  public let coordinator: PersistentStoreCoordinator
  /// The coordinator's model.
  public let model: ManagedObjectModel
  /// Which class the objects of an entity have.
  public let classes: ObjectClasses
  /// Free text for messages and history.
  public var name: String?
  /// What a save does about rows that others changed meanwhile.
  public var mergePolicy = MergePolicy.error
  /// What a typed read of an object does whose row is gone.
  public var inaccessibleFaults = InaccessibleFaultPolicy.report
  /// Whether clean objects stay although nobody refers to them. Objects that are fetched again are then found, not
  /// made; memory is freed by ``reset()``, or by setting this to false again.
  public var retainsRegisteredObjects = false {
    didSet {
      self.retained = [:]
      guard self.retainsRegisteredObjects else { return }
      for object in self.registeredObjects { self.retained[ObjectIdentifier(object)] = object }
    }
  }
  let parent: any ContextParent
  /// What ``retainsRegisteredObjects`` holds.
  private var retained: [ObjectIdentifier: ManagedObject] = [:]

  /// What the objects of each entity share, by entity number; made when first needed.
  private var homes: [ObjectHome?]
  /// Objects whose rows were asked for one by one lately, so that a walk along links does not ask again.
  var recent = RecentObjects()
  var lastWay: FollowedLink?
  /// Deleted objects whose relationships' delete rules have not been followed yet.
  var undone: [ManagedObject] = []
  /// By object, the deleted ones whose rules delete it with them.
  var cascades: [ObjectIdentifier: [ManagedObject]] = [:]
  /// Stores chosen by ``assign(_:to:)``.
  var assignments: [ObjectIdentifier: StoreID] = [:]
  /// Permanent identifiers given before the save, by the temporary ones they replace.
  var replacedIDs: [ManagedObjectID: ManagedObjectID] = [:]
  /// Unchanged objects that the next save looks at all the same.
  var watched: [ManagedObject] = []
  /// User info that replaces a fetched property's own, in this context.
  var userInfo: [UserInfoKey: [String: String]] = [:]
  /// The stored questions of fetched properties that were read, resolved.
  var links: [ObjectIdentifier: PlannedLink] = [:]
  /// The fetched properties that are being read, innermost last.
  var evaluating: [EvaluatedProperty] = []
  /// The class that was inserted last, with its home: its name is not looked up again.
  var lastTypedInsert: (type: ObjectIdentifier, home: ObjectHome)?
  /// Whether any object ever had lists or arrays, which may hold each other.
  var hasExtras = false
  var isSaving = false
  /// What objects that left memory held, and that is let go of one by one: lists may lead on and on.
  private var fallen: [ObjectExtras] = []
  private var isLettingGo = false
  /// How many fetches are under way, one inside the other.
  private(set) var nesting = 0
  var awakening = Awakening()
  var scope = ContextReadScope()
  /// How many reloads of stores the context has taken in.
  var seenReloads: Int
  /// What a reader that cannot throw ran into; thrown by the next fetch or save.
  private var keptError: (any Error)?

  /// - Parameter classes: the classes of typed objects; entities without one get ``ManagedObject``.
  public convenience init(coordinator: PersistentStoreCoordinator, classes: ObjectClasses = .none) {
    self.init(parent: coordinator, classes: classes)
  }

  init(parent: any ContextParent, classes: ObjectClasses) {
    self.parent = parent
    self.coordinator = parent.coordinator
    self.seenReloads = parent.coordinator.attached.reloads.count
    self.model = parent.model
    self.classes = classes
    self.homes = [ObjectHome?](repeating: nil, count: parent.model.entities.count)
  }

  deinit {
    self.scope.end()
    self.leaveAll()
  }

  // MARK: Homes

  func home(_ entity: EntityID) -> ObjectHome {
    if let home = self.homes[entity.index] { return home }
    let home = ObjectHome(
      self.model[entity], self.classes.type(of: entity, in: self.model), model: self.model.stamp,
      context: self)
    self.homes[entity.index] = home
    return home
  }

  /// The homes of an entity and its subentities that exist.
  func homes(of family: [EntityID]) -> [ObjectHome] { family.compactMap { self.homes[$0.index] } }

  var allHomes: [ObjectHome] { self.homes.compactMap(\.self) }

  /// Every object is without a context from here on.
  func leaveAll() {
    let homes = self.allHomes
    // Lists and arrays hold objects that may hold them.
    let holders = self.hasExtras ? homes.flatMap { $0.table.objects.filter { $0.extras != nil } } : []
    for home in homes { home.leaveContext() }
    for holder in holders { holder.extras = nil }
    self.homes = [ObjectHome?](repeating: nil, count: self.model.entities.count)
    self.hasExtras = false
    self.retained = [:]
  }

  /// A new object comes in.
  func register(_ object: ManagedObject, in home: ObjectHome) {
    home.table.insert(object)
    if self.retainsRegisteredObjects { self.retained[ObjectIdentifier(object)] = object }
  }

  /// A dying object takes itself out.
  func forget(_ object: ManagedObject) {
    object.home.table.remove(object, reference: object.objectID.reference)
    if object.standing >= 0 { object.home.edits.release(object.standing) }
    // No reference may be left here, or they would fall when this returns.
    if let extras = object.extras.take() { self.fallen.append(consume extras) }
    self.letGo()
  }

  /// Without recursion, however long the chain of objects that hold each other.
  private func letGo() {
    if self.isLettingGo || self.fallen.isEmpty { return }
    self.isLettingGo = true
    while self.fallen.popLast() != nil {}
    self.isLettingGo = false
  }

  /// Runs a fetch, and refuses one that hooks and computed values lead back to again and again.
  func nested<Result>(_ fetch: () throws -> Result) throws -> Result {
    guard self.nesting < 64 else {
      throw ManagedObjectError(
        .recursiveHook,
        "fetches are nested 64 deep: a hook or computed value asks what leads back to itself; take the fetch out of it"
      )
    }
    self.nesting += 1
    defer { self.nesting -= 1 }
    return try fetch()
  }

  /// Takes an object out for good: its row is deleted, or its insert was taken back.
  func expel(_ object: ManagedObject) {
    let home = object.home
    home.removeChanged(object)
    home.table.remove(object, reference: object.objectID.reference)
    object.dropEdits(standing: ManagedObject.fault)
    object.snapshot = nil
    object.extras = nil
    object.flags = [.inaccessible]
    self.assignments[ObjectIdentifier(object)] = nil
    self.retained[ObjectIdentifier(object)] = nil
    if !self.cascades.isEmpty { self.cascades[ObjectIdentifier(object)] = nil }
    object.home = home.outside
  }

  // MARK: Changes

  /// Whether there is anything to save.
  public var hasChanges: Bool { self.homes.contains { ($0?.changedCount ?? 0) > 0 } }

  var changedObjects: [ManagedObject] { self.allHomes.flatMap(\.changedObjects) }

  /// Objects that the next save inserts.
  public var insertedObjects: [ManagedObject] {
    self.changedObjects.filter { $0.isInserted && !$0.isDeleted }
  }
  /// Saved objects with edits that the next save writes.
  public var updatedObjects: [ManagedObject] { self.changedObjects.filter(\.isUpdated) }
  /// Objects that the next save deletes.
  public var deletedObjects: [ManagedObject] {
    self.changedObjects.filter { $0.isDeleted && !$0.isInserted }
  }
  /// Every object of the context that somebody refers to.
  public var registeredObjects: [ManagedObject] { self.allHomes.flatMap(\.table.objects) }

  // MARK: Errors of readers that cannot throw

  /// Keeps the first of them.
  func keep(_ error: any Error) {
    if self.inaccessibleFaults == .readAsNil, let error = error as? ManagedObjectError,
      error.code == .inaccessibleFault
    {
      return
    }
    if self.keptError == nil { self.keptError = error }
  }

  func throwKeptError() throws {
    guard let error = self.keptError else { return }
    self.keptError = nil
    throw error
  }
}

/// What a typed read, which cannot throw, does with an object whose row is gone. The accessors that throw always do.
///
/// In either case the value is nil, or the type's zero, and the object counts as deleted: no read traps.
public enum InaccessibleFaultPolicy: Sendable, Hashable {
  /// The next fetch or save throws `inaccessibleFault`.
  case report
  /// Nothing is thrown, as if the object had been deleted here.
  case readAsNil
}

/// Names a fetched property across the entities that inherit it.
struct UserInfoKey: Hashable {
  let entity: EntityID
  let property: String
}

/// A fetched property of one object that is being read.
struct EvaluatedProperty: Equatable {
  let owner: ObjectIdentifier
  let property: ObjectIdentifier
}

/// The last few objects whose rows were asked for one by one.
struct RecentObjects {
  private static let most = 512
  private var objects: [ManagedObject] = []
  private var next = 0

  mutating func keep(_ object: ManagedObject) {
    if self.objects.count < RecentObjects.most {
      self.objects.append(object)
    } else {
      self.objects[self.next] = object
      self.next = (self.next + 1) % RecentObjects.most
    }
  }

  mutating func removeAll() {
    self.objects = []
    self.next = 0
  }
}
