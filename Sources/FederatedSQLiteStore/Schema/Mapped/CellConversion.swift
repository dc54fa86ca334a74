internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Makes values of the cells of one mapped column.
struct CellConversion: Sendable {
  let cell: MappedCell
  let file: URL
  /// For cells that hold text; nil where text does not fit.
  let text: TextConversion?

  init(_ cell: MappedCell, file: URL, zone: ZonePolicy) {
    self.cell = cell
    self.file = file
    // Bytes are bytes in SQLite; a text is taken for them only where the mapping says how it is to be read.
    let isBytes = cell.type.slotKind == .data && cell.format == .standard
    self.text = isBytes ? nil : TextConversion(cell.type, cell.format, zone: zone)
  }

  /// A cell as the store's own layout would have it; nil when it does not fit the attribute.
  func ownCell(of cell: SQLValue) -> SQLValue? {
    switch cell {
    case .null: return .null
    case .text(let text): return self.text?.value(of: text).map { self.ownCell($0) }
    case .int(let number): return self.ownCell(int: number)
    case .double(let number): return self.ownCell(double: number)
    case .blob(let bytes): return self.fits(bytes) ? cell : nil
    }
  }

  func ownCell(_ value: Value) -> SQLValue {
    if case .decimal(let decimal) = value { return DecimalCell.cell(decimal) }
    return SQLCell.cell(value)
  }

  private func ownCell(int number: Int64) -> SQLValue? {
    switch (self.cell.type, self.cell.format) {
    case (.integer16, _): return Int16(exactly: number).map { .int(Int64($0)) }
    case (.integer32, _): return Int32(exactly: number).map { .int(Int64($0)) }
    case (.integer64, _): return .int(number)
    case (.boolean, .standard): return number == 0 || number == 1 ? .int(number) : nil
    case (.double, _), (.float, _): return .double(Double(number))
    case (.decimal, _): return .int(number)
    case (.date, .referenceSeconds): return .double(Double(number))
    case (.boolean, _), (.date, .unixSeconds), (.date, .unixMilliseconds), (.date, .julianDay):
      return self.text?.value(of: String(number)).map { self.ownCell($0) }
    default: return nil
    }
  }

  private func ownCell(double number: Double) -> SQLValue? {
    switch (self.cell.type, self.cell.format) {
    case (.integer16, _), (.integer32, _), (.integer64, _), (.boolean, _):
      return Int64(exactly: number).flatMap { self.ownCell(int: $0) }
    case (.double, _), (.float, _): return .double(number)
    case (.decimal, _): return number.isFinite ? .double(number) : nil
    case (.date, .referenceSeconds): return .double(number)
    case (.date, .unixSeconds), (.date, .unixMilliseconds), (.date, .julianDay):
      return self.text?.value(of: number.description).map { self.ownCell($0) }
    default: return nil
    }
  }

  private func fits(_ bytes: Data) -> Bool {
    switch (self.cell.type.slotKind, self.cell.format) {
    case (.data, .standard): true
    case (.uuid, .standard), (.uuid, .uuidBytes): bytes.count == 16
    default: false
    }
  }

  /// What is wrong with a cell that does not fit.
  /// - Parameter row: the values that name the row.
  func error(_ cell: SQLValue, row: [SQLValue]) -> StoreError {
    var number: Int64?
    var name = ""
    if row.count == 1, case .int(let value) = row[0] {
      number = value
    } else {
      name = " (row " + row.map(\.shown).joined(separator: ", ") + ")"
    }
    return StoreError(
      .unreadableValue, store: self.file,
      place: .cell(table: self.cell.table, row: number, column: self.cell.column),
      "\(self.cell.property) cannot be read: the cell holds \(cell.shown)\(name), which is no "
        + "\(self.cell.expectation). Correct the cell, give the attribute another format, or have it read as nil by "
        + "\"unfit\": \"nil\"")
  }
}

extension MappedCell {
  /// What a cell must be, in words.
  fileprivate var expectation: String {
    let format =
      switch self.format {
      case .standard: ""
      case .iso8601: " as ISO 8601 text with a zone, or with one that the mapping assumes"
      case .datePattern(let pattern, _): " written by the pattern \(pattern)"
      case .unixSeconds: " in seconds since 1970"
      case .unixMilliseconds: " in milliseconds since 1970"
      case .julianDay: " as a Julian day"
      case .referenceSeconds: " in seconds since 2001"
      case .booleanWords(let yes, let no): " written \(yes) or \(no)"
      case .decimalText: " as digits"
      case .uuidText: " of 36 characters"
      case .uuidBytes: " of 16 bytes"
      case .base64: " in base64"
      case .hex: " in hexadecimal digits"
      }
    switch self.type.slotKind {
    case .int: return "whole number of that type" + format
    case .bool: return "boolean" + (format.isEmpty ? " (0 or 1)" : format)
    case .double, .float: return "number" + format
    case .decimal: return "decimal" + format
    case .string: return "text" + format
    case .uri: return "URI" + format
    case .date:
      return "date"
        + (format.isEmpty
          ? " as ISO 8601 text with a zone (a number needs a format, such as unixSeconds)" : format)
    case .uuid: return "UUID" + format
    case .data: return format.isEmpty ? "bytes (a text needs a format, such as base64)" : "bytes" + format
    case .reference, nil: return "key"
    }
  }
}

extension SQLValue {
  /// The value as messages show it.
  var shown: String {
    switch self {
    case .null: "nothing"
    case .int(let value): "the whole number \(value)"
    case .double(let value): "the number \(value)"
    case .text(let value): "the text \"\(value.count > 60 ? value.prefix(60) + "…" : value[...])\""
    case .blob(let value): "\(value.count) bytes"
    }
  }
}
