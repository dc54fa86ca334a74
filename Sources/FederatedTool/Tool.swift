import FederatedData

/// A command of the tool: what it takes, and what it does.
protocol ToolCommand {
  static var description: CommandDescription { get }
  init(_ arguments: ParsedArguments) throws
  func run(_ console: Console) throws
}

/// Where a command writes: results to the output, everything else to the messages.
final class Console {
  let output: ResultOutput
  private let messages: ResultOutput
  private(set) var status = ToolStatus.done

  init(output: ResultOutput, messages: ResultOutput) {
    self.output = output
    self.messages = messages
  }

  /// Takes a status that is no error.
  func note(_ status: ToolStatus) {
    if self.status == .done { self.status = status }
  }

  /// Prints what is no result and no error.
  func say(_ text: String) throws {
    try self.messages.write(text)
    try self.messages.flush()
  }

  /// Prints an error; the exit status is the gravest of those reported.
  func report(_ error: ToolError) {
    if self.status == .pending || error.status.rawValue > self.status.rawValue { self.status = error.status }
    let excerpt = error.excerpt.map { "\n" + $0 } ?? ""
    do {
      // Results that were printed before the error come before it.
      try self.output.flush()
      try self.messages.write("error: \(error.description)\(excerpt)\n")
      try self.messages.flush()
    } catch {
      // There is nowhere left to say it; the exit status still tells.
      self.status = .failed
    }
  }
}

/// The tool as a function of its words, so that tests can run it without a process.
enum Tool {
  private static var commands: [any ToolCommand.Type] {
    [
      FetchCommand.self, WhyCommand.self, CheckLinksCommand.self, InspectCommand.self, RecoverCommand.self,
      ModelShowCommand.self, ModelLintCommand.self,
      ModelDiagramCommand.self, ModelDiffCommand.self, ModelWriteCommand.self,
    ]
  }

  static func run(_ words: [String], console: Console) -> ToolStatus {
    do {
      try self.dispatch(words, console)
      try console.output.flush()
    } catch {
      console.report(ToolError(error))
    }
    return console.status
  }

  private static func dispatch(_ words: [String], _ console: Console) throws {
    guard let name = words.first else {
      throw ToolError.usage("federate", "needs a command: \(self.names); see federate --help")
    }
    if ["--help", "-h", "help"].contains(name) { return try self.printHelp(words.dropFirst(), console) }
    if words.count == 2, self.isGroup(name), ["--help", "-h"].contains(words[1]) {
      return try self.printHelp(words.prefix(1), console)
    }
    let command = try self.command(words)
    let arguments = try ParsedArguments(words.dropFirst(command.wordCount), of: command.description)
    if arguments.wantsHelp { return try console.output.write(command.description.help) }
    try command.init(arguments).run(console)
  }

  private static var names: String { self.names(of: self.commands) }

  private static func names(of commands: [any ToolCommand.Type]) -> String {
    commands.map { $0.description.name }.joined(separator: ", ")
  }

  /// The commands whose first word this is and that have a second one.
  private static func group(_ word: String) -> [any ToolCommand.Type] {
    self.commands.filter { $0.description.name.hasPrefix(word + " ") }
  }

  private static func isGroup(_ word: String) -> Bool { !self.group(word).isEmpty }

  /// The command that the words begin with.
  private static func command(_ words: some Collection<String>) throws -> any ToolCommand.Type {
    for count in [2, 1] {
      let name = words.prefix(count).joined(separator: " ")
      if let command = self.commands.first(where: { $0.description.name == name }) { return command }
    }
    guard let word = words.first else { throw ToolError.usage("federate", "needs a command: \(self.names)") }
    let group = self.group(word)
    if !group.isEmpty, words.count < 2 {
      throw ToolError.usage(word, "needs one more word: \(self.names(of: group))")
    }
    let (name, known) =
      group.isEmpty ? (word, self.commands) : (words.prefix(2).joined(separator: " "), group)
    let hint = NearestName.suggestion(for: name, among: known.map { $0.description.name })
    throw ToolError.usage(name, "is no command\(hint); the commands are \(self.names(of: known))")
  }

  private static func printHelp(_ words: some Collection<String>, _ console: Console) throws {
    let group = words.count == 1 ? words.first.map(self.group) ?? [] : []
    if !words.isEmpty, group.isEmpty {
      return try console.output.write(self.command(words).description.help)
    }
    let commands = group.isEmpty ? self.commands : group
    let width = (commands.map { $0.description.name.count }.max() ?? 0) + 2
    let rows = commands.map { command in
      "  " + command.description.name.padding(to: width)
        + command.description.summary.split(separator: "\n").joined(
          separator: "\n" + String(repeating: " ", count: width + 2))
    }
    try console.output.write(
      """
      Usage: federate COMMAND …

      Looks into stores of the Core Data tradition, and asks several of them as one.

      \(rows.joined(separator: "\n"))

      federate COMMAND --help tells more. Results go to standard output, everything else to standard error.
      Exit status: 0 done, 1 failed, 2 wrong usage, 3 something was found: a pending save (recover), a problem (model
      lint, check links), a difference (model diff).

      """)
  }
}

extension ToolCommand {
  /// How many words the command's name has.
  fileprivate static var wordCount: Int { self.description.name.split(separator: " ").count }
}
