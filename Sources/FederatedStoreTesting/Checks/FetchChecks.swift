internal import FederatedModel
internal import FederatedStore

/// Windows, shapes, references, keys and orders.
enum FetchChecks {
  static var all: [CheckBody] {
    [
      CheckBody("rows without an order come in ascending reference") { test in
        let (open, rows) = try self.filled(test)
        let found = try open.rows(open.query("Record")).map(\.reference)
        try requireEqual(found, rows.map(\.reference).sorted(), "references")
      },
      CheckBody("subentities are included unless the query says otherwise") { test in
        let (open, rows) = try self.filled(test)
        for (name, all, own) in [("Record", 12, 4), ("Note", 8, 4), ("Memo", 4, 4)] {
          try requireEqual(try open.rows(open.query(name)).count, all, "rows of \(name)")
          let exact = try open.rows(open.query(name) { $0.includesSubentities = false })
          try requireEqual(exact.count, own, "rows of exactly \(name)")
          try require(
            exact.allSatisfy { $0.entity == open.entity(name).id }, "a row of another entity than \(name)")
        }
        try requireEqual(rows.count, 12, "rows made")
      },
      CheckBody("an abstract entity answers the rows of its subentities") { test in
        let open = try test.open()
        let editor = open.edit()
        let pen = try editor.insert("Pen", ["size": .int(2)])
        let cup = try editor.insert("Cup", ["size": .int(1)])
        try open.save(editor)
        let rows = try open.rows(open.query("Thing") { $0.order = [self.sort(open, "Thing", "size")] })
        try requireEqual(rows.map(\.reference), [cup.reference, pen.reference], "references")
        try requireEqual(
          try open.rows(open.query("Thing") { $0.includesSubentities = false }).count, 0, "own rows")
      },
      CheckBody("offset and limit take a window; a count is of the window") { test in
        let (open, rows) = try self.filled(test)
        let references = rows.map(\.reference).sorted()
        for (offset, limit) in [(0, 3), (2, 3), (10, 5), (12, 1), (50, 1), (3, nil), (0, 0)] {
          let query = open.query("Record") {
            $0.offset = offset
            $0.limit = limit
          }
          let rest = references.dropFirst(offset)
          let expected = Array(limit.map { rest.prefix($0) } ?? rest)
          try requireEqual(
            try open.rows(query).map(\.reference), expected, "offset \(offset), limit \(limit ?? -1)")
          var count = query
          count.shape = .count
          guard case .count(let number) = try open.run(count) else {
            throw ConformanceFailure(
              detail: "a count was not answered with a count", file: #fileID, line: #line)
          }
          try requireEqual(number, expected.count, "count at offset \(offset), limit \(limit ?? -1)")
        }
      },
      CheckBody("identities have the concrete entity") { test in
        let (open, rows) = try self.filled(test)
        guard case .identities(let found) = try open.run(open.query("Record") { $0.shape = .identities })
        else {
          throw ConformanceFailure(detail: "identities were not answered", file: #fileID, line: #line)
        }
        try requireEqual(found, rows.sorted { $0.reference < $1.reference }, "identities")
      },
      CheckBody("references choose rows; unknown ones choose none") { test in
        let (open, rows) = try self.filled(test)
        let wanted = [rows[7].reference, rows[2].reference, Int64(1) << 40]
        let found = try open.rows(open.query("Record") { $0.references = wanted }).map(\.reference)
        try requireEqual(Set(found), [rows[7].reference, rows[2].reference], "references")
        try requireEqual(
          try open.rows(open.query("Record") { $0.references = [] }).count, 0, "rows for no reference")
        let many = rows.map(\.reference) + (0..<3000).map { Int64(1) << 40 + Int64($0) }
        try requireEqual(
          try open.rows(open.query("Record") { $0.references = many }).count, 12, "rows for many references")
      },
      CheckBody("keys choose rows whose column equals one of them; nil equals nil (P36)") { test in
        let (open, rows) = try self.filled(test)
        let title = open.attribute("Record", "title")
        try self.checkKeys(open, rows, [title], [[.string("t1")], [.string("none")]], [1, 5, 9])
        try self.checkKeys(open, rows, [title], [[.null]], [3, 7, 11])
        try self.checkKeys(open, rows, [title], [[.string("t1")], [.null]], [1, 3, 5, 7, 9, 11])
        try self.checkKeys(open, rows, [title], [], [])
      },
      CheckBody("keys of several columns match together, and numbers match by value") { test in
        let (open, rows) = try self.filled(test)
        let (title, small) = (open.attribute("Record", "title"), open.attribute("Record", "small"))
        try self.checkKeys(
          open, rows, [title, small], [[.string("t1"), .int(5)], [.string("t2"), .int(3)]], [5])
        try self.checkKeys(open, rows, [small], [[.double(5)], [.double(5.5)], [.int(6)]], [5, 6])
        try self.checkKeys(open, rows, [title, small], [[.null, .int(7)]], [7])
      },
      CheckBody("text keys match by their bytes, not by canonical equivalence") { test in
        let open = try test.open()
        let editor = open.edit()
        let composed = try editor.insert("Tag", ["label": .string("\u{e9}")])
        let decomposed = try editor.insert("Tag", ["label": .string("e\u{301}")])
        try open.save(editor)
        let label = open.attribute("Tag", "label")
        try self.checkKeys(open, [composed, decomposed], [label], [[.string("\u{e9}")]], [0])
        try self.checkKeys(open, [composed, decomposed], [label], [[.string("e\u{301}")]], [1])
      },
      CheckBody("keys find rows that saves have written since") { test in
        let (open, rows) = try self.filled(test)
        let title = open.attribute("Record", "title")
        try self.checkKeys(open, rows, [title], [[.string("t1")]], [1, 5, 9])
        let editor = open.edit()
        try editor.update(try unwrap(try open.row(rows[1]), "row"), ["title": .string("moved")])
        try editor.update(try unwrap(try open.row(rows[2]), "row"), ["title": .string("t1")])
        editor.delete(try unwrap(try open.row(rows[5]), "row"))
        let new = try editor.insert("Note", ["title": .string("t1")])
        try open.save(editor)
        try self.checkKeys(open, rows + [new], [title], [[.string("t1")]], [2, 9, 12])
        try editor.update(try unwrap(try open.row(rows[1]), "row"), ["title": .string("t1")])
        try open.save(editor)
        try self.checkKeys(open, rows + [new], [title], [[.string("t1")]], [1, 2, 9, 12])
      },
      CheckBody("nil sorts before everything ascending and after everything descending (FR-29)") { test in
        let (open, rows) = try self.filled(test)
        for ascending in [true, false] {
          let sort = self.sort(open, "Record", "title", ascending: ascending)
          let found = try open.rows(open.query("Record") { $0.order = [sort] }).map(\.reference)
          let groups = [[3, 7, 11], [0, 4, 8], [1, 5, 9], [2, 6, 10]]
          let expected = (ascending ? groups : groups.reversed()).flatMap { $0.map { rows[$0].reference } }
          try requireEqual(found, expected, ascending ? "ascending" : "descending")
        }
      },
      CheckBody("text sorts by Unicode scalar (FR-30, FR-31)") { test in
        let open = try test.open()
        let editor = open.edit()
        let labels = [
          "Alpha", "beta", "Gamma", "\u{c9}mile", "\u{fffd}", "\u{1f600}", "e\u{301}", "\u{e9}", "", "Al",
        ]
        for label in labels { try editor.insert("Tag", ["label": .string(label)]) }
        try open.save(editor)
        let rows = try open.rows(open.query("Tag") { $0.order = [self.sort(open, "Tag", "label")] })
        let expected = labels.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
        try requireEqual(rows.map { open.value($0, "label") }, expected.map { .string($0) }, "labels")
      },
      CheckBody("a stream hands over what a query answers") { test in
        let (open, _) = try self.filled(test)
        let query = open.query("Record") { $0.order = [self.sort(open, "Record", "small", ascending: false)] }
        let expected = try open.rows(query).map(\.reference)
        var streamed: [Int64] = []
        let scope = try open.store.beginRead()
        defer { scope.end() }
        try scope.stream(query, batch: 5) { streamed.append(contentsOf: $0.map(\.reference)) }
        try requireEqual(streamed, expected, "references")
      },
      CheckBody("a query can be explained") { test in
        let (open, _) = try self.filled(test)
        let scope = try open.store.beginRead()
        defer { scope.end() }
        try require(!(try scope.explain(open.query("Record")).statement.isEmpty), "the statement is empty")
      },
    ]
  }

  /// Twelve rows: `Record`, `Note`, `Memo` in turn; titles t0, t1, t2, nil in turn; `small` counts them.
  static func filled(_ test: StoreUnderTest) throws -> (OpenStore, [RowIdentity]) {
    let open = try test.open()
    let editor = open.edit()
    var rows: [RowIdentity] = []
    for index in 0..<12 {
      let title: Value = index % 4 == 3 ? .null : .string("t\(index % 4)")
      let entity = ["Record", "Note", "Memo"][index % 3]
      rows.append(try editor.insert(entity, ["title": title, "small": .int(Int64(index))]))
    }
    try open.save(editor)
    return (open, rows)
  }

  static func sort(_ open: OpenStore, _ entity: String, _ name: String, ascending: Bool = true) -> BoundSort {
    BoundSort(steps: [.attribute(open.attribute(entity, name))], ascending: ascending, comparison: .scalar)
  }

  private static func checkKeys(
    _ open: OpenStore, _ rows: [RowIdentity], _ attributes: [BoundAttribute], _ keys: [[Value]],
    _ expected: [Int], line: Int = #line
  ) throws {
    var query = StoreQuery(entity: attributes[0].entity)
    query.keys = LinkKeys(attributes: attributes, keys: keys)
    let found = try open.rows(query).map(\.reference)
    try requireEqual(Set(found), Set(expected.map { rows[$0].reference }), "rows of \(keys)", line: line)
    try requireEqual(found.count, expected.count, "number of rows of \(keys)", line: line)
  }
}
