internal import FederatedModel
internal import FederatedStore

extension ManagedObject {
  /// Tells how a fetched property's question is answered for this object: the condition with the object's values in
  /// it, the plan of the link, the stores, or that the answer was at hand.
  ///
  /// An answer that is not at hand is asked for and not kept, so that explaining changes nothing for later reads.
  ///
  /// ```swift
  /// print(try customer.explain("recentInvoices"))
  /// ```
  /// - Throws: what reading the property throws.
  public final func explain(_ key: String) throws -> FetchExplanation {
    let property = try self.fetchedProperty(named: key)
    guard let context = self.home.context else { throw ManagedObjectError.noContext(self, key) }
    return try context.explain(property, of: self)
  }

  /// Tells how a typed fetched property's question is answered; see ``explain(_:)-(String)``.
  public final func explain<Destination>(_ key: FetchedKey<Destination>) throws -> FetchExplanation {
    try self.explain(key.propertyName)
  }
}

extension ManagedObjectContext {
  fileprivate func explain(
    _ property: FetchedProperty, of owner: ManagedObject
  ) throws -> FetchExplanation {
    let recorder = ReadRecorder()
    let kept = owner.keptArray(of: property)
    let (fetch, results) = try self.explaining(recorder) {
      if owner.standing == ManagedObject.fault { try owner.fire() }
      let fetch = try ResolvedFetch(try self.boundRequest(of: property, for: owner), in: self)
      return (fetch, try kept ?? self.evaluate(property, of: owner))
    }
    var explanation = FetchExplanation(fetch, results: results.count, recorder)
    explanation.link = try self.link(property, of: owner, wasKept: kept != nil)
    return explanation
  }

  private func link(
    _ property: FetchedProperty, of owner: ManagedObject, wasKept: Bool
  ) throws -> LinkExplanation {
    let entity = self.model[property.declaringEntity].name
    var link = LinkExplanation(
      property: "\(entity).\(property.name)", owner: self.coordinator.uriString(for: owner.objectID))
    link.condition = try self.storedRequest(of: property).predicate.map { "\($0)" }
    link.wasKept = wasKept
    if let plan = property.plan {
      link.keys = plan.keys.map { key in
        "\(FetchExpression.keyPath([key.attribute])) == "
          + "\(FetchExpression.path(.variable("FETCH_SOURCE"), key.sourcePath))"
      }
      link.rest = plan.residual.map { "\($0)" }
    } else {
      link.unplannedReason = property.unplannedReason ?? "the question has no key to look up"
    }
    return link
  }
}
