import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore

/// Files of other programs that hold texts where the model has numbers.
@Suite struct NumbersAsTextTests {
  private let folder: TemporaryFolder
  private var url: URL { self.folder.file("numbers.sqlite") }
  private let model: ManagedObjectModel

  init() throws {
    self.folder = try TemporaryFolder()
    self.model = try ManagedObjectModel {
      EntityDescription("Item") { AttributeDescription("n", .integer32, optional: true) }
    }
    var editor = SQLiteEditor(try SQLiteFileUnderTest(self.folder.file("numbers.sqlite"), self.model))
    for number in [5, 10, 2] { try editor.insert("Item", ["n": .int(Int64(number))]) }
    try editor.save()
  }

  /// Changes the file as another program might.
  private func change(_ statements: String...) throws {
    let writer = try DatabaseFile(self.url, readOnly: false).writer(creating: false)
    for statement in statements { try writer.execute(statement) }
  }

  private func numbers(_ format: String) throws -> [Int64] {
    let file = try SQLiteFileUnderTest(self.url, self.model)
    let column = try #require(file.entity("Item").layout.column(named: "n"))
    return try file.rows("Item", where: format).map { $0.int(column.slot) }
  }

  /// Puts another column of the same name in the place of the column, with its cells.
  private func declare(_ type: String) throws {
    try self.change(
      "ALTER TABLE ZITEM RENAME COLUMN ZN TO OLD", "ALTER TABLE ZITEM ADD COLUMN ZN \(type)",
      "UPDATE ZITEM SET ZN = OLD")
  }

  @Test(
    "numbers written as text into a column of numbers are numbers; a text that is none is told (BR-55)",
    arguments: ["INTEGER", "BIGINT", "DECIMAL", "FLOAT", "TIMESTAMP"])
  func columnOfNumbers(type: String) throws {
    try self.declare(type)
    for (key, text) in [(1, "5"), (2, "10"), (3, "2")] {
      try self.change("UPDATE ZITEM SET ZN = '\(text)' WHERE Z_PK = \(key)")
    }
    // What is declared as floating-point numbers holds no whole ones, and says so.
    if type == "FLOAT" {
      #expect(throws: StoreError.self) { try self.numbers("n > 2") }
      return
    }
    #expect(try self.numbers("n > 2") == [5, 10])
    #expect(try self.numbers("n == 5") == [5])
    #expect(try self.numbers("n + 0 > 2") == [5, 10])
    try self.change("UPDATE ZITEM SET ZN = 'ten' WHERE Z_PK = 2")
    let error = #expect(throws: StoreError.self) { try self.numbers("n > 2") }
    #expect(error?.code == .unreadableValue)
    #expect(error?.place == .cell(table: "ZITEM", row: 2, column: "ZN"))
  }

  @Test(
    "a column of texts that stands for numbers is refused before it answers with too few rows (BR-55)",
    arguments: ["VARCHAR", "TEXT", "CHAR(20)", "CLOB"])
  func columnOfTexts(type: String) throws {
    try self.change("UPDATE ZITEM SET ZN = NULL WHERE Z_PK = 1")
    try self.declare(type)
    let error = #expect(throws: StoreError.self) { try self.numbers("n > 2") }
    #expect(error?.code == .unreadableValue)
    #expect(error?.place == .cell(table: "ZITEM", row: 2, column: "ZN"))
    #expect("\(try #require(error))".contains("Item.n"))
    try self.change("UPDATE ZITEM SET ZN = NULL")
    #expect(try self.numbers("n == nil").count == 3)
  }

  @Test("a column that is declared as nothing is as good as its cells (BR-55)", arguments: ["", "BLOB"])
  func columnOfAnything(type: String) throws {
    try self.declare(type)
    #expect(try self.numbers("n > 2") == [5, 10])
    try self.change("UPDATE ZITEM SET ZN = '10' WHERE Z_PK = 2")
    let error = #expect(throws: StoreError.self) { try self.numbers("n == 5") }
    #expect(error?.place == .cell(table: "ZITEM", row: 2, column: "ZN"))
  }
}
