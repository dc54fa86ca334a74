internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Looks for numbers that a file keeps as text.
///
/// Other programs may declare a column of numbers as text, or not at all. SQLite then keeps and compares them as text,
/// so that 10 is less than 2: rows would be missing from answers. Columns that are declared as numbers cost nothing
/// here, since SQLite makes numbers of such texts itself.
struct NumberColumnCheck {
  let existing: ExistingSchema
  let model: ManagedObjectModel
  let layout: TableLayout
  let file: URL

  /// - Throws: `unreadableValue` with table, row and column of the first number that stands as text.
  func run(_ connection: Connection) throws(StoreError) {
    for place in self.layout.entities.compactMap(\.self) {
      let table = self.layout.tables[place.table]
      for column in place.columns where column.encoding.isNumeric {
        guard let declared = self.existing.declaredType(of: column.column, in: table.name),
          !DeclaredType(declared).keepsNumbers
        else { continue }
        let key = table.key.columns[0].quotedName
        let row = try connection.number(
          "SELECT \(key) FROM \(table.name.quotedName) WHERE typeof(\(column.column.quotedName)) = 'text' "
            + "ORDER BY \(key) LIMIT 1")
        guard let row else { continue }
        throw StoreError(
          .unreadableValue, store: self.file,
          place: .cell(table: table.name, row: row, column: column.column),
          "\(self.model[place.entity].name).\(column.property) is a number, and the cell holds text, which would be "
            + "compared as text: the column is declared as \(declared.isEmpty ? "nothing" : declared). Declare it "
            + "INTEGER or FLOAT, or make the attribute a string")
      }
    }
  }
}

/// What SQLite makes of the words that a column is declared with, by its own rules.
struct DeclaredType {
  private let words: String

  init(_ words: String) { self.words = words.uppercased() }

  /// Whether a text that reads as a number becomes one in the column.
  var keepsNumbers: Bool {
    if self.words.contains("INT") { return true }
    return !self.words.isEmpty && !["CHAR", "CLOB", "TEXT", "BLOB"].contains(where: self.words.contains)
  }
}

extension ColumnEncoding {
  /// Whether cells are numbers.
  fileprivate var isNumeric: Bool {
    switch self {
    case .int, .bool, .double, .date, .decimal, .reference: true
    case .text, .blob, .uuid, .prefixedBlob: false
    }
  }
}
