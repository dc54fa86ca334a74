import FederatedData
import Foundation

/// `federate model diff`: compares two models.
struct ModelDiffCommand: ToolCommand {
  static let description = CommandDescription(
    name: "model diff",
    summary:
      "Compares two models: what came, what went, what changed; and whether stores of the one open under the other.",
    operands: "MODEL MODEL",
    options: [.init(name: "--json", value: nil, help: "print one JSON object")],
    notes: """
      \(ModelSource.notes)
      What has another name and the same renaming identifier is renamed. The order of properties is no difference, nor
      is what only a model editor knows. A line begins with + for what came, - for what went, ~ for what changed.

      Exit status: 0 the models say the same, 1 failed, 2 wrong usage, 3 they differ.

      Example:
        federate model diff "Shop.xcdatamodeld#Shop" "Shop.xcdatamodeld#Shop 2"
      """)

  let old: ModelSource
  let new: ModelSource
  let asJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    guard arguments.operands.count == 2 else {
      throw ToolError.usage("MODEL", "name two models, or two versions of one: MODEL#NAME")
    }
    self.old = ModelSource(path: arguments.operands[0])
    self.new = ModelSource(path: arguments.operands[1])
    self.asJSON = arguments.has("--json")
  }

  func run(_ console: Console) throws {
    let difference = ModelDifference(from: try self.old.load(), to: try self.new.load())
    try console.output.write(self.asJSON ? Self.json(difference) : Self.text(difference))
    if !difference.changes.isEmpty || !difference.hashesAreEqual { console.note(.found) }
  }

  private static func text(_ difference: ModelDifference) -> String {
    let lines = difference.changes.map { change in
      let text =
        switch (change.kind, change.fact) {
        case (.changed, let fact?):
          "~ \(change.item): \(fact) \(change.old ?? "none") -> \(change.new ?? "none")"
        case (.removed, _): "- \(change.item)\(change.old.map { $0.isEmpty ? "" : ": \($0)" } ?? "")"
        default: "+ \(change.item)\(change.new.map { $0.isEmpty ? "" : ": \($0)" } ?? "")"
        }
      return TableResultWriter.visible(text) + "\n"
    }
    let names = difference.entitiesWithOtherHashes.joined(separator: ", ")
    return lines.joined()
      + (difference.hashesAreEqual
        ? "version hashes are equal: stores of the one open under the other\n"
        : "version hashes differ: \(TableResultWriter.visible(names))\n")
  }

  private static func json(_ difference: ModelDifference) -> String {
    let changes = difference.changes.map { change in
      JSONTree.object([
        ("change", .text(change.kind.rawValue)), ("kind", .text(change.item.kind.rawValue)),
        ("owner", .text(change.item.owner)), ("name", .text(change.item.name)), ("fact", .text(change.fact)),
        ("old", .text(change.old)), ("new", .text(change.new)),
      ])
    }
    return JSONTree.object([
      ("changes", .array(changes)), ("versionHashesAreEqual", .flag(difference.hashesAreEqual)),
      (
        "entitiesWithOtherHashes", .array(difference.entitiesWithOtherHashes.map { .text($0) })
      ),
    ]).text
  }
}
