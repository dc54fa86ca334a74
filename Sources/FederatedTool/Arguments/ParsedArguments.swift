import FederatedData

/// The words of one command, sorted into operands and options.
///
/// `--name value` and `--name=value` are the same; the word behind an option that takes a value is always its
/// value, so `--sort -date` works. `--` ends the options.
struct ParsedArguments {
  let command: CommandDescription
  private(set) var operands: [String] = []
  private(set) var wantsHelp = false
  private var values: [String: [String]] = [:]

  init(_ words: some Sequence<String>, of command: CommandDescription) throws {
    self.command = command
    var rest = words.makeIterator()
    while let word = rest.next() {
      if word == "--" {
        while let operand = rest.next() { self.operands.append(operand) }
      } else if word == "--help" || word == "-h" {
        self.wantsHelp = true
      } else if word.hasPrefix("-"), word != "-" {
        try self.take(word) { rest.next() }
      } else {
        self.operands.append(word)
      }
    }
  }

  private mutating func take(_ word: String, next: () -> String?) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    guard let option = self.command.options.first(where: { $0.name == name }) else {
      let hint = NearestName.suggestion(for: name, among: self.command.options.map(\.name) + ["--help"])
      throw ToolError.usage(
        name, "is no option of \(self.command.name)\(hint); see federate \(self.command.name) --help")
    }
    let value: String
    switch (option.value, parts.count) {
    case (nil, 1): value = ""
    case (nil, _): throw ToolError.usage(name, "takes no value; leave out =\(parts[1])")
    case (let shape?, 1):
      guard let following = next() else { throw ToolError.usage(name, "needs a value: \(name) \(shape)") }
      value = following
    default: value = parts[1]
    }
    if self.values[name] != nil, !option.repeats {
      throw ToolError.usage(name, "is given twice; give it once")
    }
    self.values[name, default: []].append(value)
  }

  /// All values of an option, in order.
  func all(_ name: String) -> [String] { self.values[name] ?? [] }
  func value(_ name: String) -> String? { self.values[name]?.last }
  func has(_ name: String) -> Bool { self.values[name] != nil }

  /// A whole number that is not negative.
  func count(_ name: String) throws -> Int? {
    guard let text = self.value(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw ToolError.usage(name, "needs a whole number from 0 up, and not \(text)")
    }
    return number
  }

  /// A list between commas, empty parts refused.
  func list(_ name: String) throws -> [String]? {
    guard let text = self.value(name) else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0.trimming(while: { $0 == " " }))
    }
    guard !parts.contains("") else {
      throw ToolError.usage(name, "has an empty name in '\(text)'; put one name between commas")
    }
    return parts
  }
}

extension Substring {
  fileprivate func trimming(while drops: (Character) -> Bool) -> Substring {
    var text = self.drop(while: drops)
    while let last = text.last, drops(last) { text.removeLast() }
    return text
  }
}
