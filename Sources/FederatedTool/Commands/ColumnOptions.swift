import FederatedData

/// Columns, groups and conditions on groups, as `federate fetch` takes them.
struct ColumnOptions {
  private let columns: [FetchColumn]?
  private let groups: [String]
  private let having: FetchPredicate?
  private let isDistinct: Bool

  /// - Returns: nil when no option asks for columns.
  init?(_ arguments: ParsedArguments) throws {
    let own = ["--columns", "--group-by", "--having", "--distinct"]
    guard let first = own.first(where: arguments.has) else { return nil }
    for option in ["--select", "--with"] where arguments.has(option) {
      throw ToolError.usage(
        option, "is about objects, and \(first) asks for columns; leave out one of the two")
    }
    if arguments.has("--distinct"), !arguments.has("--columns") {
      throw ToolError.usage("--distinct", "needs to know which columns; give --columns")
    }
    self.columns = try arguments.value("--columns").map(Self.columns)
    self.groups = try arguments.list("--group-by") ?? []
    self.having = try arguments.value("--having").map { try FetchCommand.predicate($0, of: "--having") }
    self.isDistinct = arguments.has("--distinct")
  }

  func apply(to request: inout FetchRequest) {
    request.resultType = .dictionaries
    request.propertiesToFetch = self.columns
    request.propertiesToGroupBy = self.groups.isEmpty ? nil : self.groups
    request.havingPredicate = self.having
    request.returnsDistinctResults = self.isDistinct
  }

  /// The columns that are printed, with the types of those that are attributes.
  func printed(of entity: Entity) -> [(name: String, type: AttributeType)] {
    let names = self.columns?.map(\.name) ?? self.groups
    if names.isEmpty { return entity.attributes.filter { $0.slot != nil }.map { ($0.name, $0.type) } }
    let computed = Set((self.columns ?? []).compactMap { if case .expression = $0 { $0.name } else { nil } })
    return names.map { name in
      (name, computed.contains(name) ? .undefined : entity.attribute(named: name)?.type ?? .undefined)
    }
  }

  // MARK: Reading

  /// Columns between commas. A comma may also stand inside an expression, so parts are joined until they can be read.
  private static func columns(_ text: String) throws -> [FetchColumn] {
    var columns: [FetchColumn] = []
    var rest = text.split(separator: ",", omittingEmptySubsequences: false)[...]
    while !rest.isEmpty {
      var failure: (any Error)?
      var found: FetchColumn?
      for count in 1...rest.count {
        do {
          found = try self.column(rest.prefix(count).joined(separator: ","))
          rest = rest.dropFirst(count)
          break
        } catch {
          failure = failure ?? error
        }
      }
      guard let found else {
        throw ToolError.usage("--columns", failure.map { "\($0)" } ?? "has no column")
      }
      columns.append(found)
    }
    return columns
  }

  /// `KEY`, `NAME=EXPRESSION` or `EXPRESSION`, which then is its own name.
  private static func column(_ text: String) throws -> FetchColumn {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, !parts[1].hasPrefix("=") {
      // A name may be any word, also one that the language reserves.
      let name = String(parts[0])
      if !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
        return .expression(try ExpressionDescription(name, String(parts[1])))
      }
    }
    let expression = try FetchExpression(format: text)
    if case .keyPath(let keys) = expression, !keys.contains(where: { $0.hasPrefix("@") || $0 == "length" }) {
      return .property(keys.joined(separator: "."))
    }
    return .expression(ExpressionDescription(expression.description, expression))
  }
}

extension FetchCommand {
  /// Prints lines of columns.
  func print(
    _ columns: ColumnOptions, of request: FetchRequest, in model: ManagedObjectModel,
    from context: ManagedObjectContext, to output: ResultOutput
  ) throws {
    guard let entity = model.entity(named: request.entityName) else { return }
    let printed = columns.printed(of: entity)
    let writer = self.format.writer(to: output, columns: printed.map(\.name), areObjects: false)
    for line in self.limit == 0 ? [] : try context.dictionaries(for: request) where output.isOpen {
      try writer.write(
        ResultRecord(
          line: printed.map { column in
            let value = Self.text(line[column.name] ?? .null, in: context)
            return ResultRecord.Field(key: column.name, content: .value(value, column.type))
          }))
    }
    try writer.end()
  }

  /// An object as its URI, in place of numbers that mean something to this process alone.
  private static func text(_ value: Value, in context: ManagedObjectContext) -> Value {
    switch value {
    case .object(let id): .uri(context.coordinator.uriString(for: id))
    case .list(let values): .list(values.map { self.text($0, in: context) })
    default: value
    }
  }
}
