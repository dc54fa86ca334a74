/// Records as one JSON array, an object on each line, or as JSON lines without the array.
final class JSONResultWriter: ResultWriter {
  enum Style { case array, lines }

  private let output: ResultOutput
  private let style: Style
  private var isFirst = true
  private var bytes: [UInt8] = []

  init(output: ResultOutput, style: Style) {
    self.output = output
    self.style = style
  }

  func write(_ record: ResultRecord) throws {
    self.bytes.removeAll(keepingCapacity: true)
    if self.style == .array { self.bytes.append(contentsOf: (self.isFirst ? "[\n" : ",\n").utf8) }
    self.isFirst = false
    Self.append(record, to: &self.bytes)
    if self.style == .lines { self.bytes.append(UInt8(ascii: "\n")) }
    try self.output.write(self.bytes)
  }

  func end() throws {
    if self.style == .array { try self.output.write(self.isFirst ? "[]\n" : "\n]\n") }
  }

  private static func append(_ record: ResultRecord, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    if let identity = record.identity {
      bytes.append(contentsOf: "\"$entity\": ".utf8)
      JSONText.append(identity.entity, to: &bytes)
      bytes.append(contentsOf: ", \"$id\": ".utf8)
      JSONText.append(identity.id, to: &bytes)
    }
    for (place, field) in record.fields.enumerated() {
      if place > 0 || record.identity != nil { bytes.append(contentsOf: ", ".utf8) }
      JSONText.append(field.key, to: &bytes)
      bytes.append(contentsOf: ": ".utf8)
      switch field.content {
      case .value(let value, let type): ValueText.appendJSON(value, type: type, to: &bytes)
      case .object(nil): bytes.append(contentsOf: "null".utf8)
      case .object(let record?): self.append(record, to: &bytes)
      case .list(let records): self.append(records, to: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func append(_ records: [ResultRecord], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (index, record) in records.enumerated() {
      if index > 0 { bytes.append(contentsOf: ", ".utf8) }
      self.append(record, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
