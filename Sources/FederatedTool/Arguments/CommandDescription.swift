/// What a command takes: the one table that parsing and `--help` both read.
struct CommandDescription: Sendable {
  let name: String
  let summary: String
  /// How operands are shown: `ENTITY`, `FILE…`.
  let operands: String
  let options: [Option]
  /// Text below the options: examples and promises.
  let notes: String

  struct Option: Sendable {
    /// With its two dashes.
    let name: String
    /// How the value is shown; nil for a switch.
    let value: String?
    let help: String
    var repeats = false
  }

  var usage: String { "Usage: federate \(self.name) \(self.operands) [OPTION…]" }

  /// The text of `--help`.
  var help: String {
    let rows =
      self.options.map { ([$0.name, $0.value].compactMap(\.self).joined(separator: " "), $0.help) }
      + [("--help", "print this and stop")]
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    let lines = rows.map { option, help in
      let indent = "\n" + String(repeating: " ", count: width + 2)
      return "  " + option.padding(to: width) + help.split(separator: "\n").joined(separator: indent)
    }
    return """
      \(self.usage)

      \(self.summary)

      \(lines.joined(separator: "\n"))

      \(self.notes)

      """
  }
}

extension String {
  /// The text with spaces behind it, at least `width` characters long.
  func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - self.count)) }
}
