internal import FederatedModel
internal import FederatedStore

/// Rows that a save relies on without changing them, and lists that others changed.
enum RelianceChecks {
  static var all: [CheckBody] {
    [
      CheckBody("a save that relies on a row as it is stored is written") { test in
        let open = try test.open()
        let editor = open.edit()
        let row = try editor.insert("Tag", ["label": .string("a")])
        try open.save(editor)
        editor.expect(row)
        editor.expect(row, version: 1)
        try editor.insert("Tag", ["label": .string("b")])
        try open.save(editor)
        try requireEqual(try open.rows(open.query("Tag")).count, 2, "rows")
        editor.expect(row, version: 1)
        try open.save(editor)
      },
      CheckBody("a row that the save relies on and others changed is a conflict") { test in
        let open = try test.open()
        let editor = open.edit()
        let row = try editor.insert("Tag", ["label": .string("a")])
        try open.save(editor)
        try editor.update(try unwrap(try open.row(row), "row"), ["label": .string("b")])
        try open.save(editor)
        for writes in [true, false] {
          editor.expect(row, version: 1)
          if writes { try editor.insert("Tag") }
          try self.requireConflict(of: row) { try open.save(editor) }
        }
        editor.expect(row)
        try editor.insert("Tag")
        try open.save(editor)
      },
      CheckBody("a row that the save relies on and others deleted is a conflict") { test in
        let open = try test.open()
        let editor = open.edit()
        let row = try editor.insert("Tag")
        try open.save(editor)
        editor.delete(try unwrap(try open.row(row), "row"))
        try open.save(editor)
        for writes in [true, false] {
          editor.expect(row)
          if writes { try editor.insert("Tag") }
          try self.requireConflict(of: row) { try open.save(editor) }
        }
        try requireEqual(try open.rows(open.query("Tag")).count, 0, "rows")
      },
      CheckBody("a row that goes while others lead to it is a conflict, unless they let go in the same save")
      {
        test in
        let open = try test.open()
        let editor = open.edit()
        let folder = try editor.insert("Folder")
        let record = try editor.insert("Record", to: ["folder": folder])
        try open.save(editor)
        editor.delete(try unwrap(try open.row(folder), "row"))
        try self.requireConflict(of: folder) { try open.save(editor) }
        try requireEqual(try open.rows(open.query("Folder")).count, 1, "rows")
        editor.delete(try unwrap(try open.row(folder), "row"))
        editor.delete(try unwrap(try open.row(record), "row"))
        try open.save(editor)
        try requireEqual(try open.rows(open.query("Folder")).count, 0, "rows")
      },
      CheckBody("members that others added to an ordered list follow, those that others removed stay away") {
        test in
        let open = try test.open()
        let editor = open.edit()
        let shelf = open.relationship("Tag", "shelf")
        let tag = try editor.insert("Tag")
        let records = try (0..<5).map { try editor.insert("Record", ["title": .string("\($0)")]) }
        editor.link(shelf, of: tag, add: [records[0], records[1]], order: [records[0], records[1]])
        try open.save(editor)
        editor.link(
          shelf, of: tag, add: [records[2], records[3]], remove: [records[1]],
          order: [records[3], records[0], records[2]])
        try open.save(editor)
        editor.link(
          shelf, of: tag, add: [records[4]], order: [records[4], records[1], records[0]])
        try open.save(editor)
        try requireEqual(
          try open.related(shelf, of: tag)[0], [records[4], records[0], records[3], records[2]], "the list")
      },
    ]
  }

  private static func requireConflict(of row: RowIdentity, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as StoreError {
      try requireEqual(error.code, .conflict, "code")
      try requireEqual(error.rows, [row], "rows of the conflict")
      return
    }
    throw ConformanceFailure(detail: "the save was not refused", file: #fileID, line: #line)
  }
}
