/// Records as a table for the eye: columns padded to their widest cell.
///
/// Widths come from the first rows; later rows keep them and may stick out. Control characters are shown as
/// escapes, nil as nothing.
final class TableResultWriter: ResultWriter {
  private let output: ResultOutput
  private let head: [String]
  private var waiting: [[String]] = []
  private var widths: [Int]?
  /// How many rows are looked at before the first is printed.
  private static let sample = 500

  init(output: ResultOutput, columns: [String]) {
    self.output = output
    self.head = columns
  }

  func write(_ record: ResultRecord) throws {
    let shortID = record.identity.map { $0.id.split(separator: "/").suffix(2).joined(separator: "/") }
    let row = (shortID.map { [$0] } ?? []) + record.cells.map { $0.map(Self.visible) ?? "" }
    if let widths = self.widths { return try self.write(row, widths) }
    self.waiting.append(row)
    if self.waiting.count == Self.sample { try self.writeWaiting() }
  }

  func end() throws {
    if self.widths == nil { try self.writeWaiting() }
  }

  private func writeWaiting() throws {
    let widths = self.head.indices.map { column in
      ([self.head] + self.waiting).map { TextWidth.columns(of: $0[column]) }.max() ?? 0
    }
    self.widths = widths
    try self.write(self.head, widths)
    try self.write(widths.map { String(repeating: "-", count: $0) }, widths)
    for row in self.waiting { try self.write(row, widths) }
    self.waiting = []
  }

  private func write(_ row: [String], _ widths: [Int]) throws {
    var line = ""
    var missing = 0
    for (cell, width) in zip(row, widths) {
      line += String(repeating: " ", count: missing) + cell
      missing = max(0, width - TextWidth.columns(of: cell)) + 2
    }
    while line.last == " " { line.removeLast() }
    try self.output.write(line + "\n")
  }

  /// Text on one line: a terminal must not obey what a row holds.
  static func visible(_ text: String) -> String {
    var visible = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": visible += "\\n"
      case "\r": visible += "\\r"
      case "\t": visible += "\\t"
      default:
        if scalar.properties.generalCategory == .control {
          visible += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          visible.unicodeScalars.append(scalar)
        }
      }
    }
    return visible
  }
}

/// How wide a terminal shows a text.
enum TextWidth {
  static func columns(of text: String) -> Int { text.reduce(0) { $0 + self.columns(of: $1) } }

  private static func columns(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation { return 2 }
    if character.unicodeScalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
    return self.wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// The blocks of East Asian scripts that terminals draw on two columns.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]
}
