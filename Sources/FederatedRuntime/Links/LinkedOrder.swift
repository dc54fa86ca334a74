import FederatedModel

/// An order of which some keys lead through fetched properties.
struct LinkedOrder {
  private let context: ManagedObjectContext
  private let steps: [Step]

  /// One sort key.
  private struct Step {
    let order: SubjectOrder
    /// The property whose first object has the key; nil where the source itself has it.
    let link: LinkedProperty?
    /// The to-one relationships that the key leads through.
    let path: String?
    /// The key in words.
    let clause: String
  }

  init(
    _ sorts: [FetchSortDescriptor], of entity: Entity, in context: ManagedObjectContext
  ) throws {
    self.context = context
    self.steps = try sorts.map { sort in
      let link = try sort.link.map { try LinkedProperty($0, of: entity, in: context) }
      var own = sort
      own.link = nil
      let owner = link?.destination ?? entity
      let keys = sort.key.split(separator: ".").map(String.init)
      return Step(
        order: SubjectOrder([try own.bound(to: owner, in: context.model)]), link: link,
        path: owner.relationshipPath(of: keys, in: context.model),
        clause: "order by \(sort.key) \(sort.ascending ? "ascending" : "descending")")
    }
  }

  /// Objects that no key tells apart keep their order.
  func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
    let keys = try self.steps.map { try self.keys(of: objects, for: $0) }
    let places = try objects.indices.sorted { a, b in
      for (step, keys) in zip(self.steps, keys) {
        let order = try step.order.compare(keys[a], keys[b])
        if order != 0 { return order < 0 }
      }
      return a < b
    }
    return places.map { objects[$0] }
  }

  private func keys(of objects: [ManagedObject], for step: Step) throws -> [SubjectOrder.SortKey] {
    guard let link = step.link else {
      if let path = step.path { try self.context.prefetchRelationships([path], for: objects) }
      return try objects.map { try step.order.key(of: $0) }
    }
    var share = link.share(of: step.clause)
    var keys: [SubjectOrder.SortKey] = []
    try link.read(for: objects, adding: nil, &share) { _, answer in
      let firsts = answer.groups.map(\.first)
      if let path = step.path {
        try self.context.prefetchRelationships([path], for: firsts.compactMap(\.self))
      }
      let ofGroups = try firsts.map { try $0.map { try step.order.key(of: $0) } ?? step.order.keyOfNothing }
      keys += answer.groupOfSource.map { group in group.map { ofGroups[$0] } ?? step.order.keyOfNothing }
    }
    share.reason = "it is a sort key"
    self.context.scope.recorder?.note(share)
    return keys
  }
}
