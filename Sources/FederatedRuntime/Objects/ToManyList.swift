import FederatedModel

/// The members of one to-many of one object: what is saved, and what was added and removed since.
///
/// Changes are kept as differences, so that upkeep of a list that was never read costs no store access.
final class ToManyList {
  let relationship: Relationship
  /// The saved members; nil while they were not read.
  private(set) var base: [ManagedObject]?
  private var baseSet: Set<ObjectIdentifier>?
  private(set) var added: [ManagedObject] = []
  private var addedSet: Set<ObjectIdentifier> = []
  private(set) var removed: [ManagedObject] = []
  private var removedSet: Set<ObjectIdentifier> = []
  /// The whole list, once an ordered relationship was put in an order of its own.
  private(set) var order: [ManagedObject]?
  /// What a reader sees, once it was put together.
  private var members: [ManagedObject]?

  /// What changes, to be put back later.
  struct Contents {
    fileprivate let base: [ManagedObject]?
    fileprivate let added: [ManagedObject]
    fileprivate let removed: [ManagedObject]
    fileprivate let order: [ManagedObject]?
  }

  var contents: Contents {
    get { Contents(base: self.base, added: self.added, removed: self.removed, order: self.order) }
    set {
      self.base = newValue.base
      self.baseSet = nil
      self.added = newValue.added
      self.addedSet = Set(newValue.added.map(ObjectIdentifier.init))
      self.removed = newValue.removed
      self.removedSet = Set(newValue.removed.map(ObjectIdentifier.init))
      self.order = newValue.order
      self.members = nil
    }
  }

  init(_ relationship: Relationship, base: [ManagedObject]?) {
    self.relationship = relationship
    self.base = base
  }

  var isFired: Bool { self.base != nil }
  var hasPending: Bool { !self.added.isEmpty || !self.removed.isEmpty || self.order != nil }

  func adopt(base: [ManagedObject]) {
    self.base = base
    self.baseSet = nil
    self.members = nil
    if !self.added.isEmpty || !self.removed.isEmpty { self.settle(against: Set(base)) }
  }

  /// What was added is there already, or what was removed never was: that is no difference any more.
  private func settle(against base: Set<ManagedObject>) {
    self.removed.removeAll { !base.contains($0) }
    self.removedSet = Set(self.removed.map(ObjectIdentifier.init))
    // In an ordered list a member may be removed from its place and added at the end.
    self.added.removeAll { base.contains($0) && !self.removedSet.contains(ObjectIdentifier($0)) }
    self.addedSet = Set(self.added.map(ObjectIdentifier.init))
  }

  /// Takes over what a store says, less the members that unsaved edits of their own lead elsewhere, or delete.
  func adopt(base: [ManagedObject], readFor owner: ManagedObject) {
    self.adopt(base: base)
    guard let inverse = owner.inverse(of: self.relationship) else { return }
    for member in base where member.changedPlace >= 0 && member.hasLeft(owner, inverse) {
      self.recordRemove(member)
      owner.markChanged()
    }
  }

  /// The saved members are unread again; pending differences stay.
  func forgetBase() {
    self.base = nil
    self.baseSet = nil
    self.members = nil
  }

  /// The saved members, read when need be.
  func firedBase(of owner: ManagedObject) throws -> [ManagedObject] {
    if let base = self.base { return base }
    if owner.isInserted || self.relationship.isTransient {
      self.adopt(base: [])
      return []
    }
    guard let context = owner.home.context else {
      throw ManagedObjectError.noContext(owner, self.relationship.name)
    }
    let base = try context.related(self.relationship, of: owner)
    self.adopt(base: base, readFor: owner)
    return base
  }

  /// What a reader sees.
  func visible(of owner: ManagedObject) throws -> [ManagedObject] {
    if let order = self.order { return order }
    if let members = self.members { return members }
    let base = try self.firedBase(of: owner)
    let members = self.overlay(on: base)
    self.members = members
    return members
  }

  private func overlay(on base: [ManagedObject]) -> [ManagedObject] {
    guard self.hasPending else { return base }
    var seen: Set<ObjectIdentifier> = []
    var members = base.filter { member in
      let identifier = ObjectIdentifier(member)
      if self.removedSet.contains(identifier) { return false }
      seen.insert(identifier)
      return true
    }
    for member in self.added where !seen.contains(ObjectIdentifier(member)) { members.append(member) }
    return members
  }

