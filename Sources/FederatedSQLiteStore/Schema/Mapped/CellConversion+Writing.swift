internal import FederatedModel
internal import FederatedStore
internal import Foundation

extension CellConversion {
  /// The cell that stands for a value in the file.
  /// - Parameter old: a text that stands in the same place or column, whose style is kept: its zone, its case.
  /// - Returns: nil for a value that the column cannot hold as it is.
  func cell(of value: Value, like old: String? = nil) -> SQLValue? {
    if value == .null { return .null }
    // No text writes a zero below zero; it is the same instant.
    if case .date(let date) = value, date.timeIntervalSinceReferenceDate == 0,
      date.timeIntervalSinceReferenceDate.sign == .minus
    {
      return self.cell(of: .date(Date(timeIntervalSinceReferenceDate: 0)), like: old)
    }
    guard let cell = self.written(value, like: old), let own = self.ownCell(of: self.stored(cell)) else {
      return nil
    }
    // What the file would give back is compared, not what was meant.
    return own.isWorth(self.ownCell(value)) || self.isRoundedDate(value) ? cell : nil
  }

  /// What the column's affinity makes of a cell on its way into the file.
  private func stored(_ cell: SQLValue) -> SQLValue {
    switch (self.cell.affinity, cell) {
    case (.text, .int), (.text, .double): self.cell.affinity.applied(to: cell)
    case (.integer, .text), (.real, .text), (.numeric, .text): self.cell.affinity.applied(to: cell)
    default: cell
    }
  }

  /// A date as a floating-point number since 1970 is less exact than the same date since 2001, by less than a
  /// microsecond.
  private func isRoundedDate(_ value: Value) -> Bool {
    guard case .date = value, self.cell.affinity != .integer else { return false }
    switch self.cell.format {
    case .unixSeconds, .unixMilliseconds: return self.cell.affinity != .text
    default: return false
    }
  }

  private func written(_ value: Value, like old: String?) -> SQLValue? {
    switch (value, self.cell.format) {
    case (.int(let number), .standard): return .int(number)
    case (.bool(let flag), .standard): return .int(flag ? 1 : 0)
    case (.double(let number), .standard): return number.isNaN ? .null : .double(number)
    case (.string(let text), .standard), (.uri(let text), .standard): return .text(text)
    case (.data(let bytes), .standard): return .blob(bytes)
    case (.decimal(let number), .standard), (.decimal(let number), .decimalText): return self.decimal(number)
    case (.uuid(let uuid), .uuidBytes): return .blob(uuid.bytes)
    case (.uuid(let uuid), .standard) where self.cell.affinity != .text && old == nil:
      return .blob(uuid.bytes)
    case (.date(let date), .unixSeconds), (.date(let date), .unixMilliseconds), (.date(let date), .julianDay),
      (.date(let date), .referenceSeconds):
      return self.number(date)
    default: return self.text?.text(of: value, like: old).map { .text($0) }
    }
  }

  private func decimal(_ number: Decimal) -> SQLValue? {
    if number.isNaN { return nil }
    if self.cell.format == .decimalText || self.cell.affinity == .text {
      return .text(DecimalCell.text(number))
    }
    switch DecimalCell.cell(number) {
    // Neither an integer nor a floating-point number has these digits.
    case .blob: return self.cell.affinity == .blob ? .text(DecimalCell.text(number)) : nil
    case let cell: return cell
    }
  }

  private func number(_ date: Date) -> SQLValue? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite else { return nil }
    // The one format that holds what dates themselves are.
    if self.cell.format == .referenceSeconds, self.cell.affinity != .text { return .double(seconds) }
    if let text = self.text?.text(of: .date(date)) {
      if self.cell.affinity == .text { return .text(text) }
      if let whole = Int64(text) { return .int(whole) }
      if self.cell.affinity != .integer, let number = Double(text) { return .double(number) }
    }
    guard self.isRoundedDate(.date(date)) else { return nil }
    let since1970 = seconds + 978_307_200
    return .double(self.cell.format == .unixMilliseconds ? since1970 * 1000 : since1970)
  }

  /// The error of a value that the column cannot hold.
  func unstorable(_ value: Value, _ row: RowIdentity) -> StoreError {
    let hint =
      switch (value, self.cell.format) {
      case (.date, .unixSeconds), (.date, .unixMilliseconds), (.date, .julianDay):
        "round the date to what the column counts"
      case (.decimal, _): "round it to 15 digits, or keep it in a column of texts"
      case (.string, _): "the column is declared \(self.cell.affinity), which makes a number of it"
      default: "change the value, or the attribute's format in the mapping"
      }
    return StoreError(
      .unstorableValue, store: self.file,
      place: .cell(table: self.cell.table, row: nil, column: self.cell.column), rows: [row],
      "\(self.cell.property) cannot be written: the column would not give \(value) back; \(hint)")
  }
}

extension SQLValue {
  /// Whether two cells of one column stand for one value: 5 and 5.0 do.
  fileprivate func isWorth(_ other: SQLValue) -> Bool {
    switch (self, other) {
    case (.int(let a), .double(let b)): Double(a) == b
    case (.double(let a), .int(let b)): a == Double(b)
    case (.double(let a), .double(let b)): a == b
    default: self == other
    }
  }
}
