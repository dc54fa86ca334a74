import FederatedData

/// `federate check links`: counts the links of fetched properties, and lists those that are hardly meant.
struct CheckLinksCommand: ToolCommand {
  static let description = CommandDescription(
    name: "check links",
    summary:
      "Checks the links of every fetched property: keys that lead nowhere, to too many rows, or are nil, and\n"
      + "keys that the other side writes in another way; also to-one relationships to rows that do not exist.",
    operands: "[ENTITY[.PROPERTY]…]",
    options: CommandDescription.sourceOptions + [
      .init(name: "--examples", value: "N", help: "name at most N of each finding; 3 without it"),
      .init(name: "--json", value: nil, help: "print one JSON object"),
    ],
    notes: """
      For each property the sources are read once and the destination once. Exit status 3 says that something was
      found. Several rows of one key are a finding where the property has a limit of 1 and no order, or where the
      model declares the key unique. A property without a key to look up is told as such.

      Example:
        federate check links --federation shop.federation.json
        federate check links Customer.recentInvoices --examples 10 --federation shop.federation.json
      """)

  let names: [String]
  let source: FetchSource
  let examples: Int
  let asJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    self.names = arguments.operands
    self.source = try FetchSource(arguments)
    self.examples = try arguments.count("--examples") ?? 3
    self.asJSON = arguments.has("--json")
  }

  func run(_ console: Console) throws {
    let context = try self.source.open(missingDestinations: .allow).makeContext()
    let check = try context.checkLinks(of: self.names, examples: self.examples)
    try console.output.write(self.asJSON ? JSONOutput.text(of: check) + "\n" : "\(check)\n")
    if !check.isClean { console.note(.found) }
  }
}
