internal import FederatedModel
internal import FederatedStore

/// Who rows are.
enum IdentityChecks {
  static var all: [CheckBody] {
    [
      CheckBody("a reference goes into text and back") { test in
        let open = try test.open()
        let editor = open.edit()
        let identity = try editor.insert("Tag")
        try open.save(editor)
        let text = open.store.referenceText(identity.reference)
        try requireEqual(open.store.reference(fromText: text), identity.reference, "reference of \(text)")
        try requireEqual(
          open.store.reference(fromText: "no such name / \u{e9}"), nil, "reference of a strange text")
      },
      CheckBody("a row is found by its concrete entity and by its ancestors, not by another") { test in
        let open = try test.open()
        let editor = open.edit()
        let memo = try editor.insert("Memo")
        try open.save(editor)
        for (name, isFound) in [("Memo", true), ("Note", true), ("Record", true), ("Tag", false)] {
          let rows = try open.rows(open.query(name) { $0.references = [memo.reference] })
          try requireEqual(rows.count, isFound ? 1 : 0, "rows as \(name)")
          if let row = rows.first { try requireEqual(row.entity, memo.entity, "entity as \(name)") }
        }
      },
    ]
  }

  /// Checks that open a store again.
  static var persistent: [CheckBody] {
    [
      CheckBody("identities are the same after opening again") { test in
        let open = try test.open()
        let editor = open.edit()
        var identities: [RowIdentity: String] = [:]
        for (index, entity) in ["Tag", "Folder", "Memo", "Record", "Pen", "Cup", "Note"].enumerated() {
          let values: [String: Value] =
            entity == "Pen" || entity == "Cup" ? ["size": .int(Int64(index))] : [:]
          identities[try editor.insert(entity, values)] = entity
        }
        try open.save(editor)
        open.store.close()
        let again = try test.open()
        for (identity, entity) in identities {
          let row = try unwrap(try again.row(identity), "\(entity) \(identity.reference)")
          try requireEqual(row.entity, again.entity(entity).id, "entity of \(identity.reference)")
          let text = open.store.referenceText(identity.reference)
          try requireEqual(again.store.reference(fromText: text), identity.reference, "reference of \(text)")
        }
      },
      CheckBody("order of a to-many is the same after opening again") { test in
        let open = try test.open()
        try RelationshipChecks.checkOrder(open) { try self.again(test) }
      },
      CheckBody("a many-to-many is the same after opening again") { test in
        try RelationshipChecks.checkManyToMany(try test.open()) { try self.again(test) }
      },
      CheckBody("saves add up over many openings") { test in
        for round in 0..<5 {
          let open = try test.open()
          let editor = open.edit()
          let rows = try open.rows(open.query("Tag"))
          try requireEqual(rows.count, round, "rows in round \(round)")
          for row in rows { try editor.update(row, ["label": .string("round \(round)")]) }
          try editor.insert("Tag", ["label": .string("new")])
          try open.save(editor)
          open.store.close()
        }
      },
    ]
  }

  private static func again(_ test: StoreUnderTest) throws -> OpenStore { try test.open() }
}
