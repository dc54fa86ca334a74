/// What stands for the `%` places of a format. An argument never becomes syntax: `%@` is always a constant,
/// `%K` always keys.
extension PredicateParser {
  mutating func argument(_ placeholder: PredicatePlaceholder) throws(PredicateFormatError) -> FetchExpression
  {
    if placeholder == .keyPath { return .keyPath(try self.keyPathArgument()) }
    let value = try self.takeArgument()
    switch (placeholder, value) {
    case (.integer, .int), (.integer, .bool), (.integer, .decimal), (.floating, .double), (.value, _):
      return .constant(value)
    case (.floating, .int(let int)): return .constant(.double(Double(int)))
    default:
      let wanted = placeholder == .integer ? "an integer argument" : "a floating-point argument"
      throw self.error(.arguments, wanted, found: value.description)
    }
  }

  /// The keys of a `%K`: dots separate them.
  mutating func keyPathArgument() throws(PredicateFormatError) -> [String] {
    let value = try self.takeArgument()
    guard case .string(let path) = value else {
      throw self.error(.arguments, "a key path as a string for %K", found: value.description)
    }
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !keys.contains("") else {
      throw self.error(.arguments, "a key path without empty keys for %K", found: "\"\(path)\"")
    }
    return keys
  }

  private mutating func takeArgument() throws(PredicateFormatError) -> Value {
    let count = self.arguments.count
    guard self.nextArgument < count else {
      throw self.error(.arguments, "an argument for this place, beyond the \(count) given")
    }
    self.nextArgument += 1
    return self.arguments[self.nextArgument - 1].predicateArgument
  }
}
