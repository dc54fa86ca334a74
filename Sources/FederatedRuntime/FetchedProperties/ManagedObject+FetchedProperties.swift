import FederatedModel

extension ManagedObject {
  /// The objects that a fetched property finds, by name.
  ///
  /// The first read asks the stores; the answer is kept until the object is refreshed, whatever changes meanwhile.
  /// Nothing matching is an empty array.
  /// - Throws: ``ManagedObjectError`` for a name that is no fetched property or a stored question that cannot be
  ///   used, ``FetchPredicateError`` for one that cannot be asked; else what a store threw. Nothing is kept then.
  public final func fetched(_ key: String) throws -> [ManagedObject] {
    try self.fetched(try self.fetchedProperty(named: key))
  }

  final func fetchedProperty(named key: String) throws -> FetchedProperty {
    guard let property = self.entity.property(named: key) else {
      throw ManagedObjectError.unknownProperty(key, of: self.entity)
    }
    guard case .fetched(let fetched) = property else {
      throw ManagedObjectError.wrongKind(key, of: self.entity, isNo: "fetched property")
    }
    return fetched
  }

  /// The objects that a typed fetched property finds; see ``fetched(_:)-(String)``.
  public final func fetched<Destination>(_ key: FetchedKey<Destination>) throws -> [Destination] {
    try self.fetched(key.propertyName).map { typed($0) }
  }

  final func fetched(_ property: FetchedProperty) throws -> [ManagedObject] {
    guard let context = self.home.context else { throw ManagedObjectError.noContext(self, property.name) }
    context.takeReloads()
    if self.standing == ManagedObject.fault { try self.fire() }
    if let kept = self.keptArray(of: property) { return kept }
    let objects = try context.evaluate(property, of: self)
    context.keep(objects, of: property, for: self)
    return objects
  }

  /// The kept answer, if it still holds. Asks nothing.
  final func keptArray(of property: FetchedProperty) -> [ManagedObject]? {
    guard let extras = self.extras, let context = self.home.context,
      let kept = extras.fetched.first(where: { $0.property === property }),
      kept.storesVersion == context.coordinator.storesVersion
    else { return nil }
    return kept.objects
  }
}

extension ManagedObjectContext {
  func keep(_ objects: [ManagedObject], of property: FetchedProperty, for owner: ManagedObject) {
    let extras = owner.ensureExtras()
    let array = FetchedArray(
      property: property, objects: objects, storesVersion: self.coordinator.storesVersion)
    if let place = extras.fetched.firstIndex(where: { $0.property === property }) {
      extras.fetched[place] = array
    } else {
      extras.fetched.append(array)
    }
  }
}
