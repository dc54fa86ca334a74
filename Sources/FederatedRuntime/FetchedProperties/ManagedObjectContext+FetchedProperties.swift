import FederatedModel

extension ManagedObjectContext {
  /// Asks a fetched property's question for one owner, without looking at what is kept.
  func evaluate(_ property: FetchedProperty, of owner: ManagedObject) throws -> [ManagedObject] {
    let running = EvaluatedProperty(owner: ObjectIdentifier(owner), property: ObjectIdentifier(property))
    if self.evaluating.contains(running) {
      throw PredicateError(
        .recursiveFetchedProperty, entity: owner.entity.name, subject: property.name,
        "reading the property leads back to reading it; take the property out of the computed value that does so"
      )
    }
    self.evaluating.append(running)
    defer { self.evaluating.removeLast() }
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

  /// - Throws: what ``ManagedObjectModel/problems`` says of the property.
  func storedRequest(of property: FetchedProperty) throws -> FetchRequest {
    let entity = self.model[property.declaringEntity].name
    if let problem = self.model.problems.first(where: { $0.entity == entity && $0.property == property.name })
    {
      throw ManagedObjectError(
        .invalidFetchedProperty, entity: entity, property: property.name, problem.detail)
    }
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

  /// The value of a variable, or of a key path from it; nil for variables of others.
  func value(_ variable: String, _ keys: [String]) throws -> Value? {
    switch variable {
    case "FETCH_SOURCE": keys.isEmpty ? .object(self.owner.objectID) : try self.owner.value(forKeyPath: keys)
    case "FETCHED_PROPERTY": self.propertyValue(keys)
    default: nil
    }
  }

  private func propertyValue(_ keys: [String]) -> Value? {
    switch keys.first {
    case "userInfo" where keys.count > 1:
      self.userInfo[keys.dropFirst().joined(separator: ".")].map(Value.string) ?? .null
    case "name" where keys.count == 1: .string(self.property.name)
    case "entity" where keys == ["entity", "name"]:
      self.owner.context.map { .string($0.model[self.property.declaringEntity].name) }
    default: nil
    }
  }
}
