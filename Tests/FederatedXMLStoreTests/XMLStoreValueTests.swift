import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

@Suite struct XMLStoreValueTests {
  let model: ManagedObjectModel
  let file: XMLStoreFile

  init() throws {
    self.model = try XMLStoreModels.everything()
    self.file = try XMLStoreFile(self.model)
  }

  /// Saves a new row with one value and answers its line in the file and the value after reading it again.
  private func roundTrip(_ name: String, _ value: Value) throws -> (text: String?, value: Value) {
    let store = try self.file.open()
    var changes = ChangeSet()
    let reference = try store.reserveReferences(for: EntityID(0), count: 1).lowerBound
    try changes.insert("Item", reference, [name: value], in: self.model)
    try store.save(changes)
    store.close()
    let row = try #require(try self.file.open().rows("Item", of: self.model).last)
    let text = try self.file.text
    guard let start = text.range(of: "<attribute name=\"\(name.lowercased())\"", options: .backwards),
      let open = text.range(of: ">", range: start.upperBound..<text.endIndex),
      let end = text.range(of: "</attribute>", range: open.upperBound..<text.endIndex)
    else { return (nil, row.value(name, in: self.model)) }
    return (String(text[open.upperBound..<end.lowerBound]), row.value(name, in: self.model))
  }

  @Test(arguments: [
    ("small", Value.int(-32768), "-32768"), ("middle", .int(2_147_483_647), "2147483647"),
    ("large", .int(.min), "-9223372036854775808"), ("large", .int(.max), "9223372036854775807"),
    ("ratio", .double(3), "3"), ("ratio", .double(19.6), "19.6"), ("ratio", .double(-0.0), "-0"),
    ("ratio", .double(1e300), "1e+300"), ("ratio", .double(Double.leastNonzeroMagnitude), "5e-324"),
    ("ratio", .double(0.1), "0.1"),
    ("ratio", .double(9_007_199_254_740_992), "9007199254740992"), ("ratio", .double(-.infinity), "-inf"),
    ("share", .double(35.95809669), "35.95809669"),
    ("isDone", .bool(true), "1"), ("isDone", .bool(false), "0"),
    ("picture", .data(Data([0, 255, 1])), "AP8B"), ("picture", .data(Data()), ""),
    ("picture", .data(Data([7])), "Bw=="), ("picture", .data(Data([7, 8])), "Bwg="),
    ("shape", .data(Data("bytes".utf8)), "Ynl0ZXM="),
    ("link", .uri("http://a.example/?x=1&y=<>"), "http://a.example/?x=1&amp;y=&lt;&gt;"),
    (
      "key", .uuid(UUID(uuidString: "115231BD-0000-4000-8000-0123456789AB")!),
      "115231BD-0000-4000-8000-0123456789AB"
    ),
  ])
  func `every type has its text and comes back`(name: String, value: Value, text: String) throws {
    let result = try self.roundTrip(name, value)
    #expect(result.text == text)
    #expect(result.value == value)
  }

  @Test(arguments: [
    "3.33", "0.1", "1E-20", "12345678901234567.89", "-0.5", "1000000", "-1234567.000001", "0", "1E+30",
  ])
  func `decimals keep their digits: BR-73`(text: String) throws {
    let value = try #require(Decimal(string: text))
    let result = try self.roundTrip("price", .decimal(value))
    #expect(result.value == .decimal(value), "\(result.text ?? "-")")
  }

