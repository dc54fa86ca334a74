internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Inserts, updates, deletes, versions and conflicts.
enum SaveChecks {
  /// One value for each attribute of `Record`, and another.
  static let values: [String: (Value, Value)] = [
    "small": (.int(Int64(Int16.min)), .int(0)),
    "middle": (.int(Int64(Int32.max)), .int(-1)),
    "large": (.int(.min), .int(.max)),
    "price": (
      .decimal(Decimal(string: "0.1234567890123456789") ?? .nan), .decimal(Decimal(string: "-10.50") ?? .nan)
    ),
    "weight": (.double(.greatestFiniteMagnitude), .double(-0.1)),
    "ratio": (.double(Double(Float(0.1))), .double(1.5)),
    "title": (.string("e\u{301} & \u{e9} <\u{1F600}> \\u0041"), .string("")),
    "isOpen": (.bool(true), .bool(false)),
    "date": (
      .date(Date(timeIntervalSinceReferenceDate: -978_307_200.123456)),
      .date(Date(timeIntervalSinceReferenceDate: 0.1))
    ),
    "bytes": (.data(Data([0, 1, 254, 255])), .data(Data())),
    "uuid": (
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      .uuid(UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    ),
    "link": (.uri("https://example.org/a%20b?q=1&r=2"), .uri("x:y")),
    "shape": (.data(Data("shape".utf8)), .data(Data([7]))),
  ]

  static var all: [CheckBody] {
    [
      CheckBody("a new row has version 1 and its values") { test in
        let open = try test.open()
        try self.checkInsert(open) { try open.row($0) }
      },
      CheckBody("a row without values is nil everywhere") { test in
        let open = try test.open()
        let editor = open.edit()
        let identity = try editor.insert("Memo")
        try open.save(editor)
        let row = try unwrap(try open.row(identity), "the row")
        for column in row.block.layout.columns {
          try require(row.isNull(column.slot), "\(column.name) is not nil")
        }
      },
      CheckBody("an update changes what it says and adds one to the version") { test in
        let open = try test.open()
        let editor = open.edit()
        let first = try editor.insert("Record", self.values.mapValues(\.0))
        let second = try editor.insert("Record", self.values.mapValues(\.0))
        try open.save(editor)
        try editor.update(try unwrap(try open.row(first), "the row"), self.values.mapValues(\.1))
        try editor.update(try unwrap(try open.row(second), "the row"), self.values.mapValues { _ in .null })
        try open.save(editor)
        try self.check(open, first, version: 2, self.values.mapValues(\.1))
        try self.check(open, second, version: 2, self.values.mapValues { _ in .null })
        try editor.update(try unwrap(try open.row(second), "the row"), ["title": .string("again")])
        try open.save(editor)
        try self.check(open, second, version: 3, ["title": .string("again"), "small": .null])
      },
      CheckBody("a deleted row is gone, and its number is not given again") { test in
        let open = try test.open()
        let editor = open.edit()
        let first = try editor.insert("Tag")
        let second = try editor.insert("Tag")
        try open.save(editor)
        editor.delete(try unwrap(try open.row(second), "the row"))
        try open.save(editor)
        try require(try open.row(second) == nil, "the row is still there")
        try require(try open.row(first) != nil, "the other row is gone")
        let third = try editor.insert("Tag")
        try require(third != first && third != second, "\(third) was given before")
      },
      CheckBody("one save inserts, updates and deletes") { test in
        let open = try test.open()
        let editor = open.edit()
        let tags = try (0..<6).map { try editor.insert("Tag", ["label": .string("tag \($0)")]) }
        try open.save(editor)
        try editor.update(try unwrap(try open.row(tags[0]), "row"), ["label": .string("changed")])
        editor.delete(try unwrap(try open.row(tags[1]), "row"))
        editor.delete(try unwrap(try open.row(tags[5]), "row"))
        let new = try editor.insert("Tag", ["label": .string("new")])
        try open.save(editor)
        let labels = try open.rows(open.query("Tag")).map { open.value($0, "label") }
        let expected = ["changed", "tag 2", "tag 3", "tag 4", "new"].map { Value.string($0) }
        try requireEqual(labels, expected, "labels")
        try requireEqual(try open.row(new)?.version, 1, "version of the new row")
      },
      CheckBody("an update of a row that was changed since is a conflict and leaves nothing") { test in
        try self.checkConflict(test) { editor, row in try editor.update(row, ["label": .string("mine")]) }
      },
      CheckBody("a delete of a row that was changed since is a conflict and leaves nothing") { test in
        try self.checkConflict(test) { editor, row in editor.delete(row) }
      },
      CheckBody("a change of a row that is gone is a conflict") { test in
        let open = try test.open()
        let editor = open.edit()
        let identity = try editor.insert("Tag")
        try open.save(editor)
        let row = try unwrap(try open.row(identity), "the row")
        editor.delete(row)
        try open.save(editor)
        try editor.update(row, ["label": .string("late")])
        try requireRefusal(.conflict, "an update") { try open.save(editor) }
        editor.delete(row)
        try requireRefusal(.conflict, "a delete") { try open.save(editor) }
        try requireEqual(try open.rows(open.query("Tag")).count, 0, "rows")
      },
      CheckBody("reserved numbers are never given twice") { test in
        let open = try test.open()
        let pen = try open.store.reserveReferences(for: open.entity("Pen").id, count: 5)
        let cup = try open.store.reserveReferences(for: open.entity("Cup").id, count: 5)
        try requireEqual(pen.count, 5, "numbers")
        try require(!pen.overlaps(cup), "\(pen) and \(cup) share numbers of one hierarchy")
      },
    ]
  }

  /// Checks that open a store again.
  static var persistent: [CheckBody] {
    [
      CheckBody("values are the same after opening again") { test in
        let open = try test.open()
        try self.checkInsert(open) { identity in
          open.store.close()
          return try test.open().row(identity)
        }
      },
      CheckBody("a save after opening again finds the version that it read") { test in
        let first = try test.open()
        let editor = first.edit()
        let identity = try editor.insert("Tag", ["label": .string("a")])
        try first.save(editor)
        first.store.close()
        let second = try test.open()
        let edit = second.edit()
        try edit.update(try unwrap(try second.row(identity), "row"), ["label": .string("b")])
        try second.save(edit)
        second.store.close()
        let third = try test.open()
        try requireEqual(try third.row(identity).map { third.value($0, "label") }, .string("b"), "label")
        let new = try third.edit().insert("Tag")
        try require(new != identity, "the number \(new.reference) was given twice")
      },
    ]
  }

  private static func checkInsert(_ open: OpenStore, _ row: (RowIdentity) throws -> Snapshot?) throws {
    let editor = open.edit()
    let identity = try editor.insert("Record", self.values.mapValues(\.0))
    try open.save(editor)
    let found = try unwrap(try row(identity), "the row")
    try requireEqual(RowIdentity(entity: found.entity, reference: found.reference), identity, "identity")
    try requireEqual(found.version, 1, "version")
    for (name, value) in self.values { try requireEqual(open.value(found, name), value.0, name) }
  }

  private static func check(
    _ open: OpenStore, _ identity: RowIdentity, version: Int64, _ values: [String: Value]
  ) throws {
    let row = try unwrap(try open.row(identity), "the row")
    try requireEqual(row.version, version, "version")
    for (name, value) in values { try requireEqual(open.value(row, name), value, name) }
  }

  private static func checkConflict(
    _ test: StoreUnderTest, _ change: (StoreEditor, Snapshot) throws -> Void
  ) throws {
    let open = try test.open()
    let editor = open.edit()
    let identity = try editor.insert("Tag", ["label": .string("first")])
    let other = try editor.insert("Tag", ["label": .string("other")])
    try open.save(editor)
    let stale = try unwrap(try open.row(identity), "row")
    try editor.update(stale, ["label": .string("theirs")])
    try open.save(editor)

    try editor.update(try unwrap(try open.row(other), "row"), ["label": .string("changed too")])
    try editor.insert("Tag", ["label": .string("new")])
    try change(editor, stale)
    do {
      try open.save(editor)
      throw ConformanceFailure(detail: "the save was not refused", file: #fileID, line: #line)
    } catch let error as StoreError {
      try requireEqual(error.code, .conflict, "code")
      try requireEqual(error.rows, [identity], "rows of the conflict")
    }
    let labels = try open.rows(open.query("Tag")).map { open.value($0, "label") }
    try requireEqual(labels, [.string("theirs"), .string("other")], "labels after the refusal")
    try editor.insert("Tag", ["label": .string("next")])
    try open.save(editor)
  }
}
