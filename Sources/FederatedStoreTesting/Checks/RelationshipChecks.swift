internal import FederatedModel
internal import FederatedStore

/// To-one, to-many, ordered, many-to-many and self relationships.
enum RelationshipChecks {
  static var all: [CheckBody] {
    [
      CheckBody("a to-one leads to the concrete row, and its to-many leads back") { test in
        let open = try test.open()
        let editor = open.edit()
        let folder = try editor.insert("Folder")
        let empty = try editor.insert("Folder")
        let record = try editor.insert("Record", to: ["folder": folder])
        let memo = try editor.insert("Memo", to: ["folder": folder])
        let free = try editor.insert("Note")
        try open.save(editor)
        try requireEqual(try self.destination(open, memo, "folder"), folder, "folder of the memo")
        try requireEqual(try self.destination(open, free, "folder"), nil, "folder of the free note")
        let records = open.relationship("Folder", "records")
        try requireEqual(try open.related(records, of: folder, empty), [[record, memo], []], "records")
        let editAgain = open.edit()
        try editAgain.update(try unwrap(try open.row(memo), "row"), to: ["folder": empty])
        try editAgain.update(try unwrap(try open.row(record), "row"), to: ["folder": RowIdentity?.none])
        try editAgain.update(try unwrap(try open.row(free), "row"), to: ["folder": folder])
        try open.save(editAgain)
        try requireEqual(
          try open.related(records, of: folder, empty), [[free], [memo]], "records after the change")
      },
      CheckBody("a to-one into an entity with subentities has the concrete entity") { test in
        let open = try test.open()
        let editor = open.edit()
        let folder = try editor.insert("Folder")
        let memo = try editor.insert("Memo", to: ["coverOf": folder])
        try open.save(editor)
        try editor.update(try unwrap(try open.row(folder), "row"), to: ["cover": memo])
        try open.save(editor)
        try requireEqual(try self.destination(open, folder, "cover"), memo, "cover")
        try requireEqual(try self.destination(open, memo, "coverOf"), folder, "coverOf")
      },
      CheckBody("a relationship of an entity with itself goes both ways") { test in
        let open = try test.open()
        let editor = open.edit()
        let root = try editor.insert("Folder")
        let left = try editor.insert("Folder", to: ["parent": root])
        let right = try editor.insert("Folder", to: ["parent": root])
        let leaf = try editor.insert("Folder", to: ["parent": left])
        try open.save(editor)
        let children = open.relationship("Folder", "children")
        try requireEqual(
          try open.related(children, of: root, left, right, leaf), [[left, right], [leaf], [], []], "children"
        )
      },
      CheckBody("an ordered to-many keeps its order") { test in
        let open = try test.open()
        try self.checkOrder(open) { open }
      },
      CheckBody("a many-to-many is seen from both ends, whichever tells of it") { test in
        let open = try test.open()
        try self.checkManyToMany(open) { open }
      },
      CheckBody("an ordered many-to-many keeps its order, and its other end its members") { test in
        let open = try test.open()
        let editor = open.edit()
        let tag = try editor.insert("Tag")
        let records = try (0..<4).map { _ in try editor.insert("Record") }
        let shelf = open.relationship("Tag", "shelf")
        editor.link(
          shelf, of: tag, add: [records[2], records[0], records[3]],
          order: [records[2], records[0], records[3]])
        try open.save(editor)
        try requireEqual(try open.related(shelf, of: tag), [[records[2], records[0], records[3]]], "shelf")
        let shelves = open.relationship("Record", "shelves")
        try requireEqual(try open.related(shelves, of: records[0], records[1]), [[tag], []], "shelves")
        editor.link(
          shelf, of: tag, add: [records[1]], remove: [records[0]],
          order: [records[3], records[1], records[2]])
        try open.save(editor)
        try requireEqual(
          try open.related(shelf, of: tag), [[records[3], records[1], records[2]]], "shelf after a move")
        try requireEqual(
          try open.related(shelves, of: records[0], records[1]), [[], [tag]], "shelves after a move")
      },
      CheckBody("a many-to-many of an entity with itself is symmetric") { test in
        let open = try test.open()
        let editor = open.edit()
        let tags = try (0..<3).map { _ in try editor.insert("Tag") }
        let related = open.relationship("Tag", "related")
        editor.link(related, of: tags[0], add: [tags[1], tags[2]])
        try open.save(editor)
        try requireEqual(
          try open.related(related, of: tags[0], tags[1], tags[2]),
          [[tags[1], tags[2]], [tags[0]], [tags[0]]],
          "related")
        editor.link(related, of: tags[1], remove: [tags[0]])
        try open.save(editor)
        try requireEqual(
          try open.related(related, of: tags[0], tags[1], tags[2]), [[tags[2]], [], [tags[0]]],
          "related after a removal")
      },
      CheckBody("links of a deleted row go with it") { test in
        let open = try test.open()
        let editor = open.edit()
        let tags = try (0..<2).map { _ in try editor.insert("Tag") }
        let record = try editor.insert("Record")
        editor.link(open.relationship("Record", "tags"), of: record, add: tags)
        try open.save(editor)
        editor.link(open.relationship("Record", "tags"), of: record, remove: [tags[0]])
        editor.delete(try unwrap(try open.row(tags[0]), "row"))
        try open.save(editor)
        try requireEqual(
          try open.related(open.relationship("Record", "tags"), of: record), [[tags[1]]], "tags")
      },
      CheckBody("many owners are answered in the order given, repeated ones too") { test in
        let open = try test.open()
        let editor = open.edit()
        let folders = try (0..<40).map { _ in try editor.insert("Folder") }
        let records = try folders.map { try editor.insert("Record", to: ["folder": $0]) }
        try open.save(editor)
        let scope = try open.store.beginRead()
        defer { scope.end() }
        let owners = folders.reversed() + [folders[7], folders[7]]
        let related = try scope.related(open.relationship("Folder", "records"), of: owners.map(\.reference))
        let expected = records.reversed() + [records[7], records[7]]
        try requireEqual(owners.indices.map { Array(related[$0]) }, expected.map { [$0] }, "records")
      },
    ]
  }

