import FederatedModel

/// What all objects of one entity in one context share, so that an object itself stays small.
///
/// An object holds its home, and the home knows the context without holding it: when the context goes, or forgets
/// its objects, the home is told once, and every object of it is without a context.
@usableFromInline final class ObjectHome {
  let entity: Entity
  let type: ManagedObject.Type
  /// Cleared by the context's `deinit` and `reset()`, so it never dangles.
  @exclusivity(unchecked) private unowned(unsafe) var owner: ManagedObjectContext?
  let table = IdentityTable()
  let edits: EditRows
  /// The attributes that a new object starts with a value in.
  let defaults: [Attribute]
  /// What typed keys compare: the model's number, and the entity's place in it.
  @usableFromInline let stamp: UInt64
  @usableFromInline let number: UInt64

  /// Objects with unsaved changes, in the order of their first change. Nil where one was taken out.
  @exclusivity(unchecked) private(set) var changed: [ManagedObject?] = []
  @exclusivity(unchecked) private(set) var changedCount = 0

  private var madeRules: EntityRules?

  init(_ entity: Entity, _ type: ManagedObject.Type, model: UInt16, context: ManagedObjectContext?) {
    self.entity = entity
    self.type = type
    self.owner = context
    self.edits = EditRows(layout: entity.layout)
    self.stamp = entity.id.rawValue < 1 << 16 ? UInt64(model) : 0
    self.number = UInt64(entity.id.rawValue)
    self.defaults = entity.attributes.filter { $0.slot != nil && !$0.description.defaultValue.isNull }
  }

  var context: ManagedObjectContext? { self.owner }

  /// The numbers of the entities that have this attribute in the same slot. Descendants follow their ancestor.
  func family(of attribute: Attribute) -> ClosedRange<Int> {
    let first = attribute.declaringEntity.index
    guard let model = self.owner?.model else { return Int(self.number)...Int(self.number) }
    return first...(first + model[attribute.declaringEntity].family.count - 1)
  }

  /// The context is gone, or has forgotten its objects.
  func leaveContext() {
    self.owner = nil
    self.changed = []
    self.changedCount = 0
  }

  /// What a save checks. Made when first needed.
  /// - Precondition: the context is there.
  var rules: EntityRules {
    if let rules = self.madeRules { return rules }
    guard let model = self.owner?.model else {
      preconditionFailure("objects without a context are not checked")
    }
    let rules = EntityRules(self.entity, self.type, in: model)
    self.madeRules = rules
    return rules
  }

  /// Objects that left the context one by one share this home.
  lazy var outside = ObjectHome(self.entity, self.type, model: UInt16(self.stamp), context: nil)

  // MARK: Changed objects

  /// The changed objects, without holes.
  var changedObjects: [ManagedObject] { self.changed.compactMap(\.self) }

  func addChanged(_ object: ManagedObject) {
    if object.changedPlace >= 0 { return }
    object.changedPlace = Int32(self.changed.count)
    self.changed.append(object)
    self.changedCount += 1
  }

  func removeChanged(_ object: ManagedObject) {
    guard object.changedPlace >= 0 else { return }
    self.changed[Int(object.changedPlace)] = nil
    object.changedPlace = -1
    self.changedCount -= 1
    if self.changedCount == 0 { self.changed = [] }
  }

  /// Makes the changed objects those that they were.
  func restore(changed: [ManagedObject?]) {
    self.removeAllChanged()
    self.changed = changed
    for (place, object) in changed.enumerated() {
      guard let object else { continue }
      object.changedPlace = Int32(place)
      self.changedCount += 1
    }
  }

  func removeAllChanged() {
    for object in self.changed { object?.changedPlace = -1 }
    self.changed = []
    self.changedCount = 0
  }
}
