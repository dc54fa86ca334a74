import FederatedModel
import Foundation
import Testing

@Suite struct RowBlockTests {
  static let layout = RowLayout(
    entity: EntityID(0),
    columns: [
      .init(name: "n", slot: 0, kind: .int), .init(name: "t", slot: 1, kind: .string),
      .init(name: "d", slot: 2, kind: .decimal), .init(name: "u", slot: 3, kind: .uuid),
      .init(name: "r", slot: 4, kind: .reference, destination: EntityID(1)),
    ])

  @Test("a new row is null in every slot")
  func newRowIsNull() {
    var rows = RowBlockBuilder(layout: Self.layout)
    rows.beginRow(reference: 7, version: 1)
    let row = rows.finish()[0]
    #expect(row.reference == 7)
    #expect(row.version == 1)
    #expect((0..<6).allSatisfy { row.isNull($0) })
  }

  @Test("every kind reads back as it was written")
  func kindsRoundTrip() throws {
    let uuid = UUID()
    var rows = RowBlockBuilder(layout: Self.layout)
    for index in 0..<1000 {
      rows.beginRow(reference: Int64(index), version: 1)
      rows.set(int: Int64.min + Int64(index), at: 0)
      rows.set(string: index % 2 == 0 ? "e\u{301}" : "\u{e9} \(index)", at: 1)
      rows.set(decimal: Decimal(index) / 100, at: 2)
      rows.set(uuid: uuid, at: 3)
      rows.set(reference: Int64(index) * 3, entity: EntityID(1), at: 4)
    }
    let block = rows.finish()
    #expect(block.count == 1000)
    for index in 0..<1000 {
      let row = block[index]
      #expect(row.int(0) == Int64.min + Int64(index))
      #expect(Array(row.string(1).utf8) == Array((index % 2 == 0 ? "e\u{301}" : "\u{e9} \(index)").utf8))
      #expect(row.decimal(2) == Decimal(index) / 100)
      #expect(row.uuid(3) == uuid)
      #expect(row.destination(4)?.reference == Int64(index) * 3)
    }
  }

  @Test(
    "decimals keep every digit, packed or not",
    arguments: [
      "0", "-0.1", "3.33", "1000000", "0.1234567890123456789", "12345678901234567.89",
      "99999999999999999999999999999999999999", "-0.00000000000000000001",
    ])
  func decimalsKeepDigits(text: String) throws {
    let decimal = try #require(Decimal(string: text))
    var rows = RowBlockBuilder(layout: Self.layout)
    rows.beginRow(reference: 1, version: 1)
    rows.set(decimal: decimal, at: 2)
    let row = rows.finish()[0]
    #expect(row.decimal(2) == decimal)
    #expect(row.decimal(2).description == decimal.description)
  }

  @Test(
    "a double becomes the decimal that its shortest text writes",
    arguments: [10.11, 0.1, 3.3333333333, -7, 1e-7, 123456789012.25])
  func decimalFromDouble(value: Double) throws {
    var rows = RowBlockBuilder(layout: Self.layout)
    rows.beginRow(reference: 1, version: 1)
    rows.set(decimalFrom: value, at: 2)
    #expect(rows.finish()[0].decimal(2) == Decimal(string: value.description))
  }

  @Test("encoded rows that point outside their arena are refused")
  func encodedRowsAreChecked() throws {
    var rows = RowBlockBuilder(layout: Self.layout)
    rows.beginRow(reference: 1, version: 1)
    rows.set(string: "text", at: 1)
    let block = rows.finish()
    let again = RowBlock(
      layout: Self.layout, count: 1, encodedWords: block.encodedWords, encodedArena: block.encodedArena)
    #expect(again?[0].string(1) == "text")
    #expect(
      RowBlock(layout: Self.layout, count: 1, encodedWords: block.encodedWords, encodedArena: Data()) == nil)
  }

  @Test("an encoded to-one whose entity is no entity is refused")
  func encodedReferencesAreChecked() throws {
    var rows = RowBlockBuilder(layout: Self.layout)
    rows.beginRow(reference: 1, version: 1)
    rows.set(reference: 9, entity: EntityID(1), at: 4)
    let block = rows.finish()
    let again = RowBlock(
      layout: Self.layout, count: 1, encodedWords: block.encodedWords, encodedArena: block.encodedArena)
    #expect(again?[0].destination(4)?.reference == 9)
    var words = block.encodedWords
    words[words.count - 1] = 1
    #expect(RowBlock(layout: Self.layout, count: 1, encodedWords: words, encodedArena: Data()) == nil)
  }

  @Test("a row that is dropped leaves the rows before it as they were")
  func droppedRows() throws {
    var rows = RowBlockBuilder(layout: Self.layout)
    rows.beginRow(reference: 1, version: 1)
    rows.set(string: "kept", at: 1)
    rows.beginRow(reference: 2, version: 1)
    rows.set(string: "gone", at: 1)
    rows.dropRow()
    rows.beginRow(reference: 3, version: 1)
    rows.set(string: "gone", at: 1)
    let block = rows.finish()
    #expect(block.count == 2)
    #expect(block[0].string(1) == "kept")
    #expect(block[1].reference == 3)
    #expect(block[1].string(1) == "gone")
  }

  @Test("a copied row is equal in every column, under its new reference and version")
  func copiedRows() throws {
    let uuid = UUID()
    var rows = RowBlockBuilder(layout: Self.layout)
    rows.beginRow(reference: 1, version: 1)
    rows.set(int: -7, at: 0)
    rows.set(string: "text", at: 1)
    rows.set(decimal: Decimal(string: "12345678901234567890.5")!, at: 2)
    rows.set(uuid: uuid, at: 3)
    rows.set(reference: 5, entity: EntityID(1), at: 4)
    let row = rows.finish()[0]
    rows.copyRow(row, reference: 2, version: 9)
    let copy = rows.finish()[0]
    #expect((copy.reference, copy.version) == (2, 9))
    for column in Self.layout.columns {
      #expect(
        copy.value(column.slot, column.kind, store: .none)
          == row.value(column.slot, column.kind, store: .none))
    }
  }

  @Test("renumbered rows keep their values and share their texts")
  func renumbered() throws {
    let layout = RowLayout(entity: EntityID(0), columns: [.init(name: "name", slot: 0, kind: .string)])
    var builder = RowBlockBuilder(layout: layout)
    for (reference, name) in [(7, "seven"), (3, nil), (9, "nine")] as [(Int64, String?)] {
      builder.beginRow(reference: reference, version: 4)
      if let name { builder.set(string: name, at: 0) }
    }
    let rows = builder.finish().renumbered(from: 100, version: 1)
    #expect((0..<3).map { rows[$0].reference } == [100, 101, 102])
    #expect((0..<3).map { rows[$0].version } == [1, 1, 1])
    #expect(rows[0].string(0) == "seven")
    #expect(rows[1].isNull(0))
    #expect(rows[2].string(0) == "nine")
  }
}
