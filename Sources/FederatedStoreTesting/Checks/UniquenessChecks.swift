internal import FederatedModel
internal import FederatedStore

/// Uniqueness constraints, for stores that say they keep them.
enum UniquenessChecks {
  static var all: [CheckBody] {
    [
      self.check("rows that would share unique values are refused, with all of them") { open in
        let editor = open.edit()
        let old = try editor.insert("Part", self.values("a", 1))
        try open.save(editor)
        let twin = try editor.insert("Screw", self.values("a", 1))
        let pair = try (0..<2).map { _ in try editor.insert("Part", self.values("b", 1)) }
        try editor.insert("Part", self.values("c", 1))
        let error = try self.refusal { try open.save(editor) }
        try requireEqual(error.code, .duplicateKey, "code")
        try requireEqual(
          Set(error.duplicates.map { Set($0.rows) }), [[old, twin], Set(pair)], "rows of the duplicates")
        for duplicate in error.duplicates {
          try requireEqual(duplicate.entity, open.entity("Part").id, "entity")
          try requireEqual(duplicate.attributes, ["code", "size"], "attributes")
        }
        try requireEqual(try open.rows(open.query("Part")).count, 1, "rows after the refusal")
      },
      self.check("nil collides with nothing, and rows may exchange unique values") { open in
        let editor = open.edit()
        for _ in 0..<2 { try editor.insert("Part", self.values(nil, 1)) }
        let rows = try ["a", "b"].map { try editor.insert("Part", self.values($0, 1)) }
        let gone = try editor.insert("Part", self.values("c", 1))
        try open.save(editor)
        for (row, code) in zip(rows, ["b", "a"]) {
          try editor.update(try unwrap(try open.row(row), "row"), ["code": .string(code)])
        }
        editor.delete(try unwrap(try open.row(gone), "row"))
        try editor.insert("Part", self.values("c", 1))
        try open.save(editor)
        try requireEqual(try open.rows(open.query("Part")).count, 5, "rows")
      },
      self.check("an update that takes on the unique values of a stored row is refused") { open in
        let editor = open.edit()
        let rows = try ["a", "b"].map { try editor.insert("Part", self.values($0, 1)) }
        try open.save(editor)
        try editor.update(try unwrap(try open.row(rows[1]), "row"), ["code": .string("a")])
        let error = try self.refusal { try open.save(editor) }
        try requireEqual(error.duplicates.map { Set($0.rows) }, [Set(rows)], "rows of the duplicates")
      },
      self.check("a subentity's constraint is over its own rows") { open in
        let editor = open.edit()
        for entity in ["Part", "Part", "Screw"] { try editor.insert(entity, ["label": .string("x")]) }
        try open.save(editor)
        try editor.insert("Screw", ["label": .string("x")])
        try requireEqual(try self.refusal { try open.save(editor) }.code, .duplicateKey, "code")
      },
      self.check("a row that others changed is told before rows that share values") { open in
        let editor = open.edit()
        let rows = try ["a", "b"].map { try editor.insert("Part", self.values($0, 1)) }
        try open.save(editor)
        let stale = try unwrap(try open.row(rows[0]), "row")
        try editor.update(stale, ["size": .int(2)])
        try open.save(editor)
        try editor.insert("Part", self.values("b", 1))
        try editor.update(stale, ["size": .int(3)])
        let error = try self.refusal { try open.save(editor) }
        try requireEqual(error.code, .conflict, "code")
        try requireEqual(error.rows, [rows[0]], "rows of the conflict")
      },
    ]
  }

  private static func check(_ name: String, _ body: @escaping @Sendable (OpenStore) throws -> Void)
    -> CheckBody
  {
    CheckBody(name) { test in
      let own = try StoreUnderTest(test.type, isPersistent: test.url != nil, model: try self.model())
      let open = try own.open()
      if open.store.capabilities.contains(.uniquenessConstraints) { try body(open) }
    }
  }

  private static func model() throws(ModelError) -> ManagedObjectModel {
    var part = EntityDescription(
      "Part",
      properties: [
        AttributeDescription("code", .string, optional: true),
        AttributeDescription("size", .integer32, optional: true),
        AttributeDescription("label", .string, optional: true),
      ])
    part.uniquenessConstraints = [["code", "size"]]
    var screw = EntityDescription("Screw", parent: "Part")
    screw.uniquenessConstraints = [["label"]]
    return try ManagedObjectModel(entities: [part, screw])
  }

  private static func values(_ code: String?, _ size: Int64) -> [String: Value] {
    ["code": code.map(Value.string) ?? .null, "size": .int(size)]
  }

  private static func refusal(_ body: () throws -> Void) throws -> StoreError {
    do { try body() } catch let error as StoreError { return error }
    throw ConformanceFailure(detail: "the save was not refused", file: #fileID, line: #line)
  }
}
