import FederatedModel
import FederatedStoreTesting
import Foundation
import Testing

@testable import FederatedStore

@Suite struct WholeFileStoreTests {
  @Test("rows that another program wrote into the file are kept by the next save")
  func changedUnderneath() throws {
    let test = try StoreUnderTest(.csv)
    let open = try test.open()
    let editor = open.edit()
    try editor.insert("Tag", ["label": .string("a")])
    try open.save(editor)
    let url = try #require(test.url)
    var text = try Data(contentsOf: url)
    let scope = try open.store.beginRead()
    let token = try scope.changeToken
    text.append(Data("\nTag,77,label=b".utf8))
    try text.write(to: url)
    #expect(try scope.changeToken != token)
    scope.end()
    try editor.insert("Tag", ["label": .string("c")])
    try open.save(editor)
    for store in [open, try test.open()] {
      #expect(
        try store.rows(open.query("Tag")).map { store.value($0, "label") } == [
          .string("a"), .string("b"), .string("c"),
        ])
    }
  }

  @Test(
    "a row that another program changed is a conflict, also when size and times are the same (BR-95)",
    arguments: [false, true])
  func changedRow(hidesIt: Bool) throws {
    let test = try StoreUnderTest(.csv)
    let open = try test.open()
    let editor = open.edit()
    let rows = try ["a", "b"].map { try editor.insert("Tag", ["label": .string($0)]) }
    try open.save(editor)
    let url = try #require(test.url)
    let path = url.path(percentEncoded: false)
    var before = stat()
    #expect(stat(path, &before) == 0)
    let theirs = String(decoding: try Data(contentsOf: url), as: UTF8.self).replacing(
      "label=a", with: "label=x")
    // In place, as an editor does that keeps the file.
    let file = Foundation.open(path, O_WRONLY)
    _ = Array(theirs.utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
    if hidesIt {
      let times = [before.st_atim, before.st_mtim]
      #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
    }
    let next = open.edit()
    // The other row is nobody's conflict.
    for (row, label) in zip(rows, ["A", "B"]) {
      try next.update(try #require(try open.row(row)), ["label": .string(label)])
    }
    let error = #expect(throws: StoreError.self) { try open.save(next) }
    #expect(error?.code == .conflict)
    #expect(error?.rows == [rows[0]])
    #expect(try String(contentsOf: url, encoding: .utf8) == theirs)

    // The store has the other program's row now, so that the conflict can be settled.
    let current = try #require(try open.row(rows[0]))
    #expect(open.value(current, "label") == .string("x"))
    let last = open.edit()
    try last.update(current, ["label": .string("mine")])
    try open.save(last)
    #expect(
      try test.open().rows(open.query("Tag")).map { open.value($0, "label") } == [
        .string("mine"), .string("b"),
      ])
  }

  @Test(
    "a reload takes the file as it is, keeps versions of rows that are the same, and refuses another store")
  func reload() throws {
    let test = try StoreUnderTest(.csv)
    let (open, other) = (try test.open(), try test.open())
    let editor = open.edit()
    let row = try editor.insert("Tag", ["label": .string("a")])
    try open.save(editor)
    let update = open.edit()
    try update.update(try #require(try open.row(row)), ["label": .string("b")])
    try open.save(update)
    try other.store.reload()
    #expect(other.value(try #require(try other.row(row)), "label") == .string("b"))
    try open.store.reload()
    #expect(try open.row(row)?.version == 2)

    let url = try #require(test.url)
    let stranger = try StoreUnderTest(.csv)
    _ = try stranger.open()
    try Data(contentsOf: try #require(stranger.url)).write(to: url)
    let error = #expect(throws: StoreError.self) { try open.store.reload() }
    #expect(error?.code == .changedUnderneath)
  }

  @Test("a second save waits for the first: it is refused while one is prepared")
  func oneSaveAtATime() throws {
    let open = try StoreUnderTest(.inMemory, isPersistent: false).open()
    let (first, second) = (open.edit(), open.edit())
    try first.insert("Tag")
    try second.insert("Tag")
    let prepared = try open.store.prepare(first.changes(), save: SaveIdentifier())
    let changes = second.changes()
    let error = #expect(throws: StoreError.self) {
      _ = try open.store.prepare(changes, save: SaveIdentifier())
    }
    #expect(error?.code == .locked)
    try prepared.commit()
    try open.store.prepare(changes, save: SaveIdentifier()).commit()
    #expect(try open.rows(open.query("Tag")).count == 2)
  }

  @Test("two stores of one file save one after the other, and keep each other's rows")
  func twoStores() throws {
    let test = try StoreUnderTest(.csv)
    let (one, two) = (try test.open(), try test.open())
    let first = one.edit()
    try first.insert("Tag", ["label": .string("one")])
    let prepared = try one.store.prepare(first.changes(), save: SaveIdentifier())
    let taken = try #require(test.url)
    let early = #expect(throws: StoreError.self) { _ = try FileLock(taken, waiting: 20) }
    #expect(early?.code == .locked)
    try prepared.commit()
    // Numbers that are taken after the commit are free in the file.
    let second = two.edit()
    try second.insert("Tag", ["label": .string("two")])
    try two.save(second)
    let third = one.edit()
    try third.insert("Tag", ["label": .string("three")])
    try one.save(third)
    #expect(
      try test.open().rows(one.query("Tag")).map { one.value($0, "label") } == [
        .string("one"), .string("two"), .string("three"),
      ])
  }

  @Test("a number that another store of the file took meanwhile refuses the save, which then succeeds")
  func takenNumber() throws {
    let test = try StoreUnderTest(.csv)
    let (one, two) = (try test.open(), try test.open())
    let (first, second) = (one.edit(), two.edit())
    try first.insert("Tag", ["label": .string("one")])
    try second.insert("Tag", ["label": .string("two")])
    try one.save(first)
    let error = #expect(throws: StoreError.self) { try two.save(second) }
    #expect(error?.code == .changedUnderneath)
    let again = two.edit()
    try again.insert("Tag", ["label": .string("two")])
    try two.save(again)
    #expect(try test.open().rows(one.query("Tag")).count == 2)
  }

  @Test("a prepared save that is dropped is abandoned")
  func dropped() throws {
    let test = try StoreUnderTest(.csv)
    let open = try test.open()
    let editor = open.edit()
    try editor.insert("Tag")
    _ = try open.store.prepare(editor.changes(), save: SaveIdentifier())
    try editor.insert("Tag")
    try open.save(editor)
    #expect(try open.rows(open.query("Tag")).count == 1)
  }

  @Test("opaque names are the URI text of their rows, and new rows get numbers")
  func opaqueNames() throws {
    let test = try StoreUnderTest(.csv)
    try test.open().store.close()
    let url = try #require(test.url)
    let head = try Data(contentsOf: url)
    try (head + Data("\nFolder,ABF,name=a\nFolder,007,parent=ABF\nFolder,12".utf8)).write(to: url)
    let open = try test.open()
    let abf = try #require(open.store.reference(fromText: "ABF"))
    #expect(open.store.referenceText(abf) == "ABF")
    #expect(open.store.reference(fromText: "12") == 12)
    #expect(open.store.reference(fromText: "unknown") == nil)
    let seven = try #require(open.store.reference(fromText: "007"))
    let folder = open.entity("Folder").id
    let children = try open.related(
      open.relationship("Folder", "children"), of: RowIdentity(entity: folder, reference: abf))
    #expect(children == [[RowIdentity(entity: folder, reference: seven)]])
    let editor = open.edit()
    let new = try editor.insert("Folder")
    #expect(new.reference == 13)
    try open.save(editor)
    open.store.close()
    let again = try test.open()
    #expect(again.store.reference(fromText: "ABF") == abf)
    #expect(try again.rows(again.query("Folder")).count == 4)
  }

  @Test("errors of a format name the file and the place")
  func located() throws {
    let test = try StoreUnderTest(.csv)
    try test.open().store.close()
    let url = try #require(test.url)
    try (try Data(contentsOf: url) + Data("\nTag,1\nNothing,2".utf8)).write(to: url)
    let error = #expect(throws: StoreError.self) { _ = try test.open() }
    #expect(error?.store == url)
    #expect(error?.place == .text(line: 3, column: 1))
  }

  @Test("opening with another version writes the new hashes at the next save (PS-21)")
  func ignoredVersion() throws {
    let test = try StoreUnderTest(.csv)
    try test.open().store.close()
    let next = try ConformanceModel.makeNext()
    let open = try test.open(model: next, ignoringVersion: true)
    let editor = open.edit()
    try editor.insert("Pen", ["colour": .string("red")])
    try open.save(editor)
    open.store.close()
    #expect(try test.open(model: next).rows(open.query("Pen")).count == 1)
    #expect(throws: StoreError.self) { _ = try test.open() }
  }

  @Test("many small saves keep every row, and blocks do not pile up")
  func compaction() throws {
    let open = try StoreUnderTest(.inMemory, isPersistent: false).open()
    let editor = open.edit()
    let tags = try (0..<50).map { try editor.insert("Tag", ["label": .string("tag \($0)")]) }
    try open.save(editor)
    for round in 0..<400 {
      let row = try #require(try open.row(tags[round % 50]))
      try editor.update(row, ["label": .string("round \(round)")])
      try editor.insert("Tag", ["label": .string("new \(round)")])
      try open.save(editor)
    }
    let rows = try open.rows(open.query("Tag"))
    #expect(rows.count == 450)
    #expect(rows.blocks.count < 200)
    for (index, tag) in tags.enumerated() {
      let row = try #require(try open.row(tag))
      #expect(row.version == 9)
      #expect(open.value(row, "label") == .string("round \(350 + index)"))
    }
  }

  @Test("a query by key is a look-up, and says so")
  func explains() throws {
    let open = try StoreUnderTest(.inMemory, isPersistent: false).open()
    let editor = open.edit()
    for index in 0..<100 { try editor.insert("Tag", ["label": .string("\(index)")]) }
    try open.save(editor)
    let scope = try open.store.beginRead()
    let query = open.query("Tag") {
      $0.keys = LinkKeys(
        attributes: [open.attribute("Tag", "label")], keys: [[.string("7")], [.string("x")]])
    }
    let explanation = try scope.explain(query)
    #expect(explanation.index == "Tag.label")
    #expect(explanation.statement == "2 look-ups of Tag by label, 1 row")
    #expect(try scope.explain(open.query("Tag")).statement == "scan of 100 rows of Tag")
  }
}