  @Test(
    arguments: [
      (0, "0.00000000000000000000"), (737_057_651, "737057651.00000000000000000000"),
      (-631_064_399, "-631064399.00000000000000000000"),
      (259495720.56406000256538391113, "259495720.56406000256538391113"), (0.5, "0.50000000000000000000"),
      (-0.25, "-0.25000000000000000000"),
      // Where 20 decimals do not give the value back, 17 digits that count are written.
      (0x1p-14, "0.00006103515625000000"), (1e-21, "0.00000000000000000000099999999999999991"),
      (-3.0e-5, "-0.0000300000000000000008"), (0x1p-20, "0.000000953674316406250000"),
      (0.1, "0.10000000000000000555"), (63_113_904_000, "63113904000.00000000000000000000"),
      (0x1p70, "1180591620717411303424.00000000000000000000"),
      (1e22, "10000000000000000000000.00000000000000000000"),
      (0.99999999999999988898, "0.99999999999999988898"),
    ] as [(Double, String)])
  func `dates have twenty decimals`(seconds: Double, text: String) throws {
    let result = try self.roundTrip("dueDate", .date(Date(timeIntervalSinceReferenceDate: seconds)))
    #expect(result.text == text)
    #expect(result.value == .date(Date(timeIntervalSinceReferenceDate: seconds)))
  }

  @Test func `random dates come back bit for bit: BR-67`() throws {
    var random = SystemRandomNumberGenerator()
    let store = try self.file.open()
    let layout = self.model.entities[0].layout
    let column = try #require(layout.column(named: "dueDate"))
    var builder = RowBlockBuilder(layout: layout)
    var dates: [Double] = []
    for reference in 102..<20_102 {
      let range = [-5e9...5e9, -1e-3...1e-3, -1e-12...1e-12][Int(reference % 3)]
      let seconds = Double.random(in: range, using: &random)
      dates.append(seconds)
      builder.beginRow(reference: Int64(reference), version: 1)
      builder.set(double: seconds, at: column.slot)
    }
    var changes = ChangeSet()
    changes.inserted = [builder.finish()]
    try store.save(changes)
    let read = try self.file.open().rows("Item", of: self.model).map { $0.double(column.slot) }
    #expect(read.elementsEqual(dates) { $0.bitPattern == $1.bitPattern })
  }

  @Test(arguments: [
    "", " ", "  padded  ", "a\nb", "tab\tand\r\nreturns\r", "<tag attr=\"x\"> & 'quotes'", "Åµかな🦉",
    "e\u{301}é",
    #"\"#, #"\u"#, #"\u00"#, #"a\u3c00b"#, #"\u5c00u3c00"#, #"\\u003c\u2600"#, #"C:\users\u1234\x"#, "]]>",
  ])
  func `strings come back byte for byte, the empty one too: BR-41`(text: String) throws {
    let result = try self.roundTrip("title", .string(text))
    #expect(result.value == .string(text), "\(result.text ?? "-")")
  }

  @Test func `nil is no element, and empty is an empty one: BR-41`() throws {
    #expect(try self.roundTrip("title", .null).text == nil)
    #expect(try self.roundTrip("title", .null).value == .null)
    #expect(try self.roundTrip("title", .string("")).text == "")
  }

  @Test(arguments: [
    ("title", Value.string("a\u{14}b")), ("title", .string("\u{FFFE}")), ("title", .string("\0")),
    ("link", .uri("x\u{1}")), ("price", .decimal(.nan)),
  ])
  func `what XML cannot hold is refused before the file is touched: BR-43`(name: String, value: Value) throws
  {
    let store = try self.file.open()
    let before = try self.file.text
    var changes = ChangeSet()
    try changes.insert("Item", 102, [name: value], in: self.model)
    let error = #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(error?.code == .unstorableValue)
    #expect(error?.place == .property(entity: "Item", reference: 102, property: name))
    #expect(try self.file.text == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: self.file.folder.url.path()) == ["store.xml"])
    #expect(try store.rows("Item", of: self.model).isEmpty)
  }

  @Test func `a date that is no number is refused`() throws {
    let store = try self.file.open()
    let layout = self.model.entities[0].layout
    var builder = RowBlockBuilder(layout: layout)
    builder.beginRow(reference: 102, version: 1)
    builder.set(double: .nan, at: try #require(layout.column(named: "dueDate")).slot)
    var changes = ChangeSet()
    changes.inserted = [builder.finish()]
    let error = #expect(throws: StoreError.self) { try store.save(changes) }
    #expect(error?.code == .unstorableValue)
  }
}
