internal import FederatedModel
internal import FederatedStore

/// Columns and groups, for stores that say that they answer them.
enum ColumnChecks {
  static var all: [CheckBody] {
    [
      CheckBody("columns come in the query's order and window") { test in
        let (open, rows) = try FetchChecks.filled(test)
        guard self.answersColumns(open) else { return }
        let small = try self.bound("small + 1", "Record", open)
        for (offset, limit) in [(0, nil), (2, 3), (10, 5), (12, 1), (0, 0)] as [(Int, Int?)] {
          let lines = try self.lines(
            open,
            open.query("Record") {
              $0.shape = .values(ValueColumns([.evaluatedObject, small]))
              $0.order = [FetchChecks.sort(open, "Record", "small", ascending: false)]
              $0.offset = offset
              $0.limit = limit
            })
          let all = rows.enumerated().reversed().dropFirst(offset)
          let expected = (limit.map { all.prefix($0) } ?? all).map { number, row -> [Value] in
            let id = ManagedObjectID(store: open.store.id, entity: row.entity, reference: row.reference)
            return [.object(id), .int(Int64(number) + 1)]
          }
          try requireEqual(lines, expected, "offset \(offset), limit \(limit ?? -1)")
        }
      },
      CheckBody("distinct lines are cut after they are made distinct (FR-17)") { test in
        let (open, _) = try FetchChecks.filled(test)
        guard self.answersColumns(open) else { return }
        let title = try self.bound("title", "Record", open)
        for (offset, limit, expected) in [
          (0, nil, ["t0", "t1", "t2", nil]), (1, 2, ["t1", "t2"]), (3, 5, [nil]), (4, nil, []), (0, 0, []),
        ] as [(Int, Int?, [String?])] {
          let lines = try self.lines(
            open,
            open.query("Record") {
              $0.shape = .values(ValueColumns([title], isDistinct: true))
              $0.order = [FetchChecks.sort(open, "Record", "small")]
              $0.offset = offset
              $0.limit = limit
            })
          try requireEqual(
            lines, expected.map { [$0.map { .string($0) } ?? .null] },
            "offset \(offset), limit \(limit ?? -1)")
        }
      },
      CheckBody("columns of random rows are those of memory") { test in
        let (open, source) = try self.random(test)
        guard self.answersColumns(open) else { return }
        for entity in ["Record", "Note", "Folder", "Tag"] {
          for (formats, owner) in self.columns where owner == entity || owner == "Record" && entity == "Note"
          {
            let columns = try formats.map { try self.bound($0, entity, open) }
            for isDistinct in [false, true] {
              let query = open.query(entity) {
                $0.shape = .values(ValueColumns(columns, isDistinct: isDistinct))
              }
              let expected = try self.lines(try self.inMemory(query, open, source))
              try self.requireSame(try self.lines(open, query), expected, "\(formats) of \(entity)")
            }
          }
        }
      },
      CheckBody("groups of random rows gather what memory gathers") { test in
        let (open, source) = try self.random(test)
        guard self.answersColumns(open) else { return }
        for keys in self.keys {
          for predicate in [nil, "small > 2 OR small == nil", "title MATCHES '.*[a-z].*' OR price > 0"] {
            let query = try open.query("Record") { query in
              query.shape = .groups(
                BoundGrouping(
                  keys: try keys.map { try self.bound($0, "Record", open) },
                  aggregates: try self.aggregates.flatMap { operand, functions in
                    try functions.map { BoundAggregate($0, of: try self.bound(operand, "Record", open)) }
                  }))
              query.predicate = try predicate.map {
                try FetchPredicate(format: $0).bound(to: open.entity("Record"), in: open.model)
              }
            }
            let expected = try self.groups(try self.inMemory(query, open, source))
            try requireEqual(
              try self.groups(try open.run(query)), expected, "groups by \(keys) where \(predicate ?? "all")")
          }
        }
      },
      CheckBody("each aggregate alone gathers what memory gathers") { test in
        let (open, source) = try self.random(test)
        guard self.answersColumns(open) else { return }
        for (operand, functions) in self.aggregates {
          for function in functions {
            for keys in [[], ["isOpen"]] {
              let query = try open.query("Record") { query in
                query.shape = .groups(
                  BoundGrouping(
                    keys: try keys.map { try self.bound($0, "Record", open) },
                    aggregates: [BoundAggregate(function, of: try self.bound(operand, "Record", open))]))
              }
              let expected = try self.groups(try self.inMemory(query, open, source))
              try requireEqual(
                try self.groups(try open.run(query)), expected, "\(function)(\(operand)) by \(keys)")
            }
          }
        }
      },
    ]
  }

