import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

@Suite("Files of others: reading")
struct MappedReadingTests {
  let shop: ForeignShop
  let file: SQLiteFileUnderTest

  init() throws {
    self.shop = try ForeignShop()
    self.file = try self.shop.open(readOnly: true)
  }

  private func date(_ seconds: Double) -> Value { .date(Date(timeIntervalSince1970: seconds)) }

  private func values(_ name: String) throws -> [Value] {
    try self.file.rows("Order").map { try self.file.value($0, name) }
  }

  @Test("every format is read as its attribute's type")
  func formats() throws {
    #expect(try self.file.rows("Order").map(\.reference) == [1, 2, 5])
    #expect(try self.values("placed") == [self.date(1_577_836_800), self.date(1_577_836_801), .null])
    #expect(try self.values("isPaid") == [.bool(true), .bool(false), .null])
    #expect(
      try self.values("price") == ["1.5", "7", "3.25"].map { .decimal(Decimal(string: $0)!) })
    #expect(
      try self.values("exact") == [
        .decimal(Decimal(string: "0.1")!), .decimal(Decimal(string: "12345678901234567890.123")!), .null,
      ])
    #expect(
      try self.values("token")
        == [.uuid(try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))), .null, .null])
    #expect(
      Array(try self.values("tag")[..<2])
        == ["6F0E1B77-6A0B-4C36-8E57-2B1B6B7C9D10", "6F0E1B77-6A0B-4C36-8E57-2B1B6B7C9D11"].map {
          .uuid(UUID(uuidString: $0)!)
        })
    #expect(try self.values("julian")[0] == self.date(1_577_836_800))
    #expect(try self.values("millis")[0] == self.date(1_577_836_800.25))
    #expect(
      try self.values("iso") == [self.date(1_577_836_800), self.date(1_577_836_800), .null])
    #expect(try self.values("total") == [.double(3), .double(14), .double(6.5)])
    #expect(try self.values("big") == [.int(1), .int(9_007_199_254_740_993), .null])
    #expect(try self.values("digits") == [.int(5), .int(10), .int(2)])
    #expect(try self.values("unmapped") == [.null, .null, .null])
  }

  @Test(
    "conditions over every format find what memory would find (BR-55)",
    arguments: [
      ("digits > 2", [1, 2]), ("digits == 5", [1]), ("digits IN {5, 2}", [1, 5]),
      ("digits BETWEEN {2, 5}", [1, 5]),
      ("price > 1.5", [2, 5]), ("price == 7", [2]), ("exact == 0.1", [1]), ("exact > 1", [2]),
      ("isPaid == TRUE", [1]), ("isPaid == FALSE", [2]), ("isPaid == nil", [5]),
      ("NOT isPaid == TRUE", [2, 5]),
      ("tag == '6F0E1B77-6A0B-4C36-8E57-2B1B6B7C9D11'", []), ("note == 'ab'", []), ("note == 'Ab'", [1]),
      ("note IN {'aB', 'AB'}", [2]), ("note ==[c] 'AB'", [1, 2]), ("note BEGINSWITH 'a'", [2]),
      ("note < 'a'", [1]), ("total > 6", [2, 5]), ("big == 9007199254740993", [2]),
      ("big == 9007199254740992", []),
      ("placed > CAST(599529600, 'NSDate')", [2]), ("iso == CAST(599529600, 'NSDate')", [1, 2]),
      ("millis == CAST(599529600.25, 'NSDate')", [1]), ("julian <= CAST(599529600, 'NSDate')", [1]),
      ("unmapped == nil", [1, 2, 5]), ("unmapped == 'x'", []), ("group.title == 'first'", [1]),
      ("group.code == '7'", [2]), ("group == nil", [5]), ("lines.@count == 2", [1]),
      ("ANY lines.text == 'three'", [2]),
      ("SUBQUERY(lines, $l, $l.next.text == 'two').@count == 1", [1]), ("ANY lines.labels.weight > 1", [1]),
      ("lines.@sum.number == 3", [1]), ("digits + 1 == 6", [1]),
    ] as [(String, [Int64])])
  func conditions(format: String, expected: [Int64]) throws {
    #expect(try self.file.rows("Order", where: format).map(\.reference) == expected)
    #expect(try self.file.count(try self.file.query("Order", where: format)) == expected.count)
  }

  @Test("rows are sorted by their values, not by how they are written")
  func sorting() throws {
    func sorted(_ key: String, _ ascending: Bool = true) throws -> [Int64] {
      try self.file.rows(try self.file.query("Order", sort: FetchSortDescriptor(key, ascending: ascending)))
        .map(\.reference)
    }
    #expect(try sorted("digits") == [5, 1, 2])
    #expect(try sorted("price", false) == [2, 5, 1])
    #expect(try sorted("exact") == [5, 1, 2])
    #expect(try sorted("note") == [5, 1, 2])
    #expect(try sorted("group.title") == [5, 1, 2])
  }

  @Test("text and composite keys have references that stay the same, and texts that name them (decision 2)")
  func keys() throws {
    let again = try self.shop.open(readOnly: true)
    for entity in ["Group", "Line", "Label"] {
      let rows = try self.file.rows(entity)
      #expect(rows.count > 1)
      for row in rows {
        let text = self.file.store.referenceText(row.reference)
        #expect(again.store.reference(fromText: text) == row.reference, "\(text)")
        let query = try again.query(entity)
        var one = query
        one.references = [row.reference]
        #expect(try again.rows(one).map(\.reference) == [row.reference])
      }
    }
    let texts = try self.file.rows("Group").map { self.file.store.referenceText($0.reference) }
    #expect(texts.sorted() == ["'7", "A", "x~2Cy", "é"])
    let lines = try self.file.rows("Line").map { self.file.store.referenceText($0.reference) }
    #expect(lines.sorted() == ["#1,#1", "#1,#2", "#2,#1"])
    for wrong in ["", "a%20b", "#1,", "#01,#1", "'A"] {
      #expect(self.file.store.reference(fromText: wrong) == nil, "\(wrong)")
    }
  }

  @Test("relationships follow foreign keys, composite ones too, and tables of pairs in their order")
  func relationships() throws {
    func texts(_ entity: String, _ relationship: String, _ owners: [Int64]) throws -> [[String]] {
      try self.file.related(entity, relationship, owners).map { $0.map(self.file.store.referenceText) }
    }
    #expect(
      try texts("Order", "lines", [1, 2, 5]).map { $0.sorted() } == [["#1,#1", "#1,#2"], ["#2,#1"], []])
    #expect(try texts("Order", "group", [1, 2, 5]) == [["A"], ["'7"], []])
    let store = self.file.store
    let lines = try ["#1,#1", "#1,#2", "#2,#1"].map { try #require(store.reference(fromText: $0)) }
    #expect(try texts("Line", "next", lines) == [["#1,#2"], ["#2,#1"], []])
    #expect(try texts("Line", "previous", lines) == [[], ["#1,#1"], ["#1,#2"]])
    #expect(try texts("Line", "labels", lines) == [["red", "blue"], [], ["red"]])
    let labels = try ["red", "blue"].map { try #require(store.reference(fromText: $0)) }
    #expect(try texts("Label", "lines", labels).map { $0.sorted() } == [["#1,#1", "#2,#1"], ["#1,#1"]])
    let row = try #require(try self.file.rows("Line", where: "text == 'two'").first)
    #expect(
      try self.file.value(row, "next")
        == .object(.init(store: store.id, entity: try self.file.entity("Line").id, reference: lines[2])))
  }

  @Test("a view is read by the key that the mapping names")
  func view() throws {
    let rows = try self.file.rows("Cheap", where: "amount > 2")
    #expect(rows.map(\.reference) == [5])
  }

  @Test("a look-up by key is answered by an index of the file")
  func indexes() throws {
    let group = try self.file.explanation(try self.file.query("Group", where: "code == 'A'"))
    #expect(group.index?.contains("PRIMARY KEY") == true, "\(group)")
    var one = try self.file.query("Line")
    one.references = [try #require(self.file.store.reference(fromText: "#1,#2"))]
    _ = try self.file.rows("Line")
    let line = try self.file.explanation(one)
    #expect(line.index?.contains("order_id=? AND no=?") == true, "\(line)")
  }
}
