import FederatedData

/// A fetch request of the model, by name, with values for its variables.
struct TemplateArgument {
  let name: String
  let variables: [String: Value]

  /// Nil when no template is asked for.
  init?(_ arguments: ParsedArguments) throws {
    let settings = arguments.all("--set")
    guard let name = arguments.value("--template") else {
      if !settings.isEmpty { throw ToolError.usage("--set", "has no meaning without --template") }
      return nil
    }
    self.name = name
    var variables: [String: Value] = [:]
    for setting in settings {
      let (variable, value) = try Self.setting(setting)
      guard variables.updateValue(value, forKey: variable) == nil else {
        throw ToolError.usage("--set", "gives \(variable) a value twice; give it once")
      }
    }
    self.variables = variables
  }

  private static func setting(_ text: String) throws -> (String, Value) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw ToolError.usage("--set", "needs a variable and a value, as MIN=20, and not '\(text)'")
    }
    let variable = parts[0].hasPrefix("$") ? String(parts[0].dropFirst()) : parts[0]
    do {
      if let value = try FetchExpression(format: parts[1]).literal { return (variable, value) }
    } catch {
      throw ToolError.usage("--set \(variable)", "\(error)")
    }
    throw ToolError.usage(
      "--set \(variable)", "'\(parts[1])' is no literal; text stands in quotes, as \(variable)='\"text\"'")
  }

  /// The request with every variable replaced.
  func request(in model: ManagedObjectModel) throws -> FetchRequest {
    let names = model.templates.map(\.name)
    do throws(FetchTemplateError) {
      if let request = try model.fetchRequest(fromTemplate: self.name, variables: self.variables) {
        return request
      }
    } catch {
      guard case .missingVariables(_, let missing) = error else { throw error }
      let settings = missing.map { "--set \($0)=…" }.joined(separator: " ")
      throw ToolError.failed("--template \(self.name)", "needs values; add \(settings)")
    }
    let hint = NearestName.suggestion(for: self.name, among: names)
    throw ToolError.failed("--template \(self.name)", "the model has no fetch request of that name\(hint)")
  }
}

extension FetchExpression {
  /// The value of a literal or of a list of literals; nil for what depends on an object.
  fileprivate var literal: Value? {
    switch self {
    case .constant(let value): return value
    case .aggregate(let elements):
      let values = elements.compactMap(\.literal)
      return values.count == elements.count ? .list(values) : nil
    default: return nil
    }
  }
}
