import FederatedModel
import FederatedStore
import Foundation

/// A whole store in comma-separated lines: entity, reference, then `name=value`; fields are percent-encoded.
///
/// What a store author writes, with the public contract alone.
struct CSVFormat: WholeFileFormat {
  let typeName = "CSV"

  // MARK: Reading

  func read(_ source: ByteSource, into sink: inout RowSink) throws(StoreError) {
    sink.metadata = try self.readMetadata(source)
    for (number, line) in try self.lines(source).enumerated().dropFirst() {
      let place = StoreError.Place.text(line: number + 1, column: 1)
      guard line.count >= 2, let entity = sink.model.entity(named: line[0]) else {
        throw StoreError(
          .malformed, store: source.url, place: place, "a line begins with an entity and a reference")
      }
      try sink.beginRow(of: entity.id, reference: sink.reference(named: line[1]), at: place)
      for field in line.dropFirst(2) {
        let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
          String.init)
        guard parts.count == 2, try self.read(parts[1], named: parts[0], of: entity, into: &sink) else {
          throw StoreError(
            .malformed, store: source.url, place: place, "\(field) is no field of \(entity.name)")
        }
      }
    }
  }

  private func read(
    _ text: String, named name: String, of entity: Entity, into sink: inout RowSink
  ) throws(StoreError) -> Bool {
    if let relationship = entity.relationship(named: name) {
      let references = text.split(separator: " ").map { sink.reference(named: String($0)) }
      if relationship.isToMany {
        sink.setToMany(relationship, to: references)
      } else {
        sink.setToOne(relationship, to: references[0])
      }
      return true
    }
    guard let column = entity.layout.column(named: name), let text = text.removingPercentEncoding else {
      return false
    }
    return sink.row.set(self.value(text, column.kind), at: column.slot, column.kind)
  }

  private func value(_ text: String, _ kind: SlotKind) -> Value {
    switch kind {
    case .int: Int64(text).map { .int($0) } ?? .null
    case .bool: .bool(text == "1")
    case .double, .float: Double(text).map { .double($0) } ?? .null
    case .date: Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
    case .decimal: Decimal(string: text).map { .decimal($0) } ?? .null
    case .string: .string(text)
    case .uri: .uri(text)
    case .data: Data(base64Encoded: text).map { .data($0) } ?? .null
    case .uuid: UUID(uuidString: text).map { .uuid($0) } ?? .null
    case .reference: .null
    }
  }

  /// The first line is the metadata, as JSON in one field.
  func readMetadata(_ source: ByteSource) throws(StoreError) -> StoreMetadata {
    guard let field = try self.lines(source).first?.first, let text = field.removingPercentEncoding else {
      throw StoreError(
        .malformed, store: source.url, place: .text(line: 1, column: 1), "there is no metadata")
    }
    do { return try JSONDecoder().decode(StoreMetadata.self, from: Data(text.utf8)) } catch {
      throw StoreError(
        .malformed, store: source.url, place: .text(line: 1, column: 1), underlying: error,
        "the metadata is broken")
    }
  }

  private func lines(_ source: ByteSource) throws(StoreError) -> [[String]] {
    String(decoding: try source.contents(), as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  // MARK: Writing

  func write(
    _ table: RowTable, metadata: StoreMetadata, changes: ChangeSet, over original: ByteSource?,
    to sink: inout ByteSink
  ) throws(StoreError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do { sink.write(self.encoded(String(decoding: try encoder.encode(metadata), as: UTF8.self))) } catch {
      throw StoreError(.unstorableValue, store: nil, underlying: error, "the metadata cannot be written")
    }
    for row in table.rowsInFileOrder {
      let entity = table.model[row.entity]
      sink.write("\n\(entity.name),\(table.name(of: row.reference) ?? String(row.reference))")
      for column in entity.layout.columns where !row.isNull(column.slot) {
        sink.write(",\(column.name)=\(self.encoded(self.text(row, column)))")
      }
      for relationship in entity.relationships where relationship.isToMany {
        let list = table.related(relationship, of: row.reference)
        if !list.isEmpty {
          sink.write(",\(relationship.name)=\(list.map { String($0.reference) }.joined(separator: " "))")
        }
      }
    }
  }

  private func text(_ row: Snapshot, _ column: RowLayout.Column) -> String {
    switch column.kind {
    case .int, .reference: String(row.int(column.slot))
    case .bool: row.bool(column.slot) ? "1" : "0"
    case .double, .float, .date: String(row.double(column.slot))
    case .decimal: row.decimal(column.slot).description
    case .string, .uri: row.string(column.slot)
    case .data: row.data(column.slot).base64EncodedString()
    case .uuid: row.uuid(column.slot).uuidString
    }
  }

  private func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}

extension StoreType {
  static let csv = StoreType(CSVFormat())
}