  static func destination(_ open: OpenStore, _ row: RowIdentity, _ name: String) throws -> RowIdentity? {
    let row = try unwrap(try open.row(row), "the row")
    let slot = try unwrap(row.block.layout.column(named: name), name).slot
    return row.destination(slot).map { RowIdentity(entity: $0.entity, reference: $0.reference) }
  }

  /// - Parameter again: the same store, or the store opened again.
  static func checkOrder(_ open: OpenStore, again: () throws -> OpenStore) throws {
    let editor = open.edit()
    let folder = try editor.insert("Folder")
    let other = try editor.insert("Folder")
    let records = try (0..<4).map { _ in try editor.insert("Record", to: ["pinnedIn": folder]) }
    let order = [records[3], records[1], records[0], records[2]]
    let pinned = open.relationship("Folder", "pinned")
    editor.link(pinned, of: folder, add: order, order: order)
    try open.save(editor)
    var open = try again()
    try requireEqual(try open.related(pinned, of: folder, other), [order, []], "pinned")

    let next = open.edit()
    try next.update(try unwrap(try open.row(records[1]), "row"), to: ["pinnedIn": other])
    let rest = [records[2], records[3], records[0]]
    next.link(pinned, of: folder, remove: [records[1]], order: rest)
    next.link(pinned, of: other, add: [records[1]], order: [records[1]])
    try open.save(next)
    open = try again()
    try requireEqual(
      try open.related(pinned, of: folder, other), [rest, [records[1]]], "pinned after a move")
  }

  static func checkManyToMany(_ open: OpenStore, again: () throws -> OpenStore) throws {
    let editor = open.edit()
    let tags = try (0..<3).map { _ in try editor.insert("Tag") }
    let records = try (0..<3).map { try editor.insert($0 == 2 ? "Memo" : "Record") }
    let (toTags, toRecords) = (open.relationship("Record", "tags"), open.relationship("Tag", "records"))
    editor.link(toTags, of: records[0], add: [tags[0], tags[1]])
    editor.link(toRecords, of: tags[0], add: [records[0], records[2]])
    try open.save(editor)
    let open = try again()
    try requireEqual(
      try open.related(toTags, of: records[0], records[1], records[2]), [[tags[0], tags[1]], [], [tags[0]]],
      "tags")
    try requireEqual(
      try open.related(toRecords, of: tags[0], tags[1], tags[2]),
      [[records[0], records[2]], [records[0]], []],
      "records")
  }
}
