import FederatedModel

/// Expression trees of archives.
extension ArchivedValue {
  /// - Parameter depth: how many levels may follow.
  /// - Throws: ``ModelFileError`` with `unsupportedObject` for an expression that is not answered here.
  func expression(depth: Int = ArchivedPredicateDepth.limit) throws(ModelFileError) -> FetchExpression {
    guard depth > 0 else { throw self.tooDeep() }
    let depth = depth - 1
    let classes = try self.classes()
    switch classes.first ?? "" {
    case "NSConstantValueExpression": return try self.constantExpression()
    case "NSSelfExpression": return .evaluatedObject
    case "NSVariableExpression": return .variable(try self.required("NSVariable").text())
    case "NSKeyPathSpecifierExpression": return .keyPath(try self.keys())
    case "NSKeyPathExpression": return try self.keyPath(depth)
    case "NSFunctionExpression": return try self.call(depth)
    case "NSAggregateExpression":
      return .aggregate(try self.required("NSCollection").expressions(depth))
    case "NSSubqueryExpression": return try self.subquery(depth)
    case "NSTernaryExpression":
      return .conditional(
        try self.required("NSPredicate").predicate(depth: depth),
        try self.required("NSTrueExpression").expression(depth: depth),
        try self.required("NSFalseExpression").expression(depth: depth))
    case "NSUnionSetExpression": return try self.setOperation(.union, depth)
    case "NSIntersectSetExpression": return try self.setOperation(.intersect, depth)
    case "NSMinusSetExpression": return try self.setOperation(.minus, depth)
    case "NSSetExpression":
      switch try self.integer("NSExpressionType") {
      case 5: return try self.setOperation(.union, depth)
      case 6: return try self.setOperation(.intersect, depth)
      case 7: return try self.setOperation(.minus, depth)
      default: throw self.unsupportedExpression("an operation on sets of an unknown kind")
      }
    case let name:
      throw self.unsupportedExpression(
        name.isEmpty ? "what is no expression" : "an expression of class \(name)")
    }
  }

  private func expressions(_ depth: Int) throws(ModelFileError) -> [FetchExpression] {
    var expressions: [FetchExpression] = []
    for element in try self.elements() { expressions.append(try element.expression(depth: depth)) }
    return expressions
  }

  // MARK: Kinds

  private func constantExpression() throws(ModelFileError) -> FetchExpression {
    guard let value = try self.field("NSConstantValue")?.constant() else { return .constant(.null) }
    if case .list(let values) = value { return .aggregate(values.map(FetchExpression.constant)) }
    return .constant(value)
  }

  private func keys() throws(ModelFileError) -> [String] {
    let path = try self.required("NSKeyPath").text()
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !keys.contains("") else {
      throw self.error(.malformedArchive, "The key path \"\(path)\" has an empty key.")
    }
    return keys
  }

  /// Keys that are sent to an operand: the object that is asked, a variable, or another expression.
  private func keyPath(_ depth: Int) throws(ModelFileError) -> FetchExpression {
    var keys: [String] = []
    for argument in try self.required("NSArguments").elements() {
      if try argument.className() == "NSKeyPathSpecifierExpression" {
        keys += try argument.keys()
      } else if case .constant(.string(let path)) = try argument.expression(depth: depth) {
        keys += path.split(separator: ".").map(String.init)
      } else {
        throw self.unsupportedExpression("a key that is computed")
      }
    }
    guard !keys.isEmpty else { throw self.error(.malformedArchive, "The key path has no key.") }
    guard let operand = try self.field("NSOperand") else { return .keyPath(keys) }
    switch try operand.expression(depth: depth) {
    case .evaluatedObject: return .keyPath(keys)
    case .keyPath(let first): return .keyPath(first + keys)
    case .path(let base, let first): return .path(base, first + keys)
    case let base: return .path(base, keys)
    }
  }

  /// A function of the predicate language, or a message to another operand.
  private func call(_ depth: Int) throws(ModelFileError) -> FetchExpression {
    let selector = try self.required("NSSelectorName").text()
    let operand = try self.required("NSOperand")
    if ["valueForKey:", "valueForKeyPath:"].contains(selector) { return try self.keyPath(depth) }
    if selector == "objectFrom:withIndex:" { return try self.element(depth) }
    let arguments = try self.field("NSArguments")?.expressions(depth) ?? []
    guard try operand.text("NSConstantValueClassName") == Self.functionClass else {
      guard FetchFunction.Selector(rawValue: selector) != nil else {
        throw self.unsupportedExpression("a call of \"\(selector)\"")
      }
      return .function(
        FetchFunction.function.rawValue,
        [try operand.expression(depth: depth), .constant(.string(selector))] + arguments)
    }
    guard let function = FetchFunction(formatName: selector), function.arity.contains(arguments.count) else {
      throw self.unsupportedExpression("a call of the function \"\(selector)\"")
    }
    return .function(function.rawValue, arguments)
  }

  /// The class that has the functions of the predicate language.
  private static let functionClass = "_NSPredicateUtilities"

  /// One element of a collection, by number or by a word.
  private func element(_ depth: Int) throws(ModelFileError) -> FetchExpression {
    let arguments = try self.required("NSArguments").elements()
    guard arguments.count == 2 else {
      throw self.error(.malformedArchive, "An index needs a collection and a place.")
    }
    let collection = try arguments[0].expression(depth: depth)
    guard try arguments[1].className() == "NSSymbolicExpression" else {
      return .index(collection, .at(try arguments[1].expression(depth: depth)))
    }
    switch try arguments[1].text("NSToken")?.uppercased() {
    case "FIRST": return .index(collection, .first)
    case "LAST": return .index(collection, .last)
    case "SIZE": return .index(collection, .size)
    default: throw self.unsupportedExpression("an index by an unknown word")
    }
  }

  private func subquery(_ depth: Int) throws(ModelFileError) -> FetchExpression {
    let variable = try self.required("NSVariable")
    let name: String
    if try variable.className() == "NSVariableExpression" {
      name = try variable.required("NSVariable").text()
    } else {
      name = try variable.text()
    }
    return .subquery(
      try self.required("NSCollection").expression(depth: depth), variable: name,
      try self.required("NSPredicate").predicate(depth: depth))
  }

  private func setOperation(
    _ operation: FetchExpression.SetOperation, _ depth: Int
  ) throws(ModelFileError) -> FetchExpression {
    .setOperation(
      operation, try self.required("NSLeftExpression").expression(depth: depth),
      try self.required("NSRightExpression").expression(depth: depth))
  }

  private func unsupportedExpression(_ what: String) -> ModelFileError {
    self.error(.unsupportedObject, "The archive holds \(what), which is not answered here.")
  }

  func tooDeep() -> ModelFileError {
    self.error(
      .malformedArchive,
      "The predicate is nested deeper than \(ArchivedPredicateDepth.limit) levels, or in a circle.")
  }
}

/// How deep a predicate of an archive may be nested: well within what is printed and answered by recursion.
enum ArchivedPredicateDepth {
  static let limit = 100
}
