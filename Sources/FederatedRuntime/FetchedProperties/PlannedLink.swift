import FederatedModel
import FederatedStore
import Foundation

/// A fetched property's stored question, resolved once for a context: each owner brings its key alone.
struct PlannedLink {
  /// The stored question with what is the same for all owners as its condition.
  let fetch: ResolvedFetch
  /// What the stores are asked; its key is another for each owner.
  private let request: BoundRequest
  /// The paths from an owner to the parts of its key.
  private let paths: [[String]]
  private let areDates: [Bool]
  /// The version of the coordinator's stores that the names of stores were resolved with.
  let storesVersion: Int

  init(_ fetch: ResolvedFetch, _ plan: FetchedPropertyPlan, storesVersion: Int) throws {
    let attributes = try plan.attributes(in: fetch.entity)
    var request = fetch.bound(under: nil)
    request.keys = LinkKeys(attributes: attributes, keys: [])
    self.fetch = fetch
    self.request = request
    self.paths = plan.keys.map(\.sourcePath)
    self.areDates = attributes.map { $0.type.slotKind == .date }
    self.storesVersion = storesVersion
  }

  /// The question for one owner.
  /// - Returns: nil when its key is none that a key look-up can be asked with.
  func request(for owner: ManagedObject) throws -> BoundRequest? {
    var key: [Value] = []
    key.reserveCapacity(self.paths.count)
    for (index, path) in self.paths.enumerated() {
      let value = path.count == 1 ? try owner.value(path[0]) : try owner.value(forKeyPath: path)
      guard self.canLookUp(value, at: index) else { return nil }
      key.append(value)
    }
    var request = self.request
    request.keys?.keys = [key]
    return request
  }

  /// A computed value may be of any kind; those that a comparison refuses, or compares by other rules, are left to it.
  private func canLookUp(_ value: Value, at index: Int) -> Bool {
    switch value {
    case .null: true
    case .date(let date): self.areDates[index] && !date.timeIntervalSinceReferenceDate.isNaN
    case .double(let number): !self.areDates[index] && !number.isNaN
    case .decimal(let number): !self.areDates[index] && !number.isNaN
    case .int, .bool: !self.areDates[index]
    case .string, .uri, .data, .uuid: true
    case .object, .list: false
    }
  }
}

extension FetchedPropertyPlan {
  /// The destination's side of the keys.
  func attributes(in entity: Entity) throws -> [BoundAttribute] {
    try self.keys.map { key in
      guard let attribute = entity.attribute(named: key.attribute), let slot = attribute.slot else {
        throw ManagedObjectError.unknownProperty(key.attribute, of: entity)
      }
      return BoundAttribute(name: key.attribute, entity: entity.id, slot: slot, type: attribute.type)
    }
  }
}

extension ManagedObjectContext {
  /// What a fetched property finds for one owner, by its plan.
  /// - Returns: nil when the question must be asked as it stands: it has no plan, unsaved changes take part, or
  ///   somebody wants to know how it is answered.
  func objects(planned property: FetchedProperty, for owner: ManagedObject) throws -> [ManagedObject]? {
    guard let plan = property.plan, self.scope.recorder == nil else { return nil }
    let link = try self.link(property, plan)
    let wanted = link.fetch.request
    guard wanted.includesPropertyValues, wanted.fetchBatchSize == 0,
      try PendingOverlay(link.fetch, in: self) == nil, let request = try link.request(for: owner)
    else { return nil }
    return try self.nested {
      let objects = self.objects(of: try self.reading { try $0.fetch(request) }, wanted)
      if !wanted.returnsObjectsAsFaults { for object in objects { try object.fire() } }
      return objects
    }
  }

  private func link(_ property: FetchedProperty, _ plan: FetchedPropertyPlan) throws -> PlannedLink {
    let version = self.coordinator.storesVersion
    if let known = self.links[ObjectIdentifier(property)], known.storesVersion == version { return known }
    var request = try self.storedRequest(of: property)
    request.predicate = self.resolving(plan.residual, of: property)
    let link = try PlannedLink(try ResolvedFetch(request, in: self), plan, storesVersion: version)
    self.links[ObjectIdentifier(property)] = link
    return link
  }
}
