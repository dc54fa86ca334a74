import FederatedData
import Foundation

/// `federate model show`: prints a model.
struct ModelShowCommand: ToolCommand {
  static let description = CommandDescription(
    name: "model show",
    summary:
      "Prints a model: entities with attributes, relationships and fetched properties, configurations, fetch\n"
      + "request templates, composites.",
    operands: "MODEL [ENTITY…]",
    options: ModelSource.options + [
      .init(name: "--hashes", value: nil, help: "print the version hash of each entity, in base 64"),
      .init(name: "--json", value: nil, help: "print one JSON object, with everything that is usual too"),
    ],
    notes: """
      \(ModelSource.notes)
      With ENTITY only these entities are printed. What every new model says of itself is left out of the text.

      Examples:
        federate model show Shop.xcdatamodeld
        federate model show "Shop.xcdatamodeld#Shop 2" Customer Invoice
        federate model show --federation shop.federation.json --json
      """)

  let source: ModelSource
  let entities: [String]
  let printsHashes: Bool
  let asJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    var rest: ArraySlice<String> = []
    self.source = try ModelSource(arguments, rest: &rest)
    self.entities = Array(rest)
    self.printsHashes = arguments.has("--hashes")
    self.asJSON = arguments.has("--json")
  }

  func run(_ console: Console) throws {
    let model = try self.source.load()
    for name in self.entities where model.entity(named: name) == nil {
      let hint = NearestName.suggestion(for: name, among: model.entities.map(\.name))
      throw ToolError.failed(name, "the model has no entity of that name\(hint)")
    }
    let chosen = model.entities.filter { self.entities.isEmpty || self.entities.contains($0.name) }
    let print = ModelPrint(model, entities: chosen, isWhole: self.entities.isEmpty, hashes: self.printsHashes)
    try console.output.write(self.asJSON ? print.json.text : print.text)
  }
}
