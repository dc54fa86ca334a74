internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// What a request through links means, said in the plainest way: read each source's property, and test what it finds.
struct LinkOracle {
  let context: ManagedObjectContext

  func objects(_ request: FetchRequest) throws -> [ManagedObject] {
    var own = request
    own.linkedConditions = []
    own.sortDescriptors = request.sortDescriptors.contains { $0.link != nil } ? [] : request.sortDescriptors
    (own.fetchLimit, own.fetchOffset) = (0, 0)
    var found = try self.context.fetch(own).filter { object in
      try request.linkedConditions.allSatisfy { try self.passes(object, $0) }
    }
    if own.sortDescriptors != request.sortDescriptors {
      for sort in request.sortDescriptors.reversed() { found = try self.sorted(found, by: sort) }
    }
    let rest = found.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit == 0 ? rest : rest.prefix(request.fetchLimit))
  }

  private func passes(_ object: ManagedObject, _ condition: LinkedCondition) throws -> Bool {
    let members = try object.fetched(condition.property)
    let passing = try members.filter { member in
      try condition.predicate?.evaluate(member) ?? true
        && condition.conditions.allSatisfy { try self.passes(member, $0) }
    }.count
    return switch condition.test {
    case .any: passing > 0
    case .none: passing == 0
    case .all: passing == members.count
    case .count(let comparison, let count): comparison.holds(passing, count)
    }
  }

  /// Stable; texts and numbers alone, nil first.
  private func sorted(_ objects: [ManagedObject], by sort: FetchSortDescriptor) throws -> [ManagedObject] {
    let keyed = try objects.enumerated().map { place, object in
      (
        object, place,
        try (sort.link.map { try object.fetched($0).first } ?? object)?.value(forKeyPath: sort.key)
      )
    }
    return keyed.sorted { a, b in
      let order = LinkOracle.order(a.2 ?? .null, b.2 ?? .null)
      return order == 0 ? a.1 < b.1 : sort.ascending ? order < 0 : order > 0
    }.map(\.0)
  }

  private static func order(_ a: Value, _ b: Value) -> Int {
    switch (a, b) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.string(let a), .string(let b)):
      a == b ? 0 : a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars) ? -1 : 1
    case (.double(let a), .double(let b)): a == b ? 0 : a < b ? -1 : 1
    case (.int(let a), .int(let b)): a == b ? 0 : a < b ? -1 : 1
    default: preconditionFailure("the oracle sorts texts and numbers")
    }
  }
}