  private static let columns: [([String], String)] = [
    (["title", "small"], "Record"), (["price"], "Record"), (["weight", "ratio", "date"], "Record"),
    (["uuid", "link", "isOpen"], "Record"), (["bytes"], "Record"), (["folder", "folder.name"], "Record"),
    (["folder.parent.rank", "small * 2"], "Record"), (["tags.@count"], "Record"),
    (["title.length", "TERNARY(small > 2, title, link)"], "Record"), (["objectID", "coverOf"], "Record"),
    (["name", "records.@count", "parent"], "Folder"), (["records.@max.small"], "Folder"),
    (["label", "related.@count"], "Tag"),
    (["1 + 1"], "Record"),
  ]

  private static let keys: [[String]] = [
    [], ["title"], ["small"], ["price"], ["weight"], ["date"], ["isOpen", "small"], ["uuid"], ["link"],
    ["folder"], ["folder.name"], ["small / 2"], ["bytes"], ["SELF"], ["ratio", "large"],
  ]

  private static let aggregates: [(String, [FetchFunction])] = [
    ("SELF", [.count]), ("small", [.count, .sum, .average, .min, .max, .median, .mode, .stddev]),
    ("large", [.sum, .average, .max]), ("price", [.count, .sum, .average, .min, .max, .median, .stddev]),
    ("weight", [.count, .sum, .average, .min, .max, .median, .mode, .stddev]),
    ("ratio", [.sum, .average, .min]), ("title", [.count, .min, .max, .mode]),
    ("isOpen", [.sum, .max, .count]),
    ("date", [.min, .max, .count]), ("folder.rank", [.sum, .count]), ("middle * 3", [.sum, .average]),
    ("folder", [.count]), ("link", [.min]),
  ]

  // MARK: Asking

  private static func answersColumns(_ open: OpenStore) -> Bool {
    open.store.capabilities.contains(.columns)
  }

  private static func bound(_ format: String, _ entity: String, _ open: OpenStore) throws -> BoundExpression {
    try FetchExpression(format: format).bound(to: open.entity(entity), in: open.model)
  }

  private static func random(_ test: StoreUnderTest) throws -> (OpenStore, StoredRows) {
    let open = try test.open()
    _ = try RowGenerator(test.model, seed: 17, count: 60).fill(open)
    return (open, StoredRows(open))
  }

  /// The answer that memory gives over the store's own rows.
  private static func inMemory(
    _ query: StoreQuery, _ open: OpenStore, _ source: StoredRows
  ) throws -> StoreAnswer {
    let steps = query.overRows
    return try InMemoryQuery(steps.rest, source: source).run(over: try open.rows(steps.rows))
  }

  private static func lines(_ open: OpenStore, _ query: StoreQuery) throws -> [[Value]] {
    try self.lines(try open.run(query))
  }

  private static func lines(_ answer: StoreAnswer) throws -> [[Value]] {
    guard case .values(let rows) = answer else {
      throw ConformanceFailure(
        detail: "a query for columns was not answered with values", file: #fileID, line: #line)
    }
    return (0..<rows.count).map { Array(rows[$0]) }
  }

  /// Of the two zeros, and of NaN and nil, either may be answered.
  private static func requireSame(_ found: [[Value]], _ expected: [[Value]], _ what: String) throws {
    try requireEqual(found.map { $0.map(\.asKey) }, expected.map { $0.map(\.asKey) }, what)
  }

  /// Each group as a line of its keys and what the aggregates are worth.
  private static func groups(_ answer: StoreAnswer) throws -> Set<[Value]> {
    guard case .groups(let table) = answer else {
      throw ConformanceFailure(
        detail: "a query for groups was not answered with groups", file: #fileID, line: #line)
    }
    let lines = try table.groups.map { group in
      try group.keys + zip(table.grouping.aggregates, group.states).map { try $1.result(of: $0) }
    }
    try requireEqual(Set(lines).count, lines.count, "groups with different keys")
    return Set(lines)
  }
}

/// The rows of an open store, for evaluation outside of it.
private final class StoredRows: RowSource {
  private let open: OpenStore

  init(_ open: OpenStore) { self.open = open }

  var model: ManagedObjectModel { self.open.model }
  var store: StoreID { self.open.store.id }

  func row(_ identity: RowIdentity) throws(StoreError) -> Snapshot? {
    var query = StoreQuery(entity: identity.entity)
    query.references = [identity.reference]
    query.includesSubentities = false
    let scope = try self.open.store.beginRead()
    defer { scope.end() }
    guard case .rows(let rows) = try scope.run(query) else { return nil }
    return rows.first
  }

  func related(_ relationship: BoundRelationship, of owner: RowIdentity) throws(StoreError) -> [RowIdentity] {
    let scope = try self.open.store.beginRead()
    defer { scope.end() }
    let id = self.model[relationship.entity].relationships[relationship.index].id
    return Array(try scope.related(id, of: [owner.reference])[0])
  }
}
