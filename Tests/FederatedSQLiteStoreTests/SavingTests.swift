import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// What a save leaves in the file, read by plain SQL.
@Suite struct SavingTests {
  let folder: TemporaryFolder
  let shop: SQLiteFileUnderTest

  init() throws {
    self.folder = try TemporaryFolder()
    self.shop = try SQLiteFileUnderTest(self.folder.file("shop.sqlite"), ShopModel.model)
  }

  /// Every row of a statement as text.
  private func raw(_ sql: String) throws -> [String] {
    let connection = try self.shop.store.file.reader()
    var rows: [String] = []
    try connection.query(sql) { (row) throws(StoreError) in
      rows.append((0..<row.columnCount).map { row.string(Int32($0)) ?? "-" }.joined(separator: " "))
    }
    return rows
  }

  private func row(_ identity: RowIdentity) throws -> Snapshot {
    var query = StoreQuery(entity: identity.entity)
    query.references = [identity.reference]
    return try #require(try self.shop.rows(query).first)
  }

  @Test(
    "a to-one writes its key and the number of its destination's entity; the version is 1, the highest key kept"
  )
  func insert() throws {
    var edit = SQLiteEditor(self.shop)
    let person = try edit.insert("Person", ["name": .string("Ann"), "title": .string("Dr"), "age": .int(7)])
    let company = try edit.insert("Company", ["title": .int(9)])
    try edit.insert("Order", ["total": .decimal(3), "isOpen": .bool(true)], ["party": person])
    try edit.insert("Order", [:], ["party": company])
    try edit.save()
    #expect(
      try self.raw("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZTITLE, ZTITLE1 FROM ZPARTY") == [
        "1 5 1 Ann - Dr", "2 4 1 - 9 -",
      ])
    #expect(
      try self.raw("SELECT ZPARTY, Z3_PARTY, ZISOPEN, Z_FOK_PARTY FROM ZORDER") == ["1 5 1 -", "2 4 - -"])
    #expect(try self.raw("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0") == ["Order 2", "Party 2"])
    let orders = try self.shop.rows("Order")
    let slot = try #require(orders[0].block.layout.column(named: "party")).slot
    #expect(orders.map { $0.destination(slot)?.entity } == [person.entity, company.entity])
  }

  @Test("an update writes the columns that changed and raises the version")
  func update() throws {
    var edit = SQLiteEditor(self.shop)
    let order = try edit.insert("Order", ["count": .int(1), "weight": .double(2)])
    try edit.save()
    try edit.update(try self.row(order), ["count": .int(5)])
    try edit.save()
    #expect(try self.raw("SELECT Z_OPT, ZCOUNT, ZWEIGHT FROM ZORDER") == ["2 5 2.0"])
    #expect(try self.row(order).version == 2)
  }

  @Test("an update or delete of a row that changed since is a conflict that names it, and nothing is written")
  func conflict() throws {
    var edit = SQLiteEditor(self.shop)
    let a = try edit.insert("Order", ["count": .int(1)])
    let b = try edit.insert("Order", ["count": .int(2)])
    try edit.save()
    let (oldA, oldB) = (try self.row(a), try self.row(b))
    try edit.update(oldA, ["count": .int(10)])
    try edit.save()
    try edit.update(oldA, ["count": .int(11)])
    edit.delete(oldB)
    try edit.insert("Order", ["count": .int(3)])
    let changes = edit.finished()
    let error = #expect(throws: StoreError.self) {
      _ = try self.shop.store.prepare(changes, save: SaveIdentifier())
    }
    #expect(error?.code == .conflict)
    #expect(error?.rows == [a])
    #expect(try self.raw("SELECT ZCOUNT FROM ZORDER") == ["10", "2"])
  }

  @Test("a save that is abandoned leaves the file as it was, and its numbers are not lost to others")
  func abandon() throws {
    var edit = SQLiteEditor(self.shop)
    try edit.insert("Order", ["count": .int(1)])
    let save = try self.shop.store.prepare(edit.finished(), save: SaveIdentifier())
    #expect(try self.raw("SELECT COUNT(*) FROM ZORDER") == ["0"])
    save.abandon()
    #expect(try self.raw("SELECT COUNT(*) FROM ZORDER") == ["0"])
    #expect(try self.raw("SELECT MAX(Z_MAX) FROM Z_PRIMARYKEY") == ["0"])
    #expect(throws: StoreError.self) { try save.commit() }
  }

  @Test("a member of an ordered to-many without a number stands at the end (A8.6)")
  func withoutNumber() throws {
    var edit = SQLiteEditor(self.shop)
    let person = try edit.insert("Person")
    let late = try edit.insert("Order", [:], ["party": person])
    let orders = try (0..<2).map { _ in try edit.insert("Order", [:], ["party": person]) }
    try edit.link("Person", "orders", of: person, add: orders, order: orders)
    try edit.save()
    let members = try self.shop.related("Person", "orders", [person.reference])
    #expect(members == [(orders + [late]).map(\.reference)])
  }

  @Test("members of an ordered to-many get 2048, 3072 …; a new one between takes a number in the gap")
  func orderNumbers() throws {
    var edit = SQLiteEditor(self.shop)
    let person = try edit.insert("Person")
    var orders: [RowIdentity] = []
    for _ in 0..<3 { orders.append(try edit.insert("Order", [:], ["party": person])) }
    try edit.link("Person", "orders", of: person, add: orders, order: orders)
    try edit.save()
    #expect(try self.raw("SELECT Z_FOK_PARTY FROM ZORDER") == ["2048", "3072", "4096"])
    let between = try edit.insert("Order", [:], ["party": person])
    try edit.link(
      "Person", "orders", of: person, add: [between], order: [orders[0], between, orders[2], orders[1]])
    try edit.save()
    #expect(try self.shop.related("Person", "orders", [person.reference]) == [[1, 4, 3, 2]])
    #expect(try self.raw("SELECT Z_FOK_PARTY FROM ZORDER WHERE Z_PK = 1") == ["2048"])
    // A row that leaves the list keeps no number in it.
    try edit.update(try self.row(orders[0]), [:], ["party": nil])
    try edit.save()
    #expect(try self.raw("SELECT ZPARTY, Z3_PARTY, Z_FOK_PARTY FROM ZORDER WHERE Z_PK = 1") == ["- - -"])
  }

  @Test("pairs are added and removed once, whichever side tells; a deleted row leaves none")
  func pairs() throws {
    var edit = SQLiteEditor(self.shop)
    let group = try edit.insert("Group")
    let (ann, bob) = (try edit.insert("Person"), try edit.insert("Person"))
    try edit.link("Group", "members", of: group, add: [bob, ann], order: [bob, ann])
    try edit.link("Person", "groups", of: ann, add: [group])
    try edit.link("Person", "knows", of: ann, add: [bob])
    try edit.link("Person", "friends", of: ann, add: [bob])
    try edit.save()
    #expect(
      try self.raw("SELECT Z_1GROUPS, Z_3MEMBERS, Z_FOK_1MEMBERS FROM Z_1MEMBERS ORDER BY 3") == [
        "1 2 2048", "1 1 3072",
      ])
    #expect(try self.shop.related("Group", "members", [group.reference]) == [[2, 1]])
    #expect(try self.shop.related("Person", "groups", [1, 2]) == [[1], [1]])
    #expect(try self.shop.related("Person", "knows", [1, 2]) == [[2], []])
    #expect(try self.shop.related("Person", "knownBy", [1, 2]) == [[], [1]])
    #expect(try self.shop.related("Person", "friends", [1, 2]) == [[2], [1]])
    try edit.link("Group", "members", of: group, remove: [bob], order: [ann])
    try edit.save()
    #expect(try self.shop.related("Group", "members", [group.reference]) == [[1]])
    edit.delete(try self.row(bob))
    try edit.save()
    #expect(try self.raw("SELECT COUNT(*) FROM Z_3KNOWNBY") == ["0"])
    #expect(try self.raw("SELECT COUNT(*) FROM Z_3FRIENDS") == ["0"])
  }

  @Test("a to-many without inverse keeps its order, and forgets destinations that go")
  func withoutInverse() throws {
    var edit = SQLiteEditor(self.shop)
    let group = try edit.insert("Group")
    let orders = [try edit.insert("Order"), try edit.insert("Order"), try edit.insert("Order")]
    try edit.link("Group", "links", of: group, add: orders, order: orders.reversed())
    try edit.save()
    #expect(try self.shop.related("Group", "links", [group.reference]) == [[3, 2, 1]])
    edit.delete(try self.row(orders[1]))
    try edit.save()
    #expect(try self.shop.related("Group", "links", [group.reference]) == [[3, 1]])
    #expect(try self.raw("SELECT COUNT(*) FROM Z_1LINKS") == ["2"])
  }

  @Test("both sides of a one-to-one have their column")
  func oneToOne() throws {
    var edit = SQLiteEditor(self.shop)
    let person = RowIdentity(entity: try self.shop.entity("Person").id, reference: 1)
    let passport = try edit.insert("Passport", [:], ["holder": person])
    try edit.insert("Person", [:], ["passport": passport])
    try edit.save()
    #expect(try self.raw("SELECT ZHOLDER FROM ZPASSPORT") == ["1"])
    #expect(try self.raw("SELECT ZPASSPORT FROM ZPARTY") == ["1"])
    #expect(try self.shop.related("Passport", "holder", [1]) == [[1]])
  }

  @Test("equal unique values are a duplicate key that names the rows; a row that goes makes room")
  func uniqueness() throws {
    var edit = SQLiteEditor(self.shop)
    let first = try edit.insert("Person", ["code": .string("a")])
    try edit.save()
    let second = try edit.insert("Company", ["code": .string("a")])
    let changes = edit.finished()
    let error = #expect(throws: StoreError.self) {
      _ = try self.shop.store.prepare(changes, save: SaveIdentifier())
    }
    #expect(error?.code == .duplicateKey)
    #expect(error?.rows == [second, first])
    edit.changes.deleted = [try self.row(first).block]
    try edit.save()
    #expect(try self.raw("SELECT Z_PK FROM ZPARTY") == ["2"])
  }

  @Test("two rows may exchange unique values in one save")
  func exchange() throws {
    var edit = SQLiteEditor(self.shop)
    let (a, b) = (
      try edit.insert("Person", ["code": .string("a")]), try edit.insert("Person", ["code": .string("b")])
    )
    try edit.save()
    try edit.update(try self.row(a), ["code": .string("b")])
    try edit.update(try self.row(b), ["code": .string("a")])
    try edit.save()
    #expect(try self.raw("SELECT ZCODE, Z_OPT FROM ZPARTY") == ["b 2", "a 2"])
  }

  @Test("data of an attribute that may stand outside begin with 1, others do not")
  func externalPrefix() throws {
    var edit = SQLiteEditor(self.shop)
    let person = try edit.insert("Person", ["picture": .data(Data([7, 8]))])
    try edit.insert("Order", ["data": .data(Data([7, 8]))])
    try edit.insert("Order", ["data": .data(Data())])
    try edit.save()
    #expect(try self.raw("SELECT hex(ZPICTURE) FROM ZPARTY") == ["010708"])
    #expect(try self.raw("SELECT hex(ZDATA) FROM ZORDER") == ["0708", ""])
    #expect(try self.shop.value(try self.row(person), "picture") == .data(Data([7, 8])))
  }

  @Test("decimals keep every digit: numbers where their shortest text gives them back, else bytes")
  func decimals() throws {
    let texts = [
      "0", "-0.1", "3.33", "12.50", "9007199254740993", "12345678901234567.89", "0.1234567890123456789",
      "99999999999999999999999999999999999999", "0.00000000000000000001", "12345678901234567000",
    ]
    var edit = SQLiteEditor(self.shop)
    for text in texts { try edit.insert("Order", ["total": .decimal(try #require(Decimal(string: text)))]) }
    try edit.save()
    let read = try self.shop.rows("Order").map { try self.shop.value($0, "total") }
    #expect(read == texts.map { .decimal(Decimal(string: $0)!) })
    #expect(
      try self.raw("SELECT typeof(ZTOTAL) FROM ZORDER") == [
        "integer", "real", "real", "real", "integer", "blob", "blob", "blob", "real", "real",
      ])
  }

  @Test("BR-67: dates read back bit for bit; whole seconds may lie as integers")
  func dates() throws {
    var generator = SeededGenerator(seed: 67)
    var dates: [Double] = [0, -63_114_076_800, 252_423_993_600, 737_057_651.669581]
    for _ in 0..<2000 { dates.append(Double.random(in: -3e9...3e9, using: &generator)) }
    var edit = SQLiteEditor(self.shop)
    for date in dates {
      try edit.insert("Person", ["since": .date(Date(timeIntervalSinceReferenceDate: date))])
    }
    try edit.save()
    let slot = try #require(self.shop.entity("Person").layout.column(named: "since")).slot
    #expect(try self.shop.rows("Person").map { $0.double(slot).bitPattern } == dates.map(\.bitPattern))
  }

  @Test("references come from above every key in the file, and from above those handed out")
  func references() throws {
    let person = try self.shop.entity("Person")
    #expect(try self.shop.store.reserveReferences(for: person.id, count: 3) == 1..<4)
    #expect(try self.shop.store.reserveReferences(for: self.shop.entity("Company").id, count: 1) == 4..<5)
    let writer = try self.shop.store.file.writer()
    try writer.run("INSERT INTO ZPARTY (Z_PK, Z_ENT, Z_OPT) VALUES (100, 5, 1)")
    #expect(try self.shop.store.reserveReferences(for: person.id, count: 1) == 101..<102)
  }

  @Test("a number that another program took meanwhile shows as changed underneath, and nothing is written")
  func takenReference() throws {
    var edit = SQLiteEditor(self.shop)
    try edit.insert("Person")
    let writer = try self.shop.store.file.writer()
    try writer.run("INSERT INTO ZPARTY (Z_PK, Z_ENT, Z_OPT) VALUES (1, 5, 1)")
    let changes = edit.finished()
    let error = #expect(throws: StoreError.self) {
      _ = try self.shop.store.prepare(changes, save: SaveIdentifier())
    }
    #expect(error?.code == .changedUnderneath)
    #expect(try self.raw("SELECT COUNT(*) FROM ZPARTY") == ["1"])
  }

  @Test("a save waits for another writer, and says locked when it waited in vain")
  func locked() throws {
    let writer = try self.shop.store.file.writer()
    try writer.execute("BEGIN IMMEDIATE")
    var edit = SQLiteEditor(self.shop)
    try edit.insert("Person")
    let changes = edit.finished()
    let error = #expect(throws: StoreError.self) {
      _ = try self.shop.store.prepare(changes, save: SaveIdentifier())
    }
    #expect(error?.code == .locked)
    try writer.execute("ROLLBACK")
    try self.shop.store.prepare(changes, save: SaveIdentifier()).commit()
  }

  @Test(
    "an open read scope keeps its state while a save is committed, and its token tells the next one apart")
  func scopes() throws {
    var edit = SQLiteEditor(self.shop)
    try edit.insert("Person")
    try edit.save()
    let query = try self.shop.query("Person")
    let scope = try self.shop.store.beginRead()
    let token = try scope.changeToken
    try edit.insert("Person")
    try edit.save()
    guard case .rows(let before) = try scope.run(query) else { return }
    #expect(before.count == 1)
    #expect(try scope.changeToken == token)
    scope.end()
    #expect(throws: StoreError.self) { _ = try scope.run(query) }
    let next = try self.shop.store.beginRead()
    #expect(try next.changeToken != token)
    guard case .rows(let after) = try next.run(query) else { return }
    #expect(after.count == 2)
  }
}

/// A generator that gives the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { self.state = seed }

  mutating func next() -> UInt64 {
    self.state &+= 0x9e37_79b9_7f4a_7c15
    var z = self.state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}