  /// What a reader would see, as far as it is known without a store access.
  var visibleIfKnown: [ManagedObject] { self.order ?? self.overlay(on: self.base ?? []) }

  private func baseContains(_ member: ManagedObject) -> Bool? {
    guard let base = self.base else { return nil }
    if self.baseSet == nil { self.baseSet = Set(base.map(ObjectIdentifier.init)) }
    return self.baseSet?.contains(ObjectIdentifier(member))
  }

  // MARK: Differences

  /// - Returns: false when the member was there already, as far as that is known.
  @discardableResult func recordAdd(_ member: ManagedObject) -> Bool {
    let identifier = ObjectIdentifier(member)
    if self.order != nil {
      if self.order!.contains(where: { $0 === member }) { return false }
      self.order!.append(member)
      return true
    }
    if self.addedSet.contains(identifier) { return false }
    if self.removedSet.contains(identifier) {
      // Into an ordered list it comes back at the end, so it stays removed from where it was.
      guard !self.relationship.isOrdered else { return self.append(member) }
      self.removedSet.remove(identifier)
      self.removed.removeAll { $0 === member }
      self.members = nil
      return true
    }
    if self.baseContains(member) == true { return false }
    return self.append(member)
  }

  private func append(_ member: ManagedObject) -> Bool {
    self.added.append(member)
    self.addedSet.insert(ObjectIdentifier(member))
    // A list that was read stays put together; one more member goes to its end.
    self.members?.append(member)
    return true
  }

  /// - Returns: false when the member is known not to be there.
  @discardableResult func recordRemove(_ member: ManagedObject) -> Bool {
    let identifier = ObjectIdentifier(member)
    if self.order != nil {
      guard let place = self.order!.firstIndex(where: { $0 === member }) else { return false }
      self.order!.remove(at: place)
      return true
    }
    let wasAdded = self.addedSet.remove(identifier) != nil
    if wasAdded { self.added.removeAll { $0 === member } }
    self.members = nil
    switch self.baseContains(member) {
    case false?: return wasAdded
    case true?, nil:
      guard self.removedSet.insert(identifier).inserted else { return wasAdded }
      self.removed.append(member)
      return true
    }
  }

  /// Gives an ordered list an order of its own.
  func put(inOrder members: [ManagedObject]) {
    self.order = members
    self.added = []
    self.addedSet = []
    self.removed = []
    self.removedSet = []
    self.members = nil
  }

  /// Members that the next save adds and removes.
  func differences(base: [ManagedObject]) -> (added: [ManagedObject], removed: [ManagedObject]) {
    guard self.relationship.isOrdered else { return (self.added, self.removed) }
    let list = self.order ?? self.overlay(on: base)
    let old = Set(base.map(ObjectIdentifier.init))
    let new = Set(list.map(ObjectIdentifier.init))
    return (
      list.filter { !old.contains(ObjectIdentifier($0)) }, base.filter { !new.contains(ObjectIdentifier($0)) }
    )
  }

  /// Takes a pending member out, as if it had never been added.
  func withdraw(_ member: ManagedObject) {
    self.order?.removeAll { $0 === member }
    if self.addedSet.remove(ObjectIdentifier(member)) != nil { self.added.removeAll { $0 === member } }
    self.members = nil
  }

  /// One pending member stands for another.
  func replace(_ member: ManagedObject, by other: ManagedObject) {
    let isAdded = self.addedSet.contains(ObjectIdentifier(member))
    if let place = self.order?.firstIndex(where: { $0 === member }) {
      if self.order?.contains(where: { $0 === other }) == false { self.order?.insert(other, at: place) }
    }
    self.withdraw(member)
    if isAdded { self.recordAdd(other) }
  }

  /// Keeps who is added and removed, and forgets in which order.
  func forgetOrder(added: [ManagedObject], removed: [ManagedObject]) {
    self.dropPending()
    for member in removed { self.recordRemove(member) }
    for member in added { self.recordAdd(member) }
  }

  /// Forgets pending differences.
  func dropPending() {
    self.order = nil
    self.added = []
    self.addedSet = []
    self.removed = []
    self.removedSet = []
    self.members = nil
  }

  /// What a reader sees is saved now.
  func becomeSaved() {
    let visible = self.base == nil && self.order == nil ? nil : self.visibleIfKnown
    self.dropPending()
    self.base = visible
    self.baseSet = nil
  }
}
