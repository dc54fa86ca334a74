internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

extension XMLRecordReader {
  /// Puts a text into a record.
  func set(_ value: Int32, _ recordIndex: Int32, _ text: UnsafeRawBufferPointer) throws {
    let record = self.openRecord(recordIndex)
    let column = record.plan.columns[Int(value)]
    if record.seen[Int(value)], try !self.takesAgain(Int(value), record) { return }
    record.seen[Int(value)] = true
    guard text.count <= RowBlockBuilder.longestBytes else {
      throw self.error(
        .refusedContent, record, Int(value),
        "a value may have \(RowBlockBuilder.longestBytes) bytes; this one has more")
    }
    switch column.kind {
    case .string, .text: return record.row.append(bytes: text, at: column.slot)
    case .int:
      if let number = NumberText.integer(text.trimmingXMLSpace), column.range.contains(number) {
        return record.row.set(int: number, at: column.slot)
      }
    case .double:
      if let number = NumberText.double(text.trimmingXMLSpace) {
        return record.row.set(double: number, at: column.slot)
      }
    case .decimal:
      if let packed = PackedDecimal(text: text.trimmingXMLSpace) {
        return record.row.set(word: packed.word, at: column.slot)
      }
      if self.convert(text, Int(value), record) { return }
    case .other: if self.convert(text, Int(value), record) { return }
    case .reference: return self.add(text, Int(value), record)
    }
    try self.unfit(text, Int(value), record)
  }

  func set(_ value: Int32, _ record: Int32, _ text: String) throws {
    var text = text
    let outcome: Result<Void, any Error> = text.withUTF8 { bytes in
      Result { try self.set(value, record, UnsafeRawBufferPointer(bytes)) }
    }
    try outcome.get()
  }

  /// The path is there and says nil.
  func setNil(_ value: Int32, _ recordIndex: Int32) throws {
    let record = self.openRecord(recordIndex)
    if record.seen[Int(value)], try !self.takesAgain(Int(value), record) { return }
    record.seen[Int(value)] = true
    if record.plan.columns[Int(value)].slot >= 0 {
      record.row.setNull(at: record.plan.columns[Int(value)].slot)
    }
  }

  /// Whether a value that the record has already is taken once more.
  private func takesAgain(_ value: Int, _ record: XMLRecord) throws -> Bool {
    let plan = record.plan.values[value]
    if case .reference(let place, _) = plan.kind, record.plan.references[place].relationship.isToMany {
      return true
    }
    switch plan.repeated {
    case .first: return false
    case .last: return true
    case .refuse:
      throw self.error(
        .malformed, record, value,
        "it stands more than once in the record, which begins at line \(record.line); map it "
          + "with \"repeated\": \"first\" or \"last\", or as a relationship to records of its own")
    }
  }

  private func convert(_ text: UnsafeRawBufferPointer, _ value: Int, _ record: XMLRecord) -> Bool {
    guard case .attribute(let slot, let kind, let conversion) = record.plan.values[value].kind,
      let converted = conversion.value(of: String(decoding: text, as: UTF8.self))
    else { return false }
    return record.row.set(converted, at: slot, kind)
  }

  private func add(_ text: UnsafeRawBufferPointer, _ value: Int, _ record: XMLRecord) {
    guard case .reference(let place, let part) = record.plan.values[value].kind else { return }
    record.references.append(
      XMLRecord.Reference(reference: place, part: part, text: String(decoding: text, as: UTF8.self)))
  }

  private func unfit(_ text: UnsafeRawBufferPointer, _ value: Int, _ record: XMLRecord) throws {
    if record.plan.values[value].unfit == .asNil {
      self.unfitValues[[record.number, value], default: (0, self.position().line)].count += 1
      // A value before it may have fitted, where the last one counts.
      return record.row.setNull(at: record.plan.columns[value].slot)
    }
    let shown = String(decoding: text.prefix(40), as: UTF8.self)
    throw self.error(
      .unreadableValue, record, value,
      "\"\(shown)\" does not fit the attribute; map it with another \"format\", or "
        + "with \"unfit\": \"nil\" to read it as nil")
  }

  /// An error about one value of a record.
  func error(_ code: StoreError.Code, _ record: XMLRecord, _ value: Int, _ detail: String) -> StoreError {
    let plan = record.plan.values[value]
    let type = record.plan.entity.attribute(named: plan.name).map { " (\($0.type.xmlName))" } ?? ""
    return StoreError(
      code, store: self.url, place: self.place,
      "\(record.title), \(plan.name)\(type) at \(plan.pathText): \(detail)")
  }

  var place: StoreError.Place? {
    let position = self.position()
    return position == .none ? nil : .text(line: position.line, column: position.column)
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes without white space around them.
  var trimmingXMLSpace: UnsafeRawBufferPointer {
    var start = 0
    var end = self.count
    while start < end, self[start].isXMLSpace { start += 1 }
    while end > start, self[end - 1].isXMLSpace { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }
}
