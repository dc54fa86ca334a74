internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// A column in SQL, as comparisons see it.
struct ColumnOperand: Hashable, Sendable {
  /// `alias."COLUMN"`.
  let sql: String
  let encoding: ColumnEncoding
  /// Nil for a reference.
  let type: AttributeType?
  /// The hierarchy that a reference points into.
  let root: EntityID?
  /// What `=` compares with a bound value, so that an index of the file may serve; ``sql`` in most files.
  let equalitySQL: String
  /// The parts of the key that a reference is made of; nil where it is the cell.
  let key: KeyOperand?
  /// The numbers that the cells hold where the values are dates; nil where nothing is known of their order.
  let numbers: DateNumbers?

  init(
    sql: String, encoding: ColumnEncoding, type: AttributeType?, root: EntityID?, equalitySQL: String? = nil,
    key: KeyOperand? = nil, numbers: DateNumbers? = nil
  ) {
    self.sql = sql
    self.encoding = encoding
    self.type = type
    self.root = root
    self.equalitySQL = equalitySQL ?? sql
    self.key = key
    self.numbers = numbers
  }

  init(_ place: ColumnPlace, alias: String, type: AttributeType?, root: EntityID? = nil) {
    self.init(
      sql: place.value(alias), encoding: place.encoding, type: type, root: root,
      equalitySQL: place.equalitySide(alias), key: place.reference.flatMap { KeyOperand($0.key, alias) },
      numbers: DateNumbers(place, alias: alias))
  }

  /// The key of a row or of what points to one.
  init(_ key: KeyPlace, alias: String, root: EntityID) {
    self.init(
      sql: key.reference(alias), encoding: .reference, type: nil, root: root,
      equalitySQL: key.shape == nil ? key.parts(alias)[0] : nil, key: KeyOperand(key, alias))
  }
}

extension ColumnOperand {
  /// What is compared with these values by `=`: ``equalitySQL``, but for one value that the type has no room for.
  ///
  /// SQLite carries a value that a column must equal into the other conditions of a statement, where such a one would
  /// be taken for a cell that does not fit.
  func equalitySQL(to cells: [SQLValue]) -> String {
    cells.count == 1 && !self.hasRoom(for: cells[0]) ? self.sql : self.equalitySQL
  }

  private func hasRoom(for cell: SQLValue) -> Bool {
    let range: ClosedRange<Int64>
    switch self.type {
    case .integer16: range = Int64(Int16.min)...Int64(Int16.max)
    case .integer32: range = Int64(Int32.min)...Int64(Int32.max)
    case .integer64: range = .min ... .max
    case .boolean: range = 0...1
    default: return true
    }
    return if case .int(let number) = cell { range.contains(number) } else { false }
  }
}

/// The parts of a key that is no whole number, under an alias.
struct KeyOperand: Hashable, Sendable {
  let shape: KeyShape
  let parts: [String]

  /// - Returns: nil for one column that holds the reference itself.
  init?(_ key: KeyPlace, _ alias: String) {
    guard let shape = key.shape else { return nil }
    self.shape = shape
    self.parts = key.parts(alias)
  }
}

/// A constant as a column would hold it.
enum ColumnConstant: Hashable, Sendable {
  case null
  case value(SQLValue)
  /// No row of the column can equal it.
  case never

  /// - Returns: nil when SQLite would not compare it with the column as the language does.
  init?(_ value: Value, for column: ColumnOperand, store: StoreID, model: ManagedObjectModel) {
    if case .null = value {
      self = .null
      return
    }
    guard ColumnConstant.mayEqual(value, column.encoding) else {
      self = .never
      return
    }
    if column.encoding == .int || column.encoding == .bool, case .decimal(let decimal) = value,
      DecimalCell.wholeBelow(decimal) != nil
    {
      self = .never
      return
    }
    let cell: SQLValue?
    switch column.encoding {
    case .int, .bool: cell = ColumnConstant.integerColumn(value)
    case .double: cell = ColumnConstant.doubleColumn(value)
    case .decimal: cell = ColumnConstant.decimalColumn(value)
    case .date:
      if case .date(let date) = value, !date.timeIntervalSinceReferenceDate.isNaN {
        cell = .double(date.timeIntervalSinceReferenceDate)
      } else {
        cell = nil
      }
    case .text:
      switch value {
      case .string(let text), .uri(let text): cell = .text(text)
      default: cell = nil
      }
    case .uuid:
      if case .uuid(let uuid) = value { cell = .blob(uuid.bytes) } else { cell = nil }
    case .blob:
      if case .data(let data) = value { cell = .blob(data) } else { cell = nil }
    case .prefixedBlob: cell = nil
    case .reference:
      guard case .object(let object) = value, object.store == store,
        model.entities.indices.contains(object.entity.index),
        model[object.entity].root == column.root
      else {
        self = .never
        return
      }
      cell = .int(object.reference)
    }
    guard let cell else { return nil }
    self = .value(cell)
  }

  /// Values of unlike kinds are never equal.
  private static func mayEqual(_ value: Value, _ encoding: ColumnEncoding) -> Bool {
    switch (value, encoding) {
    case (.int, .int), (.int, .bool), (.int, .double), (.int, .decimal): true
    case (.bool, .int), (.bool, .bool), (.bool, .double), (.bool, .decimal): true
    case (.double, .int), (.double, .bool), (.double, .double), (.double, .decimal): true
    case (.decimal, .int), (.decimal, .bool), (.decimal, .double), (.decimal, .decimal): true
    case (.string, .text), (.uri, .text), (.date, .date), (.uuid, .uuid): true
    case (.data, .blob), (.data, .prefixedBlob), (.object, .reference): true
    default: false
    }
  }

  /// An integer against a double is compared exactly by SQLite.
  private static func integerColumn(_ value: Value) -> SQLValue? {
    switch value {
    case .int(let value): .int(value)
    case .bool(let value): .int(value ? 1 : 0)
    case .double(let value): value.isNaN ? nil : .double(value)
    case .decimal(let value): Int64(DecimalCell.text(value)).map { .int($0) }
    default: nil
    }
  }

  /// The double that equals a number. One that no double equals would be rounded on its way into an index of the
  /// column.
  private static func doubleColumn(_ value: Value) -> SQLValue? {
    let double: Double
    switch value {
    case .int(let value): double = Double(value)
    case .bool(let value): double = value ? 1 : 0
    case .double(let value): double = value
    case .decimal(let value): double = value.nearestDouble
    default: return nil
    }
    return value.matches(.double(double)) ? .double(double) : nil
  }

  private static func decimalColumn(_ value: Value) -> SQLValue? {
    switch value {
    case .int(let value): .int(value)
    case .bool(let value): .int(value ? 1 : 0)
    case .decimal(let value): value.isNaN ? nil : DecimalCell.cell(value)
    case .double(let value): value.equalDecimal.map(DecimalCell.cell)
    default: nil
    }
  }
}

extension UUID {
  /// The 16 bytes in the order of the text.
  var bytes: Data { unsafe withUnsafeBytes(of: self.uuid) { unsafe Data($0) } }
}
