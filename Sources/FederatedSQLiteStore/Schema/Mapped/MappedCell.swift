internal import FederatedModel
internal import FederatedStore

/// What stands in the cells of one mapped column, and how statements make of it what the rest of the store works with:
/// values as they lie in columns of the store's own layout (``ColumnEncoding``).
struct MappedCell: Sendable, Hashable {
  /// The place among the mapped columns of the store, by which statements name it.
  let number: Int
  let table: String
  let column: String
  let property: String
  let type: AttributeType
  let format: ValueFormat
  let unfit: UnfitPolicy
  let affinity: ColumnAffinity
  /// Whether the table's declaration keeps anything out that would not fit.
  let isSafe: Bool
  /// The columns whose values name a row in messages.
  let rowName: [String]

  /// Whether both are the same but for their numbers.
  func isSame(as other: MappedCell) -> Bool {
    self.table == other.table && self.column == other.column && self.property == other.property
      && self.type == other.type && self.format == other.format && self.unfit == other.unfit
  }

  /// A test for cells that need no conversion; nil where every cell needs one.
  private func plainTest(_ cell: String) -> String? {
    switch (self.type, self.format) {
    case (.integer64, .standard): "typeof(\(cell)) IN ('integer', 'null')"
    case (.integer32, .standard): "typeof(\(cell)) = 'integer' AND \(cell) BETWEEN -2147483648 AND 2147483647"
    case (.integer16, .standard): "typeof(\(cell)) = 'integer' AND \(cell) BETWEEN -32768 AND 32767"
    case (.boolean, .standard): "typeof(\(cell)) = 'integer' AND \(cell) BETWEEN 0 AND 1"
    case (.double, .standard), (.float, .standard), (.date, .referenceSeconds):
      "typeof(\(cell)) IN ('real', 'null')"
    case (.decimal, .standard): "typeof(\(cell)) IN ('integer', 'real', 'null')"
    case (.string, .standard), (.uri, .standard): "typeof(\(cell)) IN ('text', 'null')"
    case (.binary, .standard), (.transformable, .standard): "typeof(\(cell)) IN ('blob', 'null')"
    default: nil
    }
  }

  /// An expression for the value; it fails for a cell that does not fit, or is null where the mapping says so.
  func checked(_ cell: String, _ alias: String) -> String {
    if self.isSafe { return cell }
    let row = self.rowName.map { ", \(alias).\($0.quotedName)" }.joined()
    let call = "\(MappedFunctions.cell)(\(self.number), \(cell)\(row))"
    return self.plainTest(cell).map { "CASE WHEN \($0) THEN \(cell) ELSE \(call) END" } ?? call
  }

  /// Whether a value stands in the cells in one way only, the way in which it is bound, and nothing else compares equal
  /// to that.
  var comparesAsBound: Bool {
    switch (self.type, self.format) {
    case (.integer16, .standard), (.integer32, .standard), (.integer64, .standard), (.boolean, .standard):
      self.affinity.keepsNumbers
    // Elsewhere a whole number may stand that only a rounded one equals.
    case (.double, .standard), (.float, .standard): self.affinity == .real
    case (.string, .standard), (.uri, .standard): self.affinity == .text || self.affinity == .blob
    case (.binary, .standard), (.transformable, .standard): true
    case (.uuid, .uuidBytes): true
    default: false
    }
  }
}

extension ColumnPlace {
  /// An expression for the value under an alias, as ``encoding`` says.
  func value(_ alias: String) -> String {
    if let reference = self.reference { return reference.key.reference(alias) }
    let cell = "\(alias).\(self.column.quotedName)"
    return self.mapped.map { $0.checked(cell, alias) } ?? cell
  }

  /// What is compared with a bound value by `=`, where an index of the file may serve.
  func equalitySide(_ alias: String) -> String {
    if let reference = self.reference {
      return reference.key.shape == nil ? reference.key.parts(alias)[0] : reference.key.reference(alias)
    }
    guard let mapped = self.mapped, mapped.comparesAsBound else { return self.value(alias) }
    let cell = "\(alias).\(self.column.quotedName)"
    return mapped.type.slotKind == .string || mapped.type.slotKind == .uri ? "\(cell) COLLATE BINARY" : cell
  }
}
