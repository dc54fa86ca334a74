import FederatedData
import Foundation

/// `federate model diagram`: draws a model.
struct ModelDiagramCommand: ToolCommand {
  static let description = CommandDescription(
    name: "model diagram",
    summary:
      "Draws a model: entities with their attributes, relationships with how many there may be, stores as frames,\n"
      + "fetched properties as dashed arrows across them.",
    operands: "MODEL",
    options: ModelSource.options + [
      .init(name: "--format", value: "mermaid|dot", help: "form of the drawing; mermaid without it")
    ],
    notes: """
      \(ModelSource.notes)
      The frames are the configurations of the model, or the stores of a federation. An entity of several of them
      stands in a frame that is named after all.

      Examples:
        federate model diagram Shop.xcdatamodeld
        federate model diagram --federation shop.federation.json --format dot | dot -Tsvg > shop.svg
      """)

  let source: ModelSource
  let format: ModelDiagram.Format

  init(_ arguments: ParsedArguments) throws {
    var rest: ArraySlice<String> = []
    self.source = try ModelSource(arguments, rest: &rest)
    try ModelSource.refuse(rest)
    let name = arguments.value("--format") ?? ModelDiagram.Format.mermaid.rawValue
    guard let format = ModelDiagram.Format(rawValue: name) else {
      let names = ModelDiagram.Format.allCases.map(\.rawValue)
      let hint = NearestName.suggestion(for: name, among: names)
      throw ToolError.usage(
        "--format", "'\(name)' is no form of a drawing\(hint); use one of \(names.joined(separator: ", "))")
    }
    self.format = format
  }

  func run(_ console: Console) throws {
    let diagram: ModelDiagram
    switch self.source {
    case .file, .store: diagram = ModelDiagram(of: try self.source.load())
    case .federation(let url): diagram = try FederationFile(at: url).diagram()
    }
    try console.output.write(diagram.text(self.format))
  }
}
