import FederatedModel

/// Reads the keys of many sources.
struct SourceKeys {
  private let paths: [[String]]
  /// The columns, when every path is one of the source itself.
  private let columns: [BoundAttribute]?
  /// The relationships that paths lead through.
  private let followed: [String]
  private let context: ManagedObjectContext

  init(_ plan: FetchedPropertyPlan, of source: Entity, in context: ManagedObjectContext) {
    self.context = context
    self.paths = plan.keys.map(\.sourcePath)
    self.followed = Set(self.paths.compactMap { source.relationshipPath(of: $0, in: context.model) }).sorted()
    let columns = self.paths.compactMap { path -> BoundAttribute? in
      guard path.count == 1, let attribute = source.attribute(named: path[0]), let slot = attribute.slot
      else {
        return nil
      }
      return BoundAttribute(name: path[0], entity: source.id, slot: slot, type: attribute.type)
    }
    self.columns = columns.count == self.paths.count ? columns : nil
  }

  func keys(of members: [EntityPass.Member], in pass: EntityPass) throws -> [[Value]] {
    if let columns = self.columns {
      return try members.map { member in try columns.map(member.value) }
    }
    let objects = pass.objects(of: members)
    try self.context.prefetchRelationships(self.followed, for: objects)
    return try objects.map { object in try self.paths.map { try object.storedValue(forKeyPath: $0) } }
  }
}
