public import FederatedModel

/// Random rows of ``ConformanceModel`` in two halves that no relationship joins, so that the halves can be dealt out to
/// two stores. Every kind of relationship is filled.
public struct GeneratedRows: Sendable {
  /// One row. Other rows are named by their numbers.
  public struct Row: Sendable {
    public let number: Int
    /// 0 or 1.
    public let half: Int
    public let entity: String
    public internal(set) var values: [String: Value]
    public internal(set) var toOne: [String: Int] = [:]
    /// In order.
    public internal(set) var toMany: [String: [Int]] = [:]
  }

  /// In ascending order of their numbers.
  public private(set) var rows: [Row] = []

  /// - Parameter count: how many records; folders and tags are a third of that each.
  public init(_ model: ManagedObjectModel, seed: UInt64, count: Int) {
    var random = SeededGenerator(seed: seed ^ 0x5eed)
    for half in 0..<2 { self.append(half: half, count: max(2, count / 2), model, &random) }
  }

  private mutating func append(
    half: Int, count: Int, _ model: ManagedObjectModel, _ random: inout SeededGenerator
  ) {
    func add(_ entity: String, into rows: inout [Row]) -> Int {
      let values = Self.values(entity, model, &random)
      rows.append(Row(number: rows.count, half: half, entity: entity, values: values))
      return rows.count - 1
    }
    let others = max(2, count / 3)
    let folders = (0..<others).map { _ in add("Folder", into: &self.rows) }
    let tags = (0..<others).map { _ in add("Tag", into: &self.rows) }
    let records = (0..<count).map { _ in add(random.pick(["Record", "Note", "Memo"]), into: &self.rows) }
    for _ in 0..<max(1, count / 6) { _ = add(random.pick(["Pen", "Cup"]), into: &self.rows) }

    for (place, folder) in folders.enumerated() where place > 0 && !random.once(in: 4) {
      self.rows[folder].toOne["parent"] = folders[random.below(place)]
    }
    for record in records {
      if !random.once(in: 4) { self.rows[record].toOne["folder"] = random.pick(folders) }
      let wanted = Set((0..<random.below(4)).map { _ in random.pick(tags) }).sorted()
      if !wanted.isEmpty { self.rows[record].toMany["tags"] = wanted }
    }
    // Each record is pinned, and is a cover, once at most.
    var loose = records.shuffled(using: &random)
    var covers = records.shuffled(using: &random)
    for folder in folders {
      if random.once(in: 2) { self.rows[folder].toOne["cover"] = covers.removeLast() }
      let pinned = (0..<min(loose.count, random.below(4))).map { _ in loose.removeLast() }
      if !pinned.isEmpty { self.rows[folder].toMany["pinned"] = pinned }
    }
    for (place, tag) in tags.enumerated() {
      let shelf = Array(records.shuffled(using: &random).prefix(random.below(4)))
      if !shelf.isEmpty { self.rows[tag].toMany["shelf"] = shelf }
      let related = tags.prefix(place).filter { _ in random.once(in: 4) }
      if !related.isEmpty { self.rows[tag].toMany["related"] = related }
    }
  }

  static func values(
    _ name: String, _ model: ManagedObjectModel, _ random: inout SeededGenerator
  ) -> [String: Value] {
    var values: [String: Value] = [:]
    for attribute in model.entity(named: name)?.attributes ?? [] where attribute.slot != nil {
      if random.once(in: 5) { continue }
      values[attribute.name] = ValuePool.value(attribute.type, &random)
    }
    return values
  }

  /// The rows without some of them, and without links to those.
  func without(_ numbers: Set<Int>) -> GeneratedRows {
    var copy = self
    copy.rows = self.rows.filter { !numbers.contains($0.number) }.map { row in
      var row = row
      row.toOne = row.toOne.filter { !numbers.contains($0.value) }
      row.toMany = row.toMany.mapValues { $0.filter { !numbers.contains($0) } }.filter { !$0.value.isEmpty }
      return row
    }
    return copy
  }

  /// The values that the rows have, by the type of their attributes.
  func values(in model: ManagedObjectModel) -> [AttributeType: [Value]] {
    var known: [AttributeType: [Value]] = [:]
    for row in self.rows {
      for attribute in model.entity(named: row.entity)?.attributes ?? [] {
        if let value = row.values[attribute.name] { known[attribute.type, default: []].append(value) }
      }
    }
    return known
  }
}

extension GeneratedRows: CustomStringConvertible {
  /// One row a line: `12 = Record(folder: 3, tags: [7, 9], title: "a")`.
  public var description: String {
    self.rows.map { row in
      let parts =
        row.toOne.map { "\($0): \($1)" } + row.toMany.map { "\($0): \($1)" }
        + row.values.map { "\($0): \(FetchExpression.constant($1))" }
      return "  \(row.number) = \(row.entity)(\(parts.sorted().joined(separator: ", ")))"
    }.joined(separator: "\n")
  }
}
