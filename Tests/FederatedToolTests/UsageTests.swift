import Testing

@testable import FederatedTool

@Suite("Wrong usage")
struct UsageTests {
  private static let source = ["--federation", "f.json"]

  @Test("help is printed for the tool and for each command, with exit status 0")
  func help() {
    for words in [["--help"], ["help"], ["-h"], ["help", "fetch"], ["fetch", "--help"], ["inspect", "-h"]] {
      let run = ToolRun(words)
      #expect(run.status == .done)
      #expect(run.output.hasPrefix("Usage: federate "), "\(words)")
      #expect(run.messages == "")
    }
    for option in FetchCommand.description.options {
      #expect(ToolRun("fetch", "--help").output.contains(option.name))
    }
  }

  @Test(
    "wrong words give exit status 2, nothing on standard output, and say what to do",
    arguments: [
      (
        [],
        "federate: needs a command: fetch, why, check links, inspect, recover, model show, model lint, model diagram, "
          + "model diff, model write; see federate --help"
      ),
      (
        ["fecth"],
        "fecth: is no command (did you mean fetch?); the commands are fetch, why, check links, inspect, recover, model show, model lint, model diagram, "
          + "model diff, model write"
      ),
      (["fetch"] + source, "ENTITY: name exactly one entity; predicates of several words stand in quotes"),
      (
        ["fetch", "A", "B"] + source,
        "ENTITY: name exactly one entity; predicates of several words stand in quotes"
      ),
      (
        ["fetch", "A"],
        "--federation: is missing; name a federation file, or --store, with --model where the store keeps no "
          + "copy of its model"
      ),
      (["fetch", "A", "--model", "m"], "--store: is missing; name at least one store"),
      (
        ["fetch", "A", "--model", "m"] + source,
        "--federation: names model and stores itself; leave out --model and --store"
      ),
      (
        ["fetch", "A", "--with", "b", "--format", "csv"] + source,
        "--with: needs a format that holds objects inside objects; use --format json or --format jsonl"
      ),
      (
        ["fetch", "A", "--with", "b", "--format", "table"] + source,
        "--with: needs a format that holds objects inside objects; use --format json or --format jsonl"
      ),
      (
        ["fetch", "A", "--format", "jsno"] + source,
        "--format: 'jsno' is no format (did you mean json?); use one of table, json, jsonl, csv"
      ),
      (["fetch", "A", "--limit", "x"] + source, "--limit: needs a whole number from 0 up, and not x"),
      (
        ["fetch", "A", "--count", "--select", "b"] + source,
        "--select: has no meaning beside --count; leave out one of the two"
      ),
      (["fetch", "A", "--with", "a..b"] + source, "--with: has an empty key in 'a..b'"),
      (["fetch", "A", "--sort", "-"] + source, "--sort: has a sign without a key"),
    ] as [([String], String)])
  func refused(words: [String], message: String) {
    let run = ToolRun(words)
    #expect(run.status == .wrongUsage)
    #expect(run.output == "")
    #expect(run.messages == "error: \(message)\n")
  }

  @Test("a predicate that is none is shown with a caret under the place")
  func predicate() {
    let run = ToolRun(["fetch", "A", "--where", "total >>> 3"] + Self.source)
    #expect(run.status == .wrongUsage)
    let lines = run.messages.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("error: --where: column "), "\(run.messages)")
    #expect(lines[1] == "  total >>> 3")
    #expect(lines[2].hasSuffix("^"))
  }
}
