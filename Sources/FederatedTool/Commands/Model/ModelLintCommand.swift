import FederatedData
import Foundation

/// `federate model lint`: prints what of a model cannot work, and what can hardly be meant.
struct ModelLintCommand: ToolCommand {
  static let description = CommandDescription(
    name: "model lint",
    summary:
      "Checks a model: prints the rules that it breaks, stored questions that cannot be asked, and links whose\n"
      + "two sides can never be equal.",
    operands: "MODEL",
    options: ModelSource.options + [
      .init(name: "--strict", value: nil, help: "let warnings decide the exit status like problems"),
      .init(name: "--json", value: nil, help: "print one JSON object"),
    ],
    notes: """
      \(ModelSource.notes)
      A problem is an error for whoever opens the model or reads the property; a warning is a link that finds nothing.

      Exit status: 0 no problems, 1 the model cannot be read, 2 wrong usage, 3 there are problems.

      Example:
        federate model lint Shop.xcdatamodeld
      """)

  let source: ModelSource
  let isStrict: Bool
  let asJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    var rest: ArraySlice<String> = []
    self.source = try ModelSource(arguments, rest: &rest)
    try ModelSource.refuse(rest)
    self.isStrict = arguments.has("--strict")
    self.asJSON = arguments.has("--json")
  }

  func run(_ console: Console) throws {
    let problems: [ModelError.Breach]
    let warnings: [ModelError.Breach]
    do {
      let model = try self.source.load()
      (problems, warnings) = (model.problems, model.warnings)
    } catch let error as ModelFileError where error.code == .invalidModel && error.modelError != nil {
      // The file is in order; to say what is wrong with its model is what the command is for.
      (problems, warnings) = (error.modelError?.breaches ?? [], [])
    }
    try console.output.write(self.asJSON ? Self.json(problems, warnings) : Self.text(problems, warnings))
    if !problems.isEmpty || (self.isStrict && !warnings.isEmpty) { console.note(.found) }
  }

  private static func text(_ problems: [ModelError.Breach], _ warnings: [ModelError.Breach]) -> String {
    let lines =
      problems.map { "problem: \($0) [\($0.rule.rawValue)]\n" }
      + warnings.map { "warning: \($0) [\($0.rule.rawValue)]\n" }
    return lines.isEmpty ? "no problems\n" : lines.joined()
  }

  private static func json(_ problems: [ModelError.Breach], _ warnings: [ModelError.Breach]) -> String {
    let list = { (breaches: [ModelError.Breach]) in
      JSONTree.array(
        breaches.map { breach in
          .object([
            ("rule", .text(breach.rule.rawValue)), ("entity", .text(breach.entity)),
            ("property", .text(breach.property)), ("detail", .text(breach.detail)),
          ])
        })
    }
    return JSONTree.object([("problems", list(problems)), ("warnings", list(warnings))]).text
  }
}
