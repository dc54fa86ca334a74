import Testing

@testable import FederatedTool

@Suite("Arguments")
struct ParsedArgumentsTests {
  private static let command = CommandDescription(
    name: "try", summary: "Tries.", operands: "THING",
    options: [
      .init(name: "--sort", value: "KEY,-KEY", help: "order"),
      .init(name: "--store", value: "STORE", help: "a store", repeats: true),
      .init(name: "--limit", value: "N", help: "at most"),
      .init(name: "--count", value: nil, help: "only the number"),
    ], notes: "")

  private func parsed(_ words: String...) throws -> ParsedArguments {
    try ParsedArguments(words, of: Self.command)
  }

  @Test("operands, switches and values are told apart")
  func sorted() throws {
    let arguments = try self.parsed(
      "Thing", "--sort", "-date", "--store=a=b", "--store", "c", "--count", "--", "--limit")
    #expect(arguments.operands == ["Thing", "--limit"])
    #expect(arguments.value("--sort") == "-date")
    #expect(arguments.all("--store") == ["a=b", "c"])
    #expect(arguments.has("--count"))
    #expect(try arguments.count("--limit") == nil)
  }

  @Test(
    "wrong usage says what and what to do",
    arguments: [
      (["--srot", "a"], "--srot: is no option of try (did you mean --sort?); see federate try --help"),
      (["--sort"], "--sort: needs a value: --sort KEY,-KEY"),
      (["--count=1"], "--count: takes no value; leave out =1"),
      (["--limit", "1", "--limit", "2"], "--limit: is given twice; give it once"),
    ])
  func refused(words: [String], message: String) throws {
    let error = try #require(throws: ToolError.self) { try ParsedArguments(words, of: Self.command) }
    #expect(error.description == message)
    #expect(error.status == .wrongUsage)
  }

  @Test("numbers and lists are checked")
  func checked() throws {
    #expect(throws: ToolError.self) { try self.parsed("--limit", "-3").count("--limit") }
    #expect(throws: ToolError.self) { try self.parsed("--limit", "many").count("--limit") }
    #expect(throws: ToolError.self) { try self.parsed("--sort", "a,,b").list("--sort") }
    #expect(try self.parsed("--sort", "a, -b").list("--sort") == ["a", "-b"])
  }

  @Test("help shows every option")
  func help() {
    for option in Self.command.options { #expect(Self.command.help.contains(option.name)) }
  }
}
