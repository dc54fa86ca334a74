import FederatedData

/// What is printed of the objects of an entity: the keys of `--select`, and what `--with` follows.
struct RecordPlan {
  let entity: Entity
  /// Nil prints every stored attribute of the object's own entity.
  private let selected: [Attribute]?
  /// Relationships and fetched properties that are followed, in model order.
  private let followed: [Followed]

  private struct Followed {
    let property: Property
    let plan: RecordPlan
  }

  /// - Parameters:
  ///   - selected: attribute names; nil is all of them.
  ///   - paths: relationships and fetched properties to follow, key by key.
  ///   - model: where destinations are looked up.
  init(_ entity: Entity, select selected: [String]?, with paths: [[String]], in model: ManagedObjectModel)
    throws
  {
    self.entity = entity
    self.selected = try selected.map { try Self.attributes($0, of: entity) }
    var rests: [(name: String, paths: [[String]])] = []
    for path in paths {
      guard let first = path.first else { continue }
      let rest = Array(path.dropFirst())
      if let place = rests.firstIndex(where: { $0.name == first }) {
        rests[place].paths.append(rest)
      } else {
        rests.append((first, [rest]))
      }
    }
    for rest in rests { try Self.check(rest.name, of: entity) }
    let order =
      entity.relationships.map { (Property.relationship($0), Optional($0.destination)) }
      + entity.fetchedProperties.map { (Property.fetched($0), $0.destination) }
    self.followed = try order.compactMap { property, destination in
      guard let rest = rests.first(where: { $0.name == property.name }), let destination else { return nil }
      return Followed(
        property: property, plan: try RecordPlan(model[destination], select: nil, with: rest.paths, in: model)
      )
    }
  }

  private static func attributes(_ names: [String], of entity: Entity) throws -> [Attribute] {
    for name in names where entity.attribute(named: name)?.slot == nil {
      let place = "--select \(name)"
      switch entity.property(named: name) {
      case .attribute:
        throw ToolError.failed(place, "is a transient attribute of \(entity.name), which no store holds")
      case .relationship, .fetched:
        throw ToolError.failed(place, "leads to other objects; follow it by --with \(name)")
      case nil:
        let hint = NearestName.suggestion(for: name, among: entity.attributes.map(\.name))
        throw ToolError.failed(place, "\(entity.name) has no attribute of that name\(hint)")
      }
    }
    return entity.attributes.filter { names.contains($0.name) }
  }

  private static func check(_ name: String, of entity: Entity) throws {
    switch entity.property(named: name) {
    case .relationship, .fetched: return
    case .attribute:
      throw ToolError.failed(
        "--with \(name)", "is an attribute of \(entity.name); attributes are printed anyway")
    case nil:
      let names = entity.relationships.map(\.name) + entity.fetchedProperties.map(\.name)
      let hint = NearestName.suggestion(for: name, among: names)
      throw ToolError.failed(
        "--with \(name)", "\(entity.name) has no relationship or fetched property of that name\(hint)")
    }
  }

  /// The columns of forms that do not nest.
  var columns: [String] { self.attributes(of: self.entity).map(\.name) }

  private func attributes(of entity: Entity) -> [Attribute] {
    self.selected ?? entity.attributes.filter { $0.slot != nil }
  }
}

extension RecordPlan {
  /// Every fetched property that is followed, with the entity it leads to.
  var followedQuestions: [(property: FetchedProperty, destination: Entity)] {
    self.followed.flatMap { followed in
      if case .fetched(let property) = followed.property {
        [(property, followed.plan.entity)] + followed.plan.followedQuestions
      } else {
        followed.plan.followedQuestions
      }
    }
  }

  /// Loads what the records of these objects will need: one request for each followed property and store.
  func prefetch(for objects: [ManagedObject], in context: ManagedObjectContext) throws {
    for path in self.paths { try context.prefetch(path, for: objects) }
  }

  /// Does the same, and tells how each store answered, path by path.
  func explainPrefetch(
    for objects: [ManagedObject], in context: ManagedObjectContext
  ) throws -> [(path: String, report: PrefetchReport)] {
    try self.paths.map { ($0, try context.explainPrefetch($0, for: objects)) }
  }

  /// Every path that is followed to its end.
  private var paths: [String] {
    self.followed.flatMap { followed in
      let rests = followed.plan.paths
      return rests.isEmpty ? [followed.property.name] : rests.map { "\(followed.property.name).\($0)" }
    }
  }

  /// - Parameter widened: prints the attributes of a subentity too; false in forms with fixed columns.
  func record(of object: ManagedObject, in context: ManagedObjectContext, widened: Bool) throws
    -> ResultRecord
  {
    let attributes = self.attributes(of: widened ? object.entity : self.entity)
    var fields = try attributes.map { attribute in
      ResultRecord.Field(
        key: attribute.name, content: .value(try object.storedValue(attribute.name), attribute.type))
    }
    for followed in self.followed {
      let records = try Self.destinations(of: followed.property, from: object).map {
        try followed.plan.record(of: $0, in: context, widened: widened)
      }
      let content: ResultRecord.Content
      if case .relationship(let relationship) = followed.property, !relationship.isToMany {
        content = .object(records.first)
      } else {
        content = .list(records)
      }
      fields.append(ResultRecord.Field(key: followed.property.name, content: content))
    }
    return ResultRecord(
      entity: object.entity.name, id: context.coordinator.uriString(for: object.objectID), fields: fields)
  }

  private static func destinations(of property: Property, from object: ManagedObject) throws
    -> [ManagedObject]
  {
    switch property {
    case .fetched(let fetched): try object.fetched(fetched.name)
    case .relationship(let relationship) where relationship.isToMany: try object.objects(relationship.name)
    case .relationship(let relationship): try object.object(relationship.name).map { [$0] } ?? []
    case .attribute: []
    }
  }
}
