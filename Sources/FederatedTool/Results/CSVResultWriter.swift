/// Records as comma-separated values (RFC 4180, lines ended by a line feed), a head line first.
///
/// Nil is an empty cell, the empty string is `""`.
final class CSVResultWriter: ResultWriter {
  private let output: ResultOutput
  private let columns: [String]
  private var hasHead = false

  init(output: ResultOutput, columns: [String]) {
    self.output = output
    self.columns = columns
  }

  func write(_ record: ResultRecord) throws {
    try self.writeHead()
    let cells = record.cells.map { $0.map(Self.cell) ?? "" }
    try self.writeLine((record.identity.map { [$0.entity, $0.id].map(Self.cell) } ?? []) + cells)
  }

  func end() throws { try self.writeHead() }

  private func writeHead() throws {
    guard !self.hasHead else { return }
    self.hasHead = true
    try self.writeLine(self.columns.map(Self.cell))
  }

  private func writeLine(_ cells: [String]) throws {
    try self.output.write(cells.joined(separator: ",") + "\n")
  }

  private static func cell(_ text: String) -> String {
    // By bytes: a quote with a combining mark behind it is one character, and still a quote.
    let special = Array(",\"\n\r".utf8)
    guard
      text.isEmpty || text.utf8.contains(where: special.contains) || text.hasPrefix(" ")
        || text.hasSuffix(" ")
    else { return text }
    var quoted = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { quoted.append(byte) }
      quoted.append(byte)
    }
    return String(decoding: quoted + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}

extension ResultRecord {
  /// The fields as plain text, for forms that do not nest; nil is no value.
  var cells: [String?] {
    self.fields.map { field in
      if case .value(let value, let type) = field.content { ValueText.text(value, type: type) } else { nil }
    }
  }
}
