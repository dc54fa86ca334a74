import FederatedModel
import FederatedStoreTesting
import Foundation
import Testing

@testable import FederatedStore

@Suite struct WholeFileStoreTests {
  @Test("a file that another program changed is not overwritten")
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
    let error = #expect(throws: StoreError.self) { try open.save(editor) }
    #expect(error?.code == .changedUnderneath)
    #expect(try Data(contentsOf: url) == text)
    #expect(try test.open().rows(open.query("Tag")).count == 2)
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

  @Test("two stores of one file save one after the other, and the later one finds the file changed")
  func twoStores() throws {
    let test = try StoreUnderTest(.csv)
    let (one, two) = (try test.open(), try test.open())
    let (first, second) = (one.edit(), two.edit())
    try first.insert("Tag", ["label": .string("one")])
    try second.insert("Tag", ["label": .string("two")])
    let prepared = try one.store.prepare(first.changes(), save: SaveIdentifier())
    let changes = second.changes()
    let early = #expect(throws: StoreError.self) {
      _ = try two.store.prepare(changes, save: SaveIdentifier())
    }
    #expect(early?.code == .locked)
    try prepared.commit()
    let late = #expect(throws: StoreError.self) { _ = try two.store.prepare(changes, save: SaveIdentifier()) }
    #expect(late?.code == .changedUnderneath)
    let again = try test.open()
    let repeated = again.edit()
    try repeated.insert("Tag", ["label": .string("two")])
    try again.store.prepare(repeated.changes(), save: SaveIdentifier()).abandon()
    try first.insert("Tag", ["label": .string("three")])
    try one.save(first)
    #expect(
      try test.open().rows(one.query("Tag")).map { one.value($0, "label") } == [
        .string("one"), .string("three"),
      ])
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
