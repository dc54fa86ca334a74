public import FederatedModel
public import FederatedStore

/// Makes the same random rows of ``ConformanceModel`` in any store.
public struct RowGenerator {
  private struct Row {
    var entity: String
    var values: [String: Value]
    /// To-ones by the number of their destination.
    var toOne: [String: Int]
    /// Many-to-manys by the numbers of their destinations.
    var links: [String: [Int]]
  }
  private let rows: [Row]

  /// - Parameter count: how many records; folders and tags are a third of that each.
  public init(_ model: ManagedObjectModel, seed: UInt64, count: Int) {
    var random = SeededGenerator(seed: seed)
    var rows: [Row] = []
    let others = max(1, count / 3)
    for number in 0..<others {
      let parent = number > 0 && !random.once(in: 3) ? ["parent": random.below(number)] : [:]
      rows.append(
        Row(entity: "Folder", values: Self.values("Folder", model, &random), toOne: parent, links: [:]))
    }
    for _ in 0..<others {
      rows.append(Row(entity: "Tag", values: Self.values("Tag", model, &random), toOne: [:], links: [:]))
    }
    for _ in 0..<count {
      let entity = random.pick(["Record", "Note", "Memo"])
      let folder = random.once(in: 4) ? [:] : ["folder": random.below(others)]
      let tags = (0..<random.below(4)).map { _ in others + random.below(others) }
      rows.append(
        Row(entity: entity, values: Self.values(entity, model, &random), toOne: folder, links: ["tags": tags])
      )
    }
    self.rows = rows
  }

  private static func values(
    _ name: String, _ model: ManagedObjectModel, _ random: inout SeededGenerator
  ) -> [String: Value] {
    var values: [String: Value] = [:]
    for attribute in model.entity(named: name)?.attributes ?? [] where attribute.slot != nil {
      if random.once(in: 4) { continue }
      values[attribute.name] = ValuePool.value(attribute.type, &random)
    }
    return values
  }

  /// Saves the rows in a store.
  /// - Returns: who they are, in the same order for every store.
  public func fill(_ open: OpenStore) throws -> [RowIdentity] {
    let editor = open.edit()
    var identities: [RowIdentity] = []
    for row in self.rows {
      let destinations = row.toOne.mapValues { identities[$0] }
      let identity = try editor.insert(row.entity, row.values, to: destinations)
      for (name, numbers) in row.links where !numbers.isEmpty {
        let added = Set(numbers).sorted().map { identities[$0] }
        editor.link(open.relationship(row.entity, name), of: identity, add: added)
      }
      identities.append(identity)
    }
    try open.save(editor)
    return identities
  }
}
