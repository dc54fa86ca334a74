internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Prepare, then commit or abandon.
enum TwoStepChecks {
  static var all: [CheckBody] {
    [
      CheckBody("a prepared save is invisible until it is committed") { test in
        let (open, editor, _) = try self.prepared(test)
        let save = try open.store.prepare(editor.changes(), save: SaveIdentifier())
        try requireEqual(try self.labels(open), [.string("old")], "labels while prepared")
        try save.commit()
        try requireEqual(try self.labels(open), [.string("changed"), .string("new")], "labels after commit")
      },
      CheckBody("an abandoned save leaves files and answers as they were") { test in
        let (open, editor, identity) = try self.prepared(test)
        // Stores that write beside their file do so on the first read already.
        _ = try self.labels(open)
        let before = try self.mainFile(test)
        let save = try open.store.prepare(editor.changes(), save: SaveIdentifier())
        save.abandon()
        try requireEqual(try self.labels(open), [.string("old")], "labels")
        try requireEqual(try open.row(identity)?.version, 1, "version")
        try require(try self.mainFile(test) == before, "the file's bytes differ")
        try editor.update(try unwrap(try open.row(identity), "row"), ["label": .string("later")])
        try open.save(editor)
        try requireEqual(try self.labels(open), [.string("later")], "labels after another save")
      },
      CheckBody("a read scope keeps its version during a commit") { test in
        let (open, editor, _) = try self.prepared(test)
        let scope = try open.store.beginRead()
        try requireEqual(try self.labels(open, in: scope), [.string("old")], "labels before")
        let token = try scope.changeToken
        try open.save(editor)
        try requireEqual(
          try self.labels(open, in: scope), [.string("old")], "labels in the scope after commit")
        scope.end()
        let next = try open.store.beginRead()
        defer { next.end() }
        try requireEqual(
          try self.labels(open, in: next), [.string("changed"), .string("new")], "labels in a new scope")
        try require(try next.changeToken != token, "the change token did not move")
      },
      CheckBody("a save of nothing is no change") { test in
        let open = try test.open()
        let scope = try open.store.beginRead()
        let token = try scope.changeToken
        scope.end()
        try open.save(open.edit())
        let next = try open.store.beginRead()
        defer { next.end() }
        try requireEqual(try next.changeToken, token, "change token")
      },
      CheckBody("a save that was never committed is recovered, once") { test in
        let (open, editor, identity) = try self.prepared(test)
        let save = SaveIdentifier(isJoint: true)
        let sealed = SealedChanges(save: save, changes: editor.changes())
        try open.store.prepare(sealed.changes, save: save).abandon()
        for _ in 0..<3 { try open.store.recover(sealed) }
        try requireEqual(try self.labels(open), [.string("changed"), .string("new")], "labels")
        let next = open.edit()
        try next.update(try unwrap(try open.row(identity), "row"), ["label": .string("later")])
        try open.save(next)
        try requireEqual(try self.labels(open), [.string("later"), .string("new")], "labels after a save")
      },
      CheckBody("a save that was committed is not recovered a second time") { test in
        let (open, editor, _) = try self.prepared(test)
        let save = SaveIdentifier(isJoint: true)
        let sealed = SealedChanges(save: save, changes: editor.changes())
        try open.store.prepare(sealed.changes, save: save).commit()
        try open.store.recover(sealed)
        try requireEqual(try self.labels(open), [.string("changed"), .string("new")], "labels")
      },
      CheckBody("rows that somebody else changed are not recovered over") { test in
        let (open, editor, identity) = try self.prepared(test)
        let sealed = SealedChanges(save: SaveIdentifier(isJoint: true), changes: editor.changes())
        let other = open.edit()
        try other.update(try unwrap(try open.row(identity), "row"), ["label": .string("other")])
        try open.save(other)
        do {
          try open.store.recover(sealed)
          try require(false, "a row of others was overwritten")
        } catch let error as StoreError {
          try requireEqual(error.code, .conflict, "code")
          try requireEqual(error.rows, [identity], "rows")
        }
        try requireEqual(try self.labels(open), [.string("other")], "labels")
      },
      CheckBody("reads and rows are counted") { test in
        let (open, _, identity) = try self.prepared(test)
        let before = open.store.statistics
        _ = try self.labels(open)
        _ = try open.related(open.relationship("Tag", "records"), of: identity)
        let after = open.store.statistics
        try requireEqual(after.reads - before.reads, 2, "reads")
        try requireEqual(after.rows - before.rows, 1, "rows")
        try require(after.statements > before.statements, "no statement was counted")
      },
    ]
  }

  /// A store with one saved row, and an editor that changes it and adds another.
  private static func prepared(_ test: StoreUnderTest) throws -> (OpenStore, StoreEditor, RowIdentity) {
    let open = try test.open()
    let editor = open.edit()
    let identity = try editor.insert("Tag", ["label": .string("old")])
    try open.save(editor)
    try editor.update(try unwrap(try open.row(identity), "row"), ["label": .string("changed")])
    try editor.insert("Tag", ["label": .string("new")])
    return (open, editor, identity)
  }

  private static func labels(_ open: OpenStore, in scope: (any ReadScope)? = nil) throws -> [Value] {
    let query = open.query("Tag")
    guard let scope else { return try open.rows(query).map { open.value($0, "label") } }
    guard case .rows(let rows) = try scope.run(query) else { return [] }
    return rows.map { open.value($0, "label") }
  }

  private static func mainFile(_ test: StoreUnderTest) throws -> [UInt8]? {
    guard let url = test.url else { return nil }
    return try test.files()[url.lastPathComponent].map { Array($0) }
  }
}
