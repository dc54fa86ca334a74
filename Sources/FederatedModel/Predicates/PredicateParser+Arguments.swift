/// What stands for the `%` places of a format. An argument never becomes syntax: `%@` is always a constant,
/// `%K` always keys.
extension PredicateParser {
  mutating func argument(_ placeholder: PredicatePlaceholder) throws(PredicateFormatError) -> Item {
    if placeholder == .keyPath { return try self.item(.keyPath(try self.keyPathArgument()), height: 1) }
    var value = try self.takeArgument()
    switch (placeholder, value) {
    case (.integer, .int), (.integer, .bool), (.integer, .decimal), (.floating, .double), (.value, _): break
    case (.floating, .int(let int)): value = .double(Double(int))
    default:
      throw self.error(
        .arguments, placeholder == .integer ? "an integer argument" : "a floating-point argument",
        found: value.description)
    }
    self.index += 1
    return try self.item(FetchExpression.constant(value), height: 1)
  }

  /// The keys of a `%K`: dots separate them.
  mutating func keyPathArgument() throws(PredicateFormatError) -> [String] {
    let value = try self.takeArgument()
    guard case .string(let path) = value else {
      throw self.error(
        .arguments, "a key path as a string for %K", found: value.description)
    }
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !keys.contains("") else {
      throw self.error(.arguments, "a key path without empty keys for %K", found: "\"\(path)\"")
    }
    self.index += 1
    return keys
  }

  private mutating func takeArgument() throws(PredicateFormatError) -> Value {
    guard self.nextArgument < self.arguments.count else {
      throw self.error(
        .arguments,
        "more than \(self.arguments.count) argument\(self.arguments.count == 1 ? "" : "s") for the format")
    }
    self.nextArgument += 1
    return self.arguments[self.nextArgument - 1].predicateArgument
  }
}
