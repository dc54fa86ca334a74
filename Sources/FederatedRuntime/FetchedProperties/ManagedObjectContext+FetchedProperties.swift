import FederatedModel

extension ManagedObjectContext {
  /// Asks a fetched property's question for one owner, without looking at what is kept.
  func evaluate(_ property: FetchedProperty, of owner: ManagedObject) throws -> [ManagedObject] {
    let running = EvaluatedProperty(owner: ObjectIdentifier(owner), property: ObjectIdentifier(property))
    if self.evaluating.contains(running) {
      throw FetchPredicateError(
        .recursiveFetchedProperty, entity: owner.entity.name, subject: property.name,
        "reading the property leads back to reading it; take the property out of the computed value that does so"
      )
    }
    self.evaluating.append(running)
    defer { self.evaluating.removeLast() }
    if let objects = try self.objects(planned: property, for: owner) { return objects }
    let request = try self.boundRequest(of: property, for: owner)
    return try self.objects(for: try ResolvedFetch(request, in: self))
  }

  /// The stored question with the owner's current values in place of the variables.
  func boundRequest(of property: FetchedProperty, for owner: ManagedObject) throws -> FetchRequest {
    var request = try self.storedRequest(of: property)
    let source = FetchSource(owner: owner, property: property, userInfo: self.userInfo(of: property))
    request.predicate = try request.predicate?.substitutingPaths(source.value)
    request.havingPredicate = try request.havingPredicate?.substitutingPaths(source.value)
    return request
  }

  /// A condition with `$FETCHED_PROPERTY` replaced by what it stands for in this context.
  func resolving(_ condition: FetchPredicate?, of property: FetchedProperty) -> FetchPredicate? {
    let info = self.userInfo(of: property)
    return condition?.substitutingPaths { variable, keys in
      variable == "FETCHED_PROPERTY" ? FetchSource.value(of: property, info, keys, in: self.model) : nil
    }
  }

  /// - Throws: what the model says of a question that cannot be asked.
  func storedRequest(of property: FetchedProperty) throws -> FetchRequest {
    if !property.problems.isEmpty { throw ModelError(breaches: property.problems) }
    let entity = self.model[property.declaringEntity].name
    guard let request = property.request else {
      throw ManagedObjectError(
        .invalidFetchedProperty, entity: entity, property: property.name,
        "the property has no stored question; give its description a request")
    }
    guard request.resultType == .objects else {
      throw ManagedObjectError(
        .invalidFetchedProperty, entity: entity, property: property.name,
        "a fetched property answers objects; its request asks for \(request.resultType)")
    }
    return request
  }

  /// Replaces a fetched property's user info in this context, so that its question is asked with other values of
  /// `$FETCHED_PROPERTY.userInfo`. Arrays that were kept under the old values are dropped.
  ///
  /// The model stays as it is. A property that subentities inherit is meant with all of them.
  /// - Parameter userInfo: nil brings the model's own back.
  /// - Throws: ``ManagedObjectError`` for names that the model lacks.
  public func setUserInfo(
    _ userInfo: [String: String]?, forProperty name: String, of entityName: String
  ) throws {
    guard let entity = self.model.entity(named: entityName) else {
      throw ManagedObjectError.unknownEntity(entityName, in: self.model)
    }
    guard let property = entity.fetchedProperty(named: name) else {
      throw ManagedObjectError.wrongKind(name, of: entity, isNo: "fetched property")
    }
    self.userInfo[UserInfoKey(entity: property.declaringEntity, property: name)] = userInfo
    self.links = [:]
    for home in self.homes(of: self.model[property.declaringEntity].family) {
      for object in home.table.objects { object.extras?.fetched.removeAll { $0.property === property } }
    }
  }

  /// The user info of a fetched property as this context's questions see it.
  func userInfo(of property: FetchedProperty) -> [String: String] {
    self.userInfo[UserInfoKey(entity: property.declaringEntity, property: property.name)]
      ?? property.description.userInfo
  }
}

/// What the two variables of a stored question stand for.
struct FetchSource {
  let owner: ManagedObject
  let property: FetchedProperty
  let userInfo: [String: String]
  /// Whether computed values of the owner take the place of stored ones.
  var computes = true

  /// The value of a variable, or of a key path from it; nil for variables of others.
  func value(_ variable: String, _ keys: [String]) throws -> Value? {
    switch variable {
    case "FETCH_SOURCE" where keys.isEmpty: .object(self.owner.objectID)
    case "FETCH_SOURCE":
      self.computes ? try self.owner.value(forKeyPath: keys) : try self.owner.storedValue(forKeyPath: keys)
    case "FETCHED_PROPERTY":
      self.owner.context.flatMap { FetchSource.value(of: self.property, self.userInfo, keys, in: $0.model) }
    default: nil
    }
  }

  /// What a key path from `$FETCHED_PROPERTY` stands for; nil for one that means nothing. A key that the user info
  /// lacks is nil as a value.
  static func value(
    of property: FetchedProperty, _ userInfo: [String: String], _ keys: [String], in model: ManagedObjectModel
  ) -> Value? {
    switch keys.first {
    case "userInfo" where keys.count > 1:
      userInfo[keys.dropFirst().joined(separator: ".")].map(Value.string) ?? .null
    case "name" where keys.count == 1: .string(property.name)
    case "entity" where keys == ["entity", "name"]: .string(model[property.declaringEntity].name)
    default: nil
    }
  }
}
