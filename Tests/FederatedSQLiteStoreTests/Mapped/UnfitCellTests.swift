import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// Cells that hold something else than their attribute.
@Suite("Files of others: cells that do not fit")
struct UnfitCellTests {
  struct Case: CustomTestStringConvertible {
    let type: AttributeType
    let format: ValueFormat
    let declared: String
    /// As SQL writes it.
    let cell: String
    let told: String
    var testDescription: String { "\(self.type) as \(self.format) in \(self.declared): \(self.cell)" }
  }

  static let cases: [Case] = [
    Case(type: .integer64, format: .standard, declared: "INTEGER", cell: "'abc'", told: "the text \"abc\""),
    Case(type: .integer64, format: .standard, declared: "INTEGER", cell: "1.5", told: "the number 1.5"),
    Case(type: .integer64, format: .standard, declared: "TEXT", cell: "'1.5'", told: "the text \"1.5\""),
    Case(type: .integer64, format: .standard, declared: "INTEGER", cell: "x'01'", told: "1 bytes"),
    Case(
      type: .integer16, format: .standard, declared: "INTEGER", cell: "40000", told: "the whole number 40000"),
    Case(type: .boolean, format: .standard, declared: "INTEGER", cell: "2", told: "the whole number 2"),
    Case(
      type: .boolean, format: .booleanWords(yes: "Y", no: "N"), declared: "TEXT", cell: "'y'", told: "\"y\""),
    Case(type: .double, format: .standard, declared: "REAL", cell: "'1,5'", told: "the text \"1,5\""),
    Case(type: .decimal, format: .standard, declared: "NUMERIC", cell: "'many'", told: "the text \"many\""),
    Case(type: .decimal, format: .decimalText, declared: "TEXT", cell: "'1e'", told: "the text \"1e\""),
    Case(type: .string, format: .standard, declared: "INTEGER", cell: "5", told: "the whole number 5"),
    Case(type: .string, format: .standard, declared: "TEXT", cell: "x'41'", told: "1 bytes"),
    Case(
      type: .date, format: .standard, declared: "TEXT", cell: "'2020-02-30T00:00:00Z'", told: "2020-02-30"),
    Case(
      type: .date, format: .standard, declared: "TEXT", cell: "'2020-02-03 00:00:00'", told: "with a zone"),
    Case(type: .date, format: .standard, declared: "INTEGER", cell: "5", told: "unixSeconds"),
    Case(type: .date, format: .unixSeconds, declared: "INTEGER", cell: "'soon'", told: "seconds since 1970"),
    Case(
      type: .uuid, format: .uuidBytes, declared: "BLOB", cell: "x'0011223344556677889900112233445566'",
      told: "17 bytes"),
    Case(type: .uuid, format: .uuidText, declared: "TEXT", cell: "'6F0E'", told: "36 characters"),
    Case(type: .binary, format: .standard, declared: "BLOB", cell: "'text'", told: "base64"),
    Case(type: .binary, format: .hex, declared: "TEXT", cell: "'0g'", told: "hexadecimal"),
    Case(type: .uri, format: .standard, declared: "TEXT", cell: "7.5", told: ""),
  ].filter { !$0.told.isEmpty }

  private func file(
    _ test: Case, unfit: UnfitPolicy, folder: TemporaryFolder, key: String = "INTEGER PRIMARY KEY"
  ) throws -> SQLiteFileUnderTest {
    let url = folder.file("cells.db")
    let connection = try DatabaseFile(url, readOnly: false).writer(creating: true)
    try connection.execute(
      "CREATE TABLE t (id \(key), c \(test.declared)); INSERT INTO t VALUES (1, NULL), (2, \(test.cell))")
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Cell", properties: [AttributeDescription("value", test.type, optional: true)])
    ])
    return try SQLiteFileUnderTest(
      url, model,
      mapping: SQLiteMapping(entities: [
        "Cell": SQLiteEntityMapping(
          table: "t", attributes: ["value": SQLiteAttributeMapping("c", format: test.format, unfit: unfit)])
      ]))
  }

  @Test(
    "a cell that does not fit is an error with table, row and column, whatever is asked of it",
    arguments: UnfitCellTests.cases)
  func refused(test: Case) throws {
    let folder = try TemporaryFolder()
    let file = try self.file(test, unfit: .refuse, folder: folder)
    let sorted = try file.query("Cell", sort: FetchSortDescriptor("value"))
    let other = try file.query("Cell", where: "value != nil")
    for query in [try file.query("Cell"), sorted, other] {
      #expect {
        try file.rows(query)
      } throws: { error in
        guard let error = error as? StoreError else { return false }
        return error.code == .unreadableValue && error.place == .cell(table: "t", row: 2, column: "c")
          && error.detail.contains("Cell.value") && error.detail.contains(test.told)
      }
    }
    #expect(throws: StoreError.self) { try file.count(other) }
  }

  @Test(
    "the same cell is nil where the mapping says so, and stays in the file", arguments: UnfitCellTests.cases)
  func asNil(test: Case) throws {
    let folder = try TemporaryFolder()
    let file = try self.file(test, unfit: .asNil, folder: folder)
    let rows = try file.rows("Cell")
    #expect(try rows.map { try file.value($0, "value") } == [.null, .null])
    #expect(try file.rows("Cell", where: "value == nil").map(\.reference) == [1, 2])
    #expect(try file.rows("Cell", where: "value != nil").isEmpty)
    var edit = SQLiteEditor(file)
    try edit.update(rows[1])
    try edit.save()
    let stored = try DatabaseFile(file.store.url, readOnly: true).reader().texts(
      "SELECT quote(c) FROM t WHERE id = 2")
    #expect(stored != ["NULL"])
  }

  @Test("a row of a text key is named by the key in the error")
  func textKey() throws {
    let folder = try TemporaryFolder()
    let file = try self.file(Self.cases[0], unfit: .refuse, folder: folder, key: "TEXT PRIMARY KEY")
    #expect {
      try file.rows("Cell")
    } throws: { "\($0)".contains("row the text \"2\"") }
  }

  @Test("a cell that fits after all is read again without reopening the store")
  func corrected() throws {
    let folder = try TemporaryFolder()
    let file = try self.file(Self.cases[0], unfit: .refuse, folder: folder)
    #expect(throws: StoreError.self) { try file.rows("Cell") }
    try DatabaseFile(file.store.url, readOnly: false).writer().execute("UPDATE t SET c = 5 WHERE id = 2")
    #expect(try file.rows("Cell", where: "value == 5").map(\.reference) == [2])
  }
}
