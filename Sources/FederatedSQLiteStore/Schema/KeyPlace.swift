internal import FederatedStore

/// The columns that hold a key, in a row of its own or in one that points to it, and how a reference is made of them.
///
/// Statements compare the columns with each other as the file has them, so that its indexes serve, and select the
/// reference.
struct KeyPlace: Sendable, Hashable {
  var columns: [String]
  /// For one column of whole numbers in which something else may stand.
  var cell: MappedCell?
  /// For keys that are no whole numbers; nil where the one column holds the reference itself.
  var shape: KeyShape?

  /// One column of whole numbers, each a reference.
  init(_ column: String) { self.columns = [column] }

  init(_ columns: [String], cell: MappedCell? = nil, shape: KeyShape? = nil) {
    self.columns = columns
    self.cell = cell
    self.shape = shape
  }

  /// The columns under an alias. Keys are the same when their bytes are, whatever collation a column has.
  func parts(_ alias: String) -> [String] {
    zip(self.columns, self.collations).map { "\(alias).\($0.quotedName)\($1)" }
  }

  /// Conditions that the columns hold bound values.
  var tests: [String] { zip(self.columns, self.collations).map { "\($0.quotedName)\($1) = ?" } }

  /// What follows each column where it is compared.
  private var collations: [String] {
    guard let shape = self.shape else { return self.columns.map { _ in "" } }
    return shape.affinities.map { $0 == .text || $0 == .blob ? " COLLATE BINARY" : "" }
  }

  /// The columns as one value that `IN` compares.
  func row(_ alias: String) -> String {
    let parts = self.parts(alias)
    return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: ", ")))"
  }

  /// An expression for the reference; null where a part of the key is.
  func reference(_ alias: String) -> String {
    let parts = self.parts(alias)
    if let shape = self.shape { return shape.call(parts) }
    return self.cell.map { $0.checked(parts[0], alias) } ?? parts[0]
  }

  /// A condition that the key of a row is the one that other columns hold.
  func matches(_ alias: String, _ others: [String]) -> String {
    zip(self.parts(alias), others).map { "\($0) = \($1)" }.joined(separator: " AND ")
  }

  /// What messages call it.
  var title: String { self.columns.joined(separator: ", ") }
}
