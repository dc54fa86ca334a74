import FederatedModel
import FederatedStore

/// Store and number of each new object of one save, decided before anything of the objects is changed.
struct PermanentIdentifiers {
  /// By the number of the entity, then by the object's place among the changed ones.
  private var planned: [[ManagedObjectID?]]

  /// Decides for every new object of the context.
  init(_ context: ManagedObjectContext) throws {
    self.planned = Array(repeating: [], count: context.model.entities.count)
    let homes = context.allHomes.filter { home in
      home.changedCount > 0 && home.changed.contains { $0?.needsIdentifier ?? false }
    }
    try self.plan(homes, in: context) { $0.needsIdentifier }
  }

  /// Decides for some new objects.
  init(_ context: ManagedObjectContext, for objects: [ManagedObject]) throws {
    self.planned = Array(repeating: [], count: context.model.entities.count)
    let wanted = Set(objects.filter(\.needsIdentifier).map(ObjectIdentifier.init))
    let homes = context.allHomes.filter { home in
      home.changed.contains { $0.map { wanted.contains(ObjectIdentifier($0)) } ?? false }
    }
    try self.plan(homes, in: context) { wanted.contains(ObjectIdentifier($0)) }
  }

  private mutating func plan(
    _ homes: [ObjectHome], in context: ManagedObjectContext, _ isWanted: (ManagedObject) -> Bool
  ) throws {
    let router = context.coordinator.router
    var open: [ObjectHome] = []
    var stores: [EntityID: [StoreID]] = [:]
    for home in homes {
      let writers = router.writers(of: home.entity.id)
      stores[home.entity.id] = [StoreID](repeating: writers.first ?? .none, count: home.changed.count)
      // Where there is one store, there is nothing to decide.
      if writers.count != 1 || !context.assignments.isEmpty { open.append(home) }
    }
    if !open.isEmpty { try Self.decide(open, &stores, in: context, router, isWanted) }
    for home in homes { try self.reserve(home, stores[home.entity.id] ?? [], in: context, isWanted) }
  }

  /// References for the objects of one entity, store by store, in the order in which they were inserted.
  private mutating func reserve(
    _ home: ObjectHome, _ stores: [StoreID], in context: ManagedObjectContext,
    _ isWanted: (ManagedObject) -> Bool
  ) throws {
    // Few stores take part; a scan beats a hash for every object.
    var groups: [(store: StoreID, places: [Int])] = []
    for (place, object) in home.changed.enumerated() {
      guard let object, isWanted(object) else { continue }
      if let known = groups.firstIndex(where: { $0.store == stores[place] }) {
        groups[known].places.append(place)
      } else {
        groups.append((stores[place], [place]))
      }
    }
    var identifiers = [ManagedObjectID?](repeating: nil, count: home.changed.count)
    for (store, places) in groups {
      let references = try Self.references(of: home, places, in: store, context.parent)
      for (place, reference) in zip(places, references) {
        identifiers[place] = ManagedObjectID(store: store, entity: home.entity.id, reference: reference)
      }
    }
    self.planned[home.entity.id.index] = identifiers
  }

  /// What the store calls the new rows: by their keys where the file has keys, else by numbers.
  private static func references(
    of home: ObjectHome, _ places: [Int], in store: StoreID, _ parent: any ContextParent
  ) throws -> [Int64] {
    guard let attributes = try parent.keyAttributes(in: store, of: home.entity.id) else {
      return Array(try parent.reserveIdentifiers(in: store, for: home.entity.id, count: places.count))
    }
    let keys = places.map { place in
      attributes.map { attribute -> Value in
        guard let object = home.changed[place], object.standing >= 0, let slot = attribute.slot,
          let kind = attribute.type.slotKind
        else { return .null }
        return home.edits.value(object.standing, slot, kind)
      }
    }
    return try parent.references(in: store, forKeys: keys, of: home.entity.id)
  }

  /// The identifier that an object has once it is saved.
  func identifier(of object: ManagedObject) -> ManagedObjectID {
    guard object.objectID.isTemporary, object.changedPlace >= 0 else { return object.objectID }
    let own = self.planned[object.objectID.entity.index]
    return own.isEmpty ? object.objectID : own[Int(object.changedPlace)] ?? object.objectID
  }

  // MARK: Choosing stores

  private static func decide(
    _ homes: [ObjectHome], _ stores: inout [EntityID: [StoreID]], in context: ManagedObjectContext,
    _ router: StoreRouter, _ isWanted: (ManagedObject) -> Bool
  ) throws {
    var objects: [ManagedObject] = []
    var places: [ObjectIdentifier: Int] = [:]
    for home in homes {
      for object in home.changed {
        guard let object, isWanted(object) else { continue }
        places[ObjectIdentifier(object)] = objects.count
        objects.append(object)
      }
    }
    var new = objects.map { NewObject($0.objectID, assigned: context.assignments[ObjectIdentifier($0)]) }
    // Every changed object may be tied to a new one, from either side.
    for object in context.changedObjects where !object.isDeleted {
      let place = places[ObjectIdentifier(object)]
      for (relationship, other) in object.unsavedLinks where !other.isDeleted {
        if let place {
          new[place].ties.append(.init(relationship.id, Self.tied(other, places, stores)))
        } else if let otherPlace = places[ObjectIdentifier(other)] {
          new[otherPlace].ties.append(.init(relationship.id, Self.tied(object, places, stores)))
        }
      }
    }
    for (object, store) in zip(objects, try router.stores(forNew: new)) {
      stores[object.objectID.entity]?[Int(object.changedPlace)] = store
    }
  }

  /// Whom a new object is tied to: one that is decided about too, or a row of a store that is known.
  private static func tied(
    _ object: ManagedObject, _ places: [ObjectIdentifier: Int], _ stores: [EntityID: [StoreID]]
  ) -> ManagedObjectID {
    if places[ObjectIdentifier(object)] != nil || !object.objectID.isTemporary { return object.objectID }
    guard object.changedPlace >= 0, let store = stores[object.objectID.entity]?[Int(object.changedPlace)]
    else {
      return object.objectID
    }
    return ManagedObjectID(store: store, entity: object.objectID.entity, reference: object.objectID.reference)
  }
}

extension ManagedObject {
  fileprivate final var needsIdentifier: Bool {
    self.isInserted && !self.isDeleted && self.objectID.isTemporary
  }

  /// Links set since the last save, without a store access.
  fileprivate final var unsavedLinks: [(Relationship, ManagedObject)] {
    var links: [(Relationship, ManagedObject)] = []
    for relationship in self.entity.relationships where !relationship.isTransient {
      if relationship.isToMany {
        guard let list = self.extras?.toMany.first(where: { $0.relationship === relationship }) else {
          continue
        }
        for member in list.order ?? list.added where member.context != nil {
          links.append((relationship, member))
        }
      } else if let slot = relationship.slot, self.standing >= 0,
        self.home.edits.isWritten(self.standing, slot),
        let id = self.home.edits.destination(self.standing, slot),
        let other = id.isTemporary ? self.context?.registeredObject(for: id) : self.context?.object(with: id)
      {
        links.append((relationship, other))
      }
    }
    return links
  }
}
